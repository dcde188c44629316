import type { Database } from '../../server/database/database.ts'

const WAITS = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

/** How many transactions wait for a row of an environment. On a cluster they wait on a worker. */
export async function countLockWaits(database: Database): Promise<number> {
  const text = database.isDistributed ? 'select distinct waiting_gpid from citus_lock_waits' : WAITS
  return (await database.query(text, [])).length
}

/** How many wait for a row of no environment, such as a member. On a cluster these are on the coordinator. */
export async function countControlWaits(database: Database): Promise<number> {
  return (await database.query(WAITS, [])).length
}
