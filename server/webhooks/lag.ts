import type { Database, EnvironmentId } from '../database/database.ts'
import { findEnvironmentsWithDeliveries } from './delivery/queries.ts'

export interface Lag {
  environmentId: EnvironmentId
  /** Counted up to 10,000, so that asking costs the same behind any backlog. */
  waiting: number
  /** Milliseconds since the oldest of them happened; a replay counts from what it replays. */
  oldestMs: number
}

const MOST_COUNTED = 10_000

/** How far delivery is behind, for each environment in which something waits. */
export async function measureLag(database: Database, nowMs = Date.now()): Promise<Lag[]> {
  const environments = await findEnvironmentsWithDeliveries(database)
  return await Promise.all(
    environments.map(async (environmentId) => {
      const { waiting, oldest } = await findBacklog(database, environmentId)
      return { environmentId, waiting, oldestMs: oldest === null ? 0 : Math.max(0, nowMs - timeOf(oldest)) }
    }),
  )
}

async function findBacklog(
  db: Database,
  environmentId: EnvironmentId,
): Promise<{ waiting: number; oldest: string | null }> {
  const [row] = await db.queryUnprepared<{ waiting: number; oldest: string | null }>(
    `select (select count(*)
               from (select from webhook_deliveries where environment_id = $1::int limit ${MOST_COUNTED}) as counted) as waiting,
            (select notification_id from webhook_deliveries
              where environment_id = $1::int
              order by notification_id
              limit 1) as oldest`,
    [environmentId],
  )
  return row ?? { waiting: 0, oldest: null }
}

/** A UUID v7 begins with its time. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
