import { eachAtMost } from './each-at-most.ts'
import { isUnreachable } from './errors.ts'
import type { EnvironmentId, Queryable } from './queryable.ts'

const AT_ONCE = 4

/**
 * For a sharded PostgreSQL, where one statement for all environments fails while any worker is unreachable: each environment gets
 * a separate statement, and those on other workers succeed. The failed ones are repeated in the next round. Any other failure
 * holds up no environment either: the first is thrown afterwards.
 */
export async function eachEnvironment(db: Queryable, work: Work): Promise<void> {
  await eachOf(db, work, 'true')
}

/** Without those that are being deleted: what is written there beside the sweep may stay. */
export async function eachLiveEnvironment(db: Queryable, work: Work): Promise<void> {
  await eachOf(db, work, 'deleted_at is null')
}

type Work = (environmentId: EnvironmentId) => Promise<unknown>

async function eachOf(db: Queryable, work: Work, where: string): Promise<void> {
  const rows = await db.query<{ id: EnvironmentId }>(`select id from environments where ${where} order by id`, [])
  const failures: unknown[] = []
  await eachAtMost(AT_ONCE, rows, ({ id }) => work(id).catch((error) => failures.push(error)))
  const failure = failures.find((error) => !isUnreachable(error))
  if (failure !== undefined) throw failure
}
