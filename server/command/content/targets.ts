import type { ContentDocument } from '../../../contract/content/document.ts'

/** What a step of a flow, or a launcher, is attached to. */
export interface CheckedTarget {
  content: string
  /** Null of a launcher. */
  step: string | null
  /** Best first. */
  locators: readonly string[]
}

export interface FoundTarget {
  content: string
  step: string | null
  /** The locator that counts: the first that finds exactly one element. */
  found: string | null
  locators: { locator: string; matches: number }[]
}

export function targetsOf(document: ContentDocument): CheckedTarget[] {
  const { key: content, type } = document
  if (type === 'launcher') return [{ content, step: null, locators: document.target.locators }]
  if (type !== 'flow') return []
  return document.steps.flatMap((step) =>
    step.type === 'tooltip' ? [{ content, step: step.key, locators: step.target.locators }] : [],
  )
}

export function foundIn({ content, step, locators }: CheckedTarget, counts: ReadonlyMap<string, number>): FoundTarget {
  const counted = locators.map((locator) => ({ locator, matches: counts.get(locator) ?? 0 }))
  return { content, step, found: counted.find(({ matches }) => matches === 1)?.locator ?? null, locators: counted }
}
