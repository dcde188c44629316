import type { EnvironmentId, Reader } from '../../database/database.ts'
import { idAfter, idBefore } from './ids.ts'
import { type DeliveryRange, type DeliveryRow, findDeliveries } from './queries.ts'

/**
 * While a user or group with very many notifications is being deleted, a page may have to pass over all of them. Each takes
 * 16 blocks of PostgreSQL's cache. The page ends early after this many.
 */
const MOST_PASSED = 5_000
const ROWS_PER_STATEMENT = 1_000

export interface ShownDeliveries {
  rows: DeliveryRow[]
  /** Set when the page ended early: the notification that the next one follows. */
  passedUntil: string | undefined
}

/** The first deliveries of a range without those of deleted users and groups. Mostly one statement. */
export async function findShownDeliveries(
  db: Reader,
  environmentId: EnvironmentId,
  subscriptionId: string,
  range: DeliveryRange,
): Promise<ShownDeliveries> {
  const rows: DeliveryRow[] = []
  let next = range
  for (let passed = 0; ; ) {
    const found = await findDeliveries(db, environmentId, subscriptionId, next)
    const last = found.at(-1)?.notification_id
    rows.push(...found.filter(({ is_shown }) => is_shown).slice(0, range.limit - rows.length))
    passed += found.length
    if (rows.length === range.limit || found.length < next.limit || last === undefined)
      return { rows, passedUntil: undefined }
    if (passed >= MOST_PASSED) return { rows, passedUntil: last }
    next = { ...rangeAfter(range, last), limit: ROWS_PER_STATEMENT }
  }
}

/** The rest of a range after this notification. */
export function rangeAfter<Range extends Pick<DeliveryRange, 'fromId' | 'toId' | 'descending'>>(
  range: Range,
  notificationId: string,
): Range {
  const { fromId, toId, descending } = range
  if (descending) return { ...range, toId: earlier(toId, idBefore(notificationId)) }
  return { ...range, fromId: later(fromId, idAfter(notificationId)) }
}

function later(one: string, other: string): string {
  return one > other ? one : other
}

function earlier(one: string, other: string): string {
  return one < other ? one : other
}
