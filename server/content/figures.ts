import type { Reader } from '../database/queryable.ts'
import { type InScope, measureByWorker } from '../database/workers.ts'
import type { GuidanceFigures } from '../metrics/guidance.ts'

/** For the metrics: what is published in all environments, and in how many all content is switched off. */
export async function readPublishedFigures(db: Reader): Promise<GuidanceFigures> {
  const { parts } = await measureByWorker(db, (inScope) => readPart(db, inScope))
  const sum = (key: keyof GuidanceFigures) => parts.reduce((total, part) => total + part[key], 0)
  return { published: sum('published'), switchedOff: sum('switchedOff') }
}

async function readPart(db: Reader, inScope: InScope): Promise<GuidanceFigures> {
  const [[published], [off]] = await Promise.all([
    db.queryUnprepared<{ count: number }>(
      `select count(*)::int as count from content where published_version_id is not null and ${inScope('environment_id')}`,
      [],
    ),
    db.queryUnprepared<{ count: number }>(
      `select count(*)::int as count from guidance where is_off and ${inScope('environment_id')}`,
      [],
    ),
  ])
  return { published: published?.count ?? 0, switchedOff: off?.count ?? 0 }
}
