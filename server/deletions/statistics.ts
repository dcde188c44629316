import type { Database } from '../database/database.ts'

/** So many more than PostgreSQL knows of are worth new statistics. */
const MANY = 100

/**
 * The table of deletions is nearly always empty. PostgreSQL knows that, and by a table of no rows every way to look is equally
 * good: a statement that is planned then reads all deletions for each row that it compares. With 5,000 deletions at once, the
 * memberships of 32 users took 32 ms instead of 0.3, until autovacuum came by. New statistics make all statements be planned
 * again. The workers of a cluster have their own.
 */
export async function refreshStatistics(database: Database): Promise<void> {
  if (database.isDistributed) return
  const [table] = await database.query<{ hasGrown: boolean }>(
    `select (select count(*) from (select from pending_deletions limit 2 * $1::int + 2 * greatest(reltuples, 0)::int) as counted)
              >= $1::int + 2 * greatest(reltuples, 0) as "hasGrown"
       from pg_class where oid = 'pending_deletions'::regclass`,
    [MANY],
  )
  if (table?.hasGrown) await database.queryUnprepared('analyze pending_deletions', [])
}
