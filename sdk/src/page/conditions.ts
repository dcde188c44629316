import type { BrowserLeaf, InputLeaf, Outcome } from '../../../contract/conditions/condition.ts'
import { outcomeOf } from '../../../contract/conditions/outcome.ts'
import type { RenderedCondition } from '../../../contract/content/rendered.ts'
import { find, UNKNOWN } from './find.ts'
import { fitsUrl } from './url-pattern.ts'

/** What the leaves of a page are asked about. */
export interface PageView {
  /** As `setUrlFilter` leaves it. */
  url(): string
  /** Whether an element of these locators was clicked since the session began. */
  wasClicked(locators: readonly string[]): boolean
  /** The value of an input, also of one that the page registered. */
  valueOf(input: Element): string
}

/** The outcome of a condition in the page. `outcomes` are those of the leaves that the server has decided. */
export function outcomeInPage(condition: RenderedCondition, outcomes: readonly Outcome[], page: PageView): Outcome {
  return outcomeOf(condition, (leaf: BrowserLeaf | { server: number }) => {
    if ('server' in leaf) return outcomes[leaf.server] ?? null
    if ('url' in leaf) return fitsUrl(leaf.url, page.url())
    if ('element' in leaf) return elementOutcome(leaf.element, leaf.is ?? 'visible', page)
    if ('input' in leaf) return inputOutcome(leaf, page)
    if ('viewport' in leaf) return isBetween(window.innerWidth, leaf.viewport)
    if ('locale' in leaf) return speaks(leaf.locale, navigator.language)
    // A kind of leaf that a newer server knows.
    return null
  })
}

function elementOutcome(
  locators: readonly string[],
  is: 'visible' | 'absent' | 'clicked' | 'disabled',
  page: PageView,
): Outcome {
  if (is === 'clicked') return page.wasClicked(locators)
  const found = find(locators)
  if (found === UNKNOWN) return null
  if (is === 'absent') return found.element === null && found.matches === 0
  if (is === 'visible') return found.element !== null
  return found.element?.matches(':disabled,[aria-disabled="true"]') ?? false
}

function inputOutcome({ input, is, value, values, ignore_case }: InputLeaf, page: PageView): Outcome {
  const found = find(input)
  if (found === UNKNOWN) return null
  const { element } = found
  const turn = (text: unknown) => (ignore_case ? String(text).toLowerCase() : String(text))
  const text = element ? turn(page.valueOf(element)) : ''
  // The negative ones: `not_equals`, `none_of`, `not_contains`.
  if (text === '') return is.startsWith('no')
  const wanted = turn(value ?? '')
  const isOneOf = (values ?? []).map(turn).includes(text)
  const outcomes: Record<InputLeaf['is'], boolean> = {
    filled: true,
    equals: text === wanted,
    not_equals: text !== wanted,
    contains: text.includes(wanted),
    not_contains: !text.includes(wanted),
    starts_with: text.startsWith(wanted),
    ends_with: text.endsWith(wanted),
    one_of: isOneOf,
    none_of: !isOneOf,
  }
  return outcomes[is]
}

function isBetween(width: number, { at_least, at_most }: { at_least?: number; at_most?: number }): boolean {
  return width >= (at_least ?? 0) && width <= (at_most ?? Number.POSITIVE_INFINITY)
}

/** `de` fits `de-AT` too. */
function speaks(wanted: readonly string[], language: string): boolean {
  const spoken = language.toLowerCase()
  return wanted.some((one) => spoken === one.toLowerCase() || spoken.startsWith(`${one.toLowerCase()}-`))
}

/** All leaves of a condition. */
export function* leavesOf(condition: RenderedCondition): Iterable<BrowserLeaf | { server: number }> {
  if ('all' in condition) for (const one of condition.all) yield* leavesOf(one)
  else if ('any' in condition) for (const one of condition.any) yield* leavesOf(one)
  else if ('not' in condition) yield* leavesOf(condition.not)
  else yield condition
}
