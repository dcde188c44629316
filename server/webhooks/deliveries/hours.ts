import type { EnvironmentId, Reader } from '../../database/database.ts'
import { findHours } from './queries.ts'

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
