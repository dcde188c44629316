import type { Database, EnvironmentId, Transaction } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Attempt } from '../egress/send.ts'
import type { Band } from './bands.ts'

/** What became of a claimed delivery: finished, or waiting again; and the attempt for the log, if there was one. */
export interface Settlement {
  notificationId: string
  subscriptionId: string
  leaseId: string
  /** Attempts made, this one included. */
  attempts: number
  next: { at: string; band: Band } | undefined
  attempt: LoggedAttempt | undefined
}

export interface LoggedAttempt {
  id: string
  at: string
  outcome: Attempt
}

type Key = Pick<Settlement, 'notificationId' | 'subscriptionId'>

/**
 * Writes down a batch of outcomes. A settlement whose lease has passed to somebody else changes nothing and is not
 * logged. Returns how many were settled. It can be repeated when its COMMIT was not answered: the lease is gone after the
 * first time.
 *
 * These are separate statements. One statement with `with … as (delete …)` over both tables would copy its intermediate
 * rows to every worker of a sharded PostgreSQL, and fail for everybody while one of them is down.
 */
export async function settleDeliveries(
  db: Database,
  environmentId: EnvironmentId,
  settlements: readonly Settlement[],
): Promise<number> {
  const finished = settlements.filter(({ next }) => next === undefined)
  const waiting = settlements.filter(({ next }) => next !== undefined)
  return await inTransaction(db, async (transaction) => {
    const settled = await Promise.all([
      finished.length > 0 ? deleteFinished(transaction, environmentId, finished) : [],
      waiting.length > 0 ? rescheduleWaiting(transaction, environmentId, waiting) : [],
    ])
    const keys = new Set(settled.flat().map((row) => `${row.notification_id} ${row.subscription_id}`))
    const isSettled = ({ notificationId, subscriptionId }: Key) => keys.has(`${notificationId} ${subscriptionId}`)
    const logged = settlements.filter((settlement) => settlement.attempt !== undefined && isSettled(settlement))
    if (logged.length > 0) transaction.defer(insertAttempts(transaction, environmentId, logged))
    return keys.size
  })
}

interface SettledRow {
  notification_id: string
  subscription_id: string
}

async function deleteFinished(
  db: Transaction,
  environmentId: EnvironmentId,
  settlements: readonly Settlement[],
): Promise<SettledRow[]> {
  return await db.query<SettledRow>(
    `delete from webhook_deliveries as delivery
      using unnest($2::uuid[], $3::uuid[], $4::uuid[]) as given (notification_id, subscription_id, lease_id)
      where delivery.environment_id = $1::int
        and delivery.notification_id = given.notification_id and delivery.subscription_id = given.subscription_id
        and delivery.lease_id = given.lease_id
     returning delivery.notification_id, delivery.subscription_id`,
    [environmentId, ...keyColumns(settlements)],
  )
}

async function rescheduleWaiting(
  db: Transaction,
  environmentId: EnvironmentId,
  settlements: readonly Settlement[],
): Promise<SettledRow[]> {
  return await db.query<SettledRow>(
    `update webhook_deliveries as delivery
        set band = given.band, due_at = given.next_at, attempt = given.attempts, lease_id = null,
            attempted_at = coalesce(given.at, delivery.attempted_at)
       from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::timestamptz[], $7::smallint[], $8::timestamptz[])
         as given (notification_id, subscription_id, lease_id, attempts, next_at, band, at)
      where delivery.environment_id = $1::int
        and delivery.notification_id = given.notification_id and delivery.subscription_id = given.subscription_id
        and delivery.lease_id = given.lease_id
     returning delivery.notification_id, delivery.subscription_id`,
    [
      environmentId,
      ...keyColumns(settlements),
      settlements.map(({ attempts }) => attempts),
      settlements.map(({ next }) => next?.at),
      settlements.map(({ next }) => next?.band),
      settlements.map(({ attempt }) => attempt?.at ?? null),
    ],
  )
}

async function insertAttempts(
  db: Transaction,
  environmentId: EnvironmentId,
  settlements: readonly Settlement[],
): Promise<void> {
  const outcome = (value: (outcome: Attempt) => unknown) =>
    settlements.map(({ attempt }) => (attempt && value(attempt.outcome)) ?? null)
  await db.query(
    `insert into webhook_attempts
       (environment_id, notification_id, subscription_id, id, attempt, at, next_attempt_at,
        status, failure, name_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response)
     select $1::int, given.*
       from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::timestamptz[], $7::timestamptz[],
                   $8::int[], $9::text[], $10::real[], $11::real[], $12::real[], $13::real[], $14::real[], $15::text[])
         as given`,
    [
      environmentId,
      settlements.map(({ notificationId }) => notificationId),
      settlements.map(({ subscriptionId }) => subscriptionId),
      settlements.map(({ attempt }) => attempt?.id),
      settlements.map(({ attempts }) => attempts),
      settlements.map(({ attempt }) => attempt?.at),
      settlements.map(({ next }) => next?.at ?? null),
      outcome(({ status }) => status),
      outcome(({ failure }) => failure),
      outcome(({ timing }) => timing.nameMs),
      outcome(({ timing }) => timing.connectMs),
      outcome(({ timing }) => timing.tlsMs),
      outcome(({ timing }) => timing.firstByteMs),
      outcome(({ timing }) => timing.totalMs),
      outcome(({ responseText }) => responseText),
    ],
  )
}

function keyColumns(settlements: readonly Settlement[]): unknown[] {
  return [
    settlements.map(({ notificationId }) => notificationId),
    settlements.map(({ subscriptionId }) => subscriptionId),
    settlements.map(({ leaseId }) => leaseId),
  ]
}
