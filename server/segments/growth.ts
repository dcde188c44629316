import type { Condition } from '../../contract/conditions/condition.ts'
import { ExpandedLeaves, expandedProblem } from '../../contract/conditions/expanded.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { placedConditions } from '../../contract/content/references.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { type ApiError, errors } from '../errors.ts'
import type { SegmentRow } from './queries.ts'
import { findDocuments } from './uses.ts'

/**
 * Why a segment may not become larger: a condition that is published, or of a version that users are inside of, would have
 * more leaves with it than may be published. One that becomes smaller needs no look.
 */
export async function growthRefusal(
  db: Queryable,
  environmentId: EnvironmentId,
  { key, condition }: { key: string; condition: Condition },
  rows: readonly SegmentRow[],
): Promise<ApiError | undefined> {
  const stored = new Map(rows.map((row) => [row.key, JSON.parse(row.condition) as Condition]))
  const before = new ExpandedLeaves((name) => stored.get(name))
  const after = new ExpandedLeaves((name) => (name === key ? condition : stored.get(name)))
  if (!stored.has(key) || after.ofSegment(key) <= before.ofSegment(key)) return undefined
  for (const { key: content, document } of await findDocuments(db, environmentId))
    for (const { condition: placed, path } of placedConditions(JSON.parse(document) as ContentDocument)) {
      const problem = expandedProblem(after.of(placed))
      if (problem && after.of(placed) > before.of(placed))
        return errors.invalidParams([
          `condition: with it, ${path} of the content '${content}' ${problem}. Shorten it, or publish that content with fewer`,
        ])
    }
  return undefined
}
