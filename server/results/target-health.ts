import { HOUR_MS } from '../../contract/units.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { readTargetName } from './target-names.ts'

export const HOURS_SHOWN = 24
/** How far back a target is looked at, to say since when it is missing. */
const HOURS_READ = 7 * 24
/** So many tries in a row without the element, over at least an hour, are a missing target. */
const LEAST_MISSES = 20

/** What pages have told of one target. */
export interface TargetHealth {
  /** The last 24 hours, the oldest first. */
  hours: { found: number; missing: number }[]
  /** How often each locator found the element within these hours, by its place. */
  byLocator: ReadonlyMap<number, number>
  /** Since when no page has found it; null when it is found, or was looked for too seldom. */
  missingSince: string | null
  /** The hour in which it was last looked for. */
  lastAt: string | null
}

export interface HourCount {
  at: string
  name: string
  count: number
}

/** The health of the targets of a version, by the key of their step. */
export async function findTargetHealth(
  db: Reader,
  environmentId: EnvironmentId,
  versionId: string,
  now: number,
): Promise<ReadonlyMap<string, TargetHealth>> {
  const counts = await findHours(db, environmentId, versionId, hoursBefore(now, HOURS_READ))
  return healthOf(counts, hourOf(now))
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

/** The hour that runs now, and those before it. */
export function hoursBefore(now: number, hours: number): string[] {
  return Array.from({ length: hours }, (_, ago) => new Date(hourOf(now) - ago * HOUR_MS).toISOString())
}

/** By the key of the table: one look for each hour. */
async function findHours(
  db: Reader,
  environmentId: EnvironmentId,
  versionId: string,
  hours: readonly string[],
): Promise<HourCount[]> {
  return await db.query<HourCount & Record<string, unknown>>(
    `select at, name, count
       from counts
      where environment_id = $1::int and kind = 'target' and step = 'hour' and at = any($3::timestamptz[])
        and name >= $2::text || ' ' and name < $2::text || '!'`,
    [environmentId, versionId, hours],
  )
}

export function healthOf(counts: readonly HourCount[], hour: number): ReadonlyMap<string, TargetHealth> {
  const tries = counts.flatMap(({ at, name, count }) => {
    const read = readTargetName(name)
    return read ? [{ ...read, at: Date.parse(at), count }] : []
  })
  const byStep = Map.groupBy(tries, ({ step }) => step)
  return new Map([...byStep].map(([step, ofStep]) => [step, healthOfTarget(ofStep, hour)]))
}

type Tries = readonly { at: number; found: number | null; count: number }[]

function healthOfTarget(tries: Tries, hour: number): TargetHealth {
  const first = hour - (HOURS_SHOWN - 1) * HOUR_MS
  const hours = Array.from({ length: HOURS_SHOWN }, () => ({ found: 0, missing: 0 }))
  const byLocator = new Map<number, number>()
  for (const { at, found, count } of tries) {
    const shown = hours[Math.round((at - first) / HOUR_MS)]
    if (!shown) continue
    shown[found === null ? 'missing' : 'found'] += count
    if (found !== null) byLocator.set(found, (byLocator.get(found) ?? 0) + count)
  }
  const last = Math.max(...tries.map(({ at }) => at))
  return { hours, byLocator, missingSince: missingSince(tries, hour), lastAt: new Date(last).toISOString() }
}

/** The first hour after the last in which it was found. An hour in which it was found and missed counts as found. */
function missingSince(tries: Tries, hour: number): string | null {
  const lastFound = Math.max(
    Number.NEGATIVE_INFINITY,
    ...tries.filter(({ found }) => found !== null).map(({ at }) => at),
  )
  const missed = tries.filter(({ at, found }) => found === null && at > lastFound)
  const since = Math.min(...missed.map(({ at }) => at))
  const misses = missed.reduce((sum, { count }) => sum + count, 0)
  return misses >= LEAST_MISSES && hour - since >= HOUR_MS ? new Date(since).toISOString() : null
}
