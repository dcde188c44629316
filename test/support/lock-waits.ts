import type { Database } from '../../server/database/database.ts'

/** How many transactions wait for a row of an environment. On a cluster they wait on a worker. */
export async function countLockWaits(database: Database): Promise<number> {
  const text = database.isDistributed
    ? 'select distinct waiting_gpid from citus_lock_waits'
    : "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  return (await database.query(text, [])).length
}
