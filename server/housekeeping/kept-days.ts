import type { EnvironmentId, Queryable } from '../database/database.ts'

/** The columns of environments that say for how many days something is kept. Null keeps it forever. */
type KeptColumn = 'keep_events_days' | 'keep_sessions_days'

/** An environment that deletes what is older than this. */
export interface KeptDays extends Record<string, unknown> {
  id: EnvironmentId
  days: number
}

export async function listKeptDays(db: Queryable, column: KeptColumn): Promise<KeptDays[]> {
  return await db.query<KeptDays>(
    `select id, ${column} as days from environments where ${column} is not null order by id`,
    [],
  )
}

export async function setKeptDays(
  db: Queryable,
  environmentId: EnvironmentId,
  column: KeptColumn,
  days: number | null,
): Promise<void> {
  await db.query(`update environments set ${column} = $2::int where id = $1::int`, [environmentId, days])
}
