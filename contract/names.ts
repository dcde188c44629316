import { limits } from './limits.ts'

/** The contract's rule for event names; a regular expression source, so that the OpenAPI document can show it. */
export const NAME_PATTERN = `^[a-zA-Z0-9_\\- ]{1,${limits.eventNameCharacters}}$`

const pattern = new RegExp(NAME_PATTERN)

export function isName(text: string): boolean {
  return pattern.test(text)
}
