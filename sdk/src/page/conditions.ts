import type { BrowserLeaf, InputLeaf, Outcome } from '../../../contract/conditions/condition.ts'
import { outcomeOf } from '../../../contract/conditions/outcome.ts'
import type { RenderedCondition } from '../../../contract/content/rendered.ts'
import { find } from './find.ts'
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
): boolean {
  if (is === 'clicked') return page.wasClicked(locators)
  const found = find(locators)
  if (is === 'absent') return found.element === null && found.matches === 0
  if (is === 'visible') return found.element !== null
  return found.element?.matches(':disabled,[aria-disabled="true"]') ?? false
}

function inputOutcome({ input, is, value, values, ignore_case }: InputLeaf, page: PageView): boolean {
  const { element } = find(input)
  const turn = (text: unknown) => (ignore_case ? String(text).toLowerCase() : String(text))
  const text = element ? turn(page.valueOf(element)) : ''
  if (text === '') return is === 'not_equals' || is === 'none_of' || is === 'not_contains'
  const wanted = turn(value ?? '')
  const several = (values ?? []).map(turn)
  switch (is) {
    case 'filled':
      return true
    case 'equals':
      return text === wanted
    case 'not_equals':
      return text !== wanted
    case 'contains':
      return text.includes(wanted)
    case 'not_contains':
      return !text.includes(wanted)
    case 'starts_with':
      return text.startsWith(wanted)
    case 'ends_with':
      return text.endsWith(wanted)
    case 'one_of':
      return several.includes(text)
    case 'none_of':
      return !several.includes(text)
  }
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
