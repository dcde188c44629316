import { limits } from './limits.ts'

/** The rules for attribute and event names. */
const characters = 'a-zA-Z0-9_\\- '
const RULE = 'must be 1 to 100 characters out of a-z, A-Z, 0-9, underscore, dash and space'

/** `__proto__` is refused: as a key of a JavaScript object it would change the prototype instead of being stored. */
export const ATTRIBUTE_NAME_PATTERN = `^(?!__proto__$)[${characters}]{1,${limits.attributeNameCharacters}}$`
export const ATTRIBUTE_NAME_RULE = `${RULE}, and not __proto__`

export const EVENT_NAME_PATTERN = `^[${characters}]{1,${limits.eventNameCharacters}}$`
export const EVENT_NAME_RULE = RULE

const eventName = new RegExp(EVENT_NAME_PATTERN)

export function isEventName(text: string): boolean {
  return eventName.test(text)
}

/** A key as others name it, such as that of a segment in a condition. */
export const KEY_PATTERN = '^[a-z0-9][a-z0-9_-]{0,63}$'
export const KEY_RULE =
  'must be 1 to 64 characters out of a-z, 0-9, dash and underscore, and begin with a letter or a digit'

/**
 * The keys of segments and of content: chosen once, the same in every environment. Where one is named, its id may be too, so
 * none has the form of an id.
 */
export const OWN_KEY_PATTERN = '^(?![0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$)[a-z0-9][a-z0-9_-]{0,63}$'
export const OWN_KEY_RULE = `${KEY_RULE}, and must not have the form of an id`

const KEY_CHARACTERS = 64

/** The key, or the first of `key-2`, `key-3` … that is not taken. */
export function freeKey(key: string, taken: readonly string[]): string {
  const others = new Set(taken)
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `-${number}`
    const next = key.slice(0, KEY_CHARACTERS - end.length) + end
    if (!others.has(next)) return next
  }
}

/** `signed_up_at` → `Signed up at`: the display name of a definition until someone writes another. */
export function humanise(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
