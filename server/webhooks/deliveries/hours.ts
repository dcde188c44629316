import type { EnvironmentId, Reader } from '../../database/database.ts'

const HOUR_MS = 3_600_000

/** The attempts of one hour (UTC). */
export interface HourBlock {
  hour: string
  delivered: number
  failed: number
}

/** A block for each of the last hours, the running one last, by subscription. Hours without attempts are zeros. */
export async function hourBlocks(
  db: Reader,
  environmentId: EnvironmentId,
  subscriptionIds: readonly string[],
  { count = 24, nowMs = Date.now() }: { count?: number; nowMs?: number } = {},
): Promise<Map<string, HourBlock[]>> {
  const firstMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - (count - 1) * HOUR_MS
  const rows = await findHours(db, environmentId, subscriptionIds, new Date(firstMs))
  const found = new Map(rows.map((row) => [`${row.subscription_id} ${row.hour}`, row]))
  const hours = Array.from({ length: count }, (_, index) => new Date(firstMs + index * HOUR_MS).toISOString())
  return new Map(
    subscriptionIds.map((id) => [
      id,
      hours.map((hour) => {
        const { delivered = 0, failed = 0 } = found.get(`${id} ${hour}`) ?? {}
        return { hour, delivered, failed }
      }),
    ]),
  )
}

interface HourRow {
  subscription_id: string
  hour: string
  delivered: number
  failed: number
}

/** The hours since then in which an endpoint has had attempts, for all endpoints of an environment or for one. */
async function findHours(
  db: Reader,
  environmentId: EnvironmentId,
  subscriptionIds: readonly string[],
  since: Date,
): Promise<HourRow[]> {
  return await db.query<HourRow>(
    `select subscription_id, hour, delivered, failed
       from webhook_endpoint_hours
      where environment_id = $1::int and subscription_id = any($2::uuid[]) and hour >= $3::timestamptz
      order by subscription_id, hour`,
    [environmentId, subscriptionIds, since.toISOString()],
  )
}
