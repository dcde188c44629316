import type { Condition, EventLeaf } from '../../contract/conditions/condition.ts'
import { exactEventOf, exactlyOf } from '../../contract/conditions/exactly.ts'
import type { DraftLeaf } from './draft-leaf.ts'

/** What a row says. `exactly` is a word of rows only: a condition says it with two leaves. */
export function conditionOfRow(leaf: DraftLeaf): Condition {
  const { exactly, ...event } = leaf
  if (exactly === undefined) return leaf as unknown as Condition
  return exactlyOf({ event: event as unknown as EventLeaf, times: exactly as number })
}

/** The row that stands for the whole condition; undefined when it takes several. */
export function exactRowOf(condition: Condition): DraftLeaf | undefined {
  const exact = exactEventOf(condition)
  return exact && { ...exact.event, exactly: exact.times }
}
