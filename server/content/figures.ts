import type { Queryable } from '../database/database.ts'
import type { GuidanceFigures } from '../metrics/guidance.ts'

/** For the metrics: what is published in all environments, and in how many all content is switched off. */
export async function readPublishedFigures(db: Queryable): Promise<GuidanceFigures> {
  const [[published], [off]] = await Promise.all([
    db.query<{ count: number }>(
      'select count(*)::int as count from content where published_version_id is not null',
      [],
    ),
    db.query<{ count: number }>('select count(*)::int as count from guidance where is_off', []),
  ])
  return { published: published?.count ?? 0, switchedOff: off?.count ?? 0 }
}
