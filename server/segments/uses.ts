import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import type { SegmentRow } from './queries.ts'

/** What refers to a segment. */
export interface SegmentUse {
  object: 'segment' | 'content'
  key: string
}

/** The keys of the segments that a condition names itself. */
export function segmentsIn(condition: Condition): Set<string> {
  const keys = new Set<string>()
  eachLeaf(condition, (leaf) => {
    if ('segment' in leaf) keys.add(leaf.segment)
  })
  return keys
}

/** The uses of each segment, by its key. */
export async function findUses(
  db: Queryable,
  environmentId: EnvironmentId,
  rows: readonly SegmentRow[],
): Promise<Map<string, SegmentUse[]>> {
  const stored = await db.query<{ segment: string; content: string }>(
    'select segment, content from segment_uses where environment_id = $1::int order by segment, content',
    [environmentId],
  )
  const uses = new Map<string, SegmentUse[]>()
  const add = (key: string, use: SegmentUse) => uses.set(key, [...(uses.get(key) ?? []), use])
  for (const { segment, content } of stored) add(segment, { object: 'content', key: content })
  for (const { key, condition } of rows)
    for (const used of segmentsIn(JSON.parse(condition) as Condition)) add(used, { object: 'segment', key })
  return uses
}

/**
 * Says which segments a content uses, by its key, in the transaction that publishes, unpublishes or deletes it: a segment that
 * published content uses, or a version with open sessions, is not deleted.
 */
export async function storeContentUses(
  db: Transaction,
  environmentId: EnvironmentId,
  content: string,
  segments: ReadonlySet<string>,
): Promise<void> {
  await db.query('delete from segment_uses where environment_id = $1::int and content = $2::text', [
    environmentId,
    content,
  ])
  for (const segment of segments)
    await db.query(
      'insert into segment_uses (environment_id, segment, content) values ($1::int, $2::text, $3::text) on conflict do nothing',
      [environmentId, segment, content],
    )
}
