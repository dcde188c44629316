import { readClock } from '../database/clock.ts'
import type { Database, EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { measureByWorker } from '../database/workers.ts'
import { eachDespiteFailures } from '../rounds/each-despite-failures.ts'
import { lockSums } from './lock-sums.ts'
import { FINISHED } from './run-sql.ts'
import { SUMS, type Until } from './summed-rows.ts'

/** A transaction that ends a run has committed by then. By the clock of the database, as the time of the end is. */
const LAG_MS = 10 * 60_000
/** The runs of one step: one statement stays short. */
const MOST_RUNS = 20_000

const BETWEEN = `${FINISHED} > $2::timestamptz and ${FINISHED} <= $3::timestamptz`

/**
 * Sums the runs of all environments that were over some minutes ago, without those of a worker that is unreachable. What is
 * not summed yet, results read as it is. What was summed by a clock that was ahead is taken back, and summed again later.
 */
export async function sumRuns(database: Database, now?: number): Promise<number> {
  const until = (now ?? (await readClock(database))()) - LAG_MS
  let steps = 0
  await eachDespiteFailures(await environmentsWithRuns(database), async (environmentId) => {
    for (const column of Object.keys(SUMS) as Until[])
      while (await sumStep(database, environmentId, column, until)) steps++
  })
  return steps
}

async function environmentsWithRuns(db: Queryable): Promise<EnvironmentId[]> {
  const { parts } = await measureByWorker(db, (inScope) =>
    db.query<{ id: EnvironmentId }>(
      `select environment_id as id from guidance where ${inScope('environment_id')} order by 1`,
      [],
    ),
  )
  return parts.flat().map(({ id }) => id)
}

/** Whether there is more to sum. Concurrent nodes wait for each other, and sum no run twice. */
async function sumStep(
  database: Database,
  environmentId: EnvironmentId,
  column: Until,
  untilMs: number,
): Promise<boolean> {
  return await inTransaction(database, async (db) => {
    const { add, takeBack } = SUMS[column]
    const until = new Date(untilMs).toISOString()
    const { [column]: from } = await lockSums(db, environmentId)
    const { last, wasSetBack } = await endOfStep(db, environmentId, from, until)
    if (wasSetBack) {
      const start = await startOfStep(db, environmentId, until, from)
      await takeBack(db, environmentId, BETWEEN, [start, from])
      await moveSums(db, environmentId, column, start)
      return start !== until
    }
    if (last === null) return false
    await add(db, environmentId, BETWEEN, [from, last])
    await moveSums(db, environmentId, column, last)
    return true
  })
}

interface EndOfStep {
  /** The time of the last run of the step; null without a run. Runs of one instant are in one step. */
  last: string | null
  /** The clock of the database was set back since the last sum. Runs that are over now would count as summed already. */
  wasSetBack: boolean
}

async function endOfStep(
  db: Transaction,
  environmentId: EnvironmentId,
  from: string,
  until: string,
): Promise<EndOfStep> {
  const [row] = await db.query<EndOfStep>(
    `select max(finished)::text as last, $2::timestamptz > $3::timestamptz as "wasSetBack"
       from (select ${FINISHED} as finished from content_sessions as session
              where environment_id = $1::int and ${BETWEEN}
              order by ${FINISHED} limit ${MOST_RUNS}) as step`,
    [environmentId, from, until],
  )
  return row as EndOfStep
}

/** Where the latest runs begin that one step takes back: just before one of them, or where the sums shall end. */
async function startOfStep(
  db: Transaction,
  environmentId: EnvironmentId,
  from: string,
  until: string,
): Promise<string> {
  const [row] = await db.query<{ start: string | null }>(
    `select (finished - interval '1 microsecond')::text as start
       from (select ${FINISHED} as finished from content_sessions as session
              where environment_id = $1::int and ${BETWEEN}) as runs
      order by finished desc offset ${MOST_RUNS - 1} limit 1`,
    [environmentId, from, until],
  )
  return row?.start ?? from
}

async function moveSums(db: Transaction, environmentId: EnvironmentId, column: Until, until: string): Promise<void> {
  await db.query(`update content_sums set ${column} = $2::timestamptz where environment_id = $1::int`, [
    environmentId,
    until,
  ])
}
