import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { placedLeaves } from '../../contract/content/references.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import type { SegmentRow } from './queries.ts'

/** What refers to a segment. */
export interface SegmentUse {
  object: 'segment' | 'content'
  key: string
}

/** The keys of the segments that a condition names itself. */
function segmentsIn(condition: Condition): Set<string> {
  const keys = new Set<string>()
  eachLeaf(condition, (leaf) => {
    if ('segment' in leaf) keys.add(leaf.segment)
  })
  return keys
}

/** The segments that a document names anywhere. */
export function segmentsOf(document: ContentDocument): ReadonlySet<string> {
  return new Set(placedLeaves(document).flatMap(({ leaf }) => ('segment' in leaf ? [leaf.segment] : [])))
}

/** The uses of each segment, by its key. */
export async function findUses(
  db: Queryable,
  environmentId: EnvironmentId,
  rows: readonly SegmentRow[],
): Promise<Map<string, SegmentUse[]>> {
  const stored = await findStored(db, environmentId)
  // After what is published: a version that is replaced in between, and that users are inside of, is in one of the two.
  const running = await findRunning(db, environmentId)
  const uses = new Map<string, SegmentUse[]>()
  const add = (key: string, use: SegmentUse) => {
    const known = uses.get(key) ?? []
    if (!known.some((one) => one.object === use.object && one.key === use.key)) uses.set(key, [...known, use])
  }
  for (const { segment, content } of stored) add(segment, { object: 'content', key: content })
  for (const { key, document } of running)
    for (const used of segmentsOf(JSON.parse(document) as ContentDocument)) add(used, { object: 'content', key })
  for (const { key, condition } of rows)
    for (const used of segmentsIn(JSON.parse(condition) as Condition)) add(used, { object: 'segment', key })
  return uses
}

export type SegmentUses = ReadonlyMap<string, readonly SegmentUse[]>

/** Whether a change of it counts for users at once: content uses it, itself or through other segments. */
export function isLive(key: string, uses: SegmentUses, seen = new Set<string>()): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return (uses.get(key) ?? []).some((use) => use.object === 'content' || isLive(use.key, uses, seen))
}

async function findStored(
  db: Queryable,
  environmentId: EnvironmentId,
): Promise<{ segment: string; content: string }[]> {
  return await db.query<{ segment: string; content: string }>(
    'select segment, content from segment_uses where environment_id = $1::int order by segment, content',
    [environmentId],
  )
}

/** The documents that count for users and name a segment: what is published, and what users are inside of. */
export async function findDocuments(
  db: Queryable,
  environmentId: EnvironmentId,
): Promise<{ key: string; document: string }[]> {
  const published = await db.query<{ key: string; document: string }>(
    `select content.key, version.document
       from content
       join content_versions as version
         on version.environment_id = content.environment_id and version.id = content.published_version_id
      where content.environment_id = $1::int and version.document like '%"segment"%'
      order by content.key`,
    [environmentId],
  )
  return [...published, ...(await findRunning(db, environmentId))]
}

/**
 * The documents of earlier versions that users are inside of. Few of them name a segment, and an index has those. Of content
 * that has such a version, the open sessions are read once, however many versions it has.
 */
async function findRunning(db: Queryable, environmentId: EnvironmentId): Promise<{ key: string; document: string }[]> {
  const isEarlier = `earlier.environment_id = $1::int and earlier.content_id = content.id and earlier.published_at is not null
    and earlier.id <> content.published_version_id and earlier.document like '%"segment"%'`
  return await db.query<{ key: string; document: string }>(
    `select content.key, earlier.document
       from content
      cross join lateral (
        select distinct version_id from content_sessions as session
         where session.environment_id = $1::int and session.content_id = content.id and session.ended_at is null
           and exists (select from content_versions as earlier where ${isEarlier})) as running
       join content_versions as earlier on earlier.id = running.version_id and ${isEarlier}
      where content.environment_id = $1::int
      order by content.key`,
    [environmentId],
  )
}

/**
 * Says which segments a content uses, by its key, in the transaction that publishes, unpublishes or deletes it: a segment that
 * published content uses is not deleted.
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
