import type { EnvironmentId, Reader } from '../database/database.ts'
import { findTargetHealth, HOURS_SHOWN, hoursBefore } from './target-health.ts'
import { readTargetName } from './target-names.ts'

/** Below, a target that is missing is noise of single pages. */
const LEAST_SHARE = 0.2
const LEAST_MISSES = 5

/** A target of a version that pages did not find in a share of their tries within a day. */
export interface MissedTarget {
  versionId: string
  /** The key of the step. */
  step: string
  missed: number
  tries: number
  /** Since when no page has found it; null when some still do, or it was looked for too seldom. */
  since: string | null
}

/** The missed targets of these versions, the largest share first. */
export async function findMissedTargets(
  db: Reader,
  environmentId: EnvironmentId,
  versionIds: readonly string[],
  now: number,
): Promise<MissedTarget[]> {
  if (versionIds.length === 0) return []
  const counts = await sumDay(db, environmentId, now)
  const missed = missedOf(counts).filter(({ versionId }) => versionIds.includes(versionId))
  const versions = [...new Set(missed.map(({ versionId }) => versionId))]
  const health = new Map(
    await Promise.all(versions.map(async (id) => [id, await findTargetHealth(db, environmentId, id, now)] as const)),
  )
  return missed.map((target) => ({
    ...target,
    since: health.get(target.versionId)?.get(target.step)?.missingSince ?? null,
  }))
}

interface NameSum {
  name: string
  count: number
}

/** By the key of the table: one look for each hour. */
async function sumDay(db: Reader, environmentId: EnvironmentId, now: number): Promise<NameSum[]> {
  return await db.query<NameSum & Record<string, unknown>>(
    `select name, sum(count)::int as count
       from counts
      where environment_id = $1::int and kind = 'target' and step = 'hour' and at = any($2::timestamptz[])
      group by name`,
    [environmentId, hoursBefore(now, HOURS_SHOWN)],
  )
}

export function missedOf(counts: readonly NameSum[]): Omit<MissedTarget, 'since'>[] {
  const tries = counts.flatMap(({ name, count }) => {
    const read = readTargetName(name)
    return read ? [{ ...read, count }] : []
  })
  const byTarget = Map.groupBy(tries, ({ versionId, step }) => `${versionId} ${step}`)
  return [...byTarget.values()]
    .map((ofTarget) => {
      const { versionId, step } = ofTarget[0] as (typeof tries)[number]
      const sum = (all: typeof tries) => all.reduce((before, { count }) => before + count, 0)
      return { versionId, step, missed: sum(ofTarget.filter(({ found }) => found === null)), tries: sum(ofTarget) }
    })
    .filter(({ missed, tries: all }) => missed >= LEAST_MISSES && missed / all >= LEAST_SHARE)
    .sort((one, other) => other.missed / other.tries - one.missed / one.tries)
}
