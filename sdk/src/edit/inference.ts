import { isGenerated } from './generated.ts'

/** What the page has said about its attributes and classes: `setInferenceAttributeNames` and the filters. */
export type Inference = Readonly<Record<string, unknown>>

/** In the order of their trust. `data-usher` always counts. */
const NAMES = ['data-testid', 'id', 'name']

export function attributeNames({ attributeNames: given }: Inference): string[] {
  const names = Array.isArray(given) ? given.filter((name) => typeof name === 'string') : NAMES
  return [...new Set(['data-usher', ...(names as string[])])]
}

/** A value that a person wrote. A filter of the page decides instead of our guess. */
export function isTrusted(inference: Inference, name: string, value: string): boolean {
  const filters = inference[`attribute ${name}`]
  if (filters !== undefined) return passes(filters, value)
  return name === 'data-testid' || name === 'data-usher' || !isGenerated(value)
}

export function trustedClasses(inference: Inference, element: Element): string[] {
  const { classNames: filters } = inference
  return [...element.classList].filter((name) => (filters === undefined ? !isGenerated(name) : passes(filters, name)))
}

/** One filter or a list: a value counts when one of them accepts it. A filter is a regular expression or a function. */
function passes(filters: unknown, value: string): boolean {
  return [filters].flat().some((filter) => {
    try {
      if (filter instanceof RegExp) return value.search(filter) >= 0
      return typeof filter === 'function' && Boolean(filter(value))
    } catch {
      return false
    }
  })
}
