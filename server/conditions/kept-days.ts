import type { EnvironmentId, Queryable } from '../database/database.ts'

/** After how many days events are deleted; undefined when they are kept. */
export async function findKeptDays(db: Queryable, environmentId: EnvironmentId): Promise<number | undefined> {
  const [row] = await db.query<{ days: number | null }>(
    'select keep_events_days as days from environments where id = $1::int',
    [environmentId],
  )
  return row?.days ?? undefined
}
