import type { Condition } from '../../contract/conditions/condition.ts'
import { keptCondition } from '../../contract/conditions/retention.ts'
import { type Names, sentenceOf } from '../../contract/conditions/sentence.ts'
import type { SegmentRow } from './queries.ts'
import type { SegmentUse } from './uses.ts'

/** What the sentences call the segments of an environment. */
export function namesOf(rows: readonly Pick<SegmentRow, 'key' | 'name'>[]): Names {
  return { segments: new Map(rows.map(({ key, name }) => [key, name])) }
}

/** What the sentences of an environment need. */
export interface SentenceWords {
  names: Names
  keptDays: number | undefined
}

/** A segment as the API shows it. */
export function segmentObject(
  { id, key, name, scope, condition, created_at, updated_at }: SegmentRow,
  used_by: readonly SegmentUse[],
  { names, keptDays }: SentenceWords,
  warnings: readonly string[] = [],
) {
  const parsed = JSON.parse(condition) as Condition
  const sentence = sentenceOf(keptCondition(parsed, keptDays), names)
  return {
    id,
    object: 'segment' as const,
    condition: parsed,
    created_at,
    key,
    name,
    scope,
    sentence,
    updated_at,
    used_by,
    warnings,
  }
}
