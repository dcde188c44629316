import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import type { Part } from '../database/parts.ts'
import { lockSums, type Summed } from './lock-sums.ts'
import { FINISHED } from './run-sql.ts'
import { SUMS, type Until } from './summed-rows.ts'

/** Runs that a transaction changes, and that may be summed already, or never will be. */
export interface LateRuns {
  /** They were over before, and get another step, task or answer. */
  readonly changed: readonly string[]
  /** They are over now. The sums are ahead of the clock, so no sum will look for runs of this time. */
  readonly over: readonly string[]
}

const SUMMED_RUNS = `session.id = any($2::uuid[]) and ${FINISHED} <= $3::timestamptz`

/**
 * Takes what is summed of runs out of the sums, before the transaction changes them. The sums stay locked until its commit, so
 * that none reads these runs meanwhile.
 */
export async function takeBackLateRuns(
  db: Transaction,
  environmentId: EnvironmentId,
  { changed }: LateRuns,
): Promise<Summed> {
  const summed = await lockSums(db, environmentId)
  for (const column of Object.keys(SUMS) as Until[])
    await SUMS[column].takeBack(db, environmentId, SUMMED_RUNS, [changed, summed[column]])
  return summed
}

/** Adds them as they are stored now. What is not summed yet is added by its sum. */
export async function addLateRuns(
  db: Transaction,
  environmentId: EnvironmentId,
  { changed, over }: LateRuns,
  summed: Summed,
): Promise<void> {
  for (const column of Object.keys(SUMS) as Until[])
    await SUMS[column].add(db, environmentId, SUMMED_RUNS, [[...changed, ...over], summed[column]])
}

/** Sums end ten minutes before the clock, so these are ahead because it was set back. */
const isAhead = `greatest(summed_until, answers_until) > clock_timestamp() - interval '5 minutes'`

const AHEAD: Forms = {
  one: `select environment_id as id from content_sums where environment_id = $1::int and ${isAhead}`,
  many: `select environment_id as id from content_sums where environment_id = any($1::int[]) and ${isAhead}`,
}

/** The environments whose sums are ahead of the clock of the database, until the next sum takes them back. */
export async function findSumsAhead(
  db: Queryable,
  parts: readonly Part<unknown>[],
): Promise<ReadonlySet<EnvironmentId>> {
  const rows = await queryParts<{ id: EnvironmentId }>(db, AHEAD, parts, [])
  return new Set(rows.map(({ id }) => id))
}
