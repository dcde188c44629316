import { readClock } from '../database/clock.ts'
import type { Database, EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { measureByWorker } from '../database/workers.ts'
import { eachDespiteFailures } from '../rounds/each-despite-failures.ts'
import { answerSumsOf } from './answer-sql.ts'
import { lockSums, type Summed } from './lock-sums.ts'
import { FINISHED, sumsOf } from './run-sql.ts'

/** A transaction that ends a run has committed by then. By the clock of the database, as the time of the end is. */
const LAG_MS = 10 * 60_000
/** The runs of one step: one statement stays short. */
const MOST_RUNS = 20_000

/** What is summed of the runs that are over, each up to a time of its own: an earlier version does not know of answers. */
const SUMS = { summed_until: addRuns, answers_until: addAnswers }
type Until = keyof Summed

/**
 * Sums the runs of all environments that were over some minutes ago, without those of a worker that is unreachable. What is
 * not summed yet, results read as it is.
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
    const { [column]: from } = await lockSums(db, environmentId, 'for update')
    const until = await endOfStep(db, environmentId, from, new Date(untilMs).toISOString())
    if (until === undefined) return false
    await SUMS[column](db, environmentId, from, until)
    await moveSums(db, environmentId, column, until)
    return true
  })
}

/** The time of the last run of a step; undefined without a run. Runs of one instant are in one step. */
async function endOfStep(
  db: Transaction,
  environmentId: EnvironmentId,
  from: string,
  until: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ last: string | null }>(
    `select max(finished)::text as last
       from (select ${FINISHED} as finished from content_sessions as session
              where environment_id = $1::int and ${FINISHED} > $2::timestamptz and ${FINISHED} <= $3::timestamptz
              order by ${FINISHED} limit ${MOST_RUNS}) as step`,
    [environmentId, from, until],
  )
  return row?.last ?? undefined
}

async function addRuns(db: Transaction, environmentId: EnvironmentId, from: string, until: string): Promise<void> {
  await db.query(
    `insert into content_days (environment_id, content_id, version_id, day, step, reason, bucket, runs)
     select $1::int, content_id, version_id, day, step, reason, bucket, runs
       from (${sumsOf(`${FINISHED} > $2::timestamptz and ${FINISHED} <= $3::timestamptz`)}) as summed
     on conflict (environment_id, content_id, version_id, day, step, reason, bucket)
        do update set runs = content_days.runs + excluded.runs`,
    [environmentId, from, until],
  )
}

/** The answers of a run that is over count as they are then. */
async function addAnswers(db: Transaction, environmentId: EnvironmentId, from: string, until: string): Promise<void> {
  await db.query(
    `insert into content_answer_days (environment_id, content_id, version_id, question, value, day, answers)
     select $1::int, content_id, version_id, question, value, day, answers
       from (${answerSumsOf(`${FINISHED} > $2::timestamptz and ${FINISHED} <= $3::timestamptz`)}) as summed
     on conflict (environment_id, content_id, version_id, question, value, day)
        do update set answers = content_answer_days.answers + excluded.answers`,
    [environmentId, from, until],
  )
}

async function moveSums(db: Transaction, environmentId: EnvironmentId, column: Until, until: string): Promise<void> {
  await db.query(`update content_sums set ${column} = $2::timestamptz where environment_id = $1::int`, [
    environmentId,
    until,
  ])
}
