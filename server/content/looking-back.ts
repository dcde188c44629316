import type { Condition, Leaf } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import { longWindow } from '../../contract/conditions/retention.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { placedLeaves } from '../../contract/content/references.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { findSegments } from '../segments/queries.ts'
import { findPublished } from './queries.ts'

/** A leaf of published content or of a segment that looks back further than so many days. */
export interface LookingBack {
  object: 'content' | 'segment'
  key: string
  path: string
  /** `looks back 60 days`. */
  words: string
}

/** What would mean something else if events were kept for so many days: it is said before that happens. */
export async function findLookingBack(
  db: Queryable,
  environmentId: EnvironmentId,
  days: number,
  now: number,
): Promise<LookingBack[]> {
  const [published, segments] = await Promise.all([findPublished(db, environmentId), findSegments(db, environmentId)])
  const found: LookingBack[] = []
  const ask = (object: LookingBack['object'], key: string, leaf: Leaf, path: string) => {
    const long = longWindow(leaf, days, now)
    if (long) found.push({ object, key, path, words: long.words })
  }
  for (const { key, document } of published)
    for (const { leaf, path } of placedLeaves(JSON.parse(document) as ContentDocument)) ask('content', key, leaf, path)
  for (const { key, condition } of segments)
    eachLeaf(JSON.parse(condition) as Condition, (leaf, path) =>
      ask('segment', key, leaf, `condition${path === '' ? '' : '.'}${path}`),
    )
  return found
}
