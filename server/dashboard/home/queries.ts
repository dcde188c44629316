import type { EnvironmentId, Queryable } from '../../database/database.ts'

/** Whether an event was ever stored: then there is a definition of it. */
export async function hasEvents(db: Queryable, environmentId: EnvironmentId): Promise<boolean> {
  const rows = await db.query('select from event_definitions where environment_id = $1::int limit 1', [environmentId])
  return rows.length > 0
}
