import type { Database, EnvironmentId } from '../../database/database.ts'
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

/**
 * Everything about a batch in one statement. A settlement whose lease somebody else has by now changes nothing, and is
 * not logged either. Returns how many were still ours to settle.
 */
export async function settleDeliveries(
  db: Database,
  environmentId: EnvironmentId,
  settlements: readonly Settlement[],
): Promise<number> {
  const rows = await db.queryUnprepared<{ settled: number }>(
    `with given as (
       select * from unnest(
         $2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::timestamptz[], $7::smallint[], $8::uuid[], $9::timestamptz[],
         $10::int[], $11::text[], $12::real[], $13::real[], $14::real[], $15::real[], $16::real[], $17::text[])
         as given (notification_id, subscription_id, lease_id, attempts, next_at, band, id, at,
                   status, failure, name_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response)
     ), finished as (
       delete from webhook_deliveries as delivery
        using given
        where delivery.environment_id = $1::int
          and delivery.notification_id = given.notification_id and delivery.subscription_id = given.subscription_id
          and delivery.lease_id = given.lease_id and given.next_at is null
       returning given.*
     ), waiting as (
       update webhook_deliveries as delivery
          set band = given.band, due_at = given.next_at, attempt = given.attempts, lease_id = null,
              attempted_at = coalesce(given.at, delivery.attempted_at)
         from given
        where delivery.environment_id = $1::int
          and delivery.notification_id = given.notification_id and delivery.subscription_id = given.subscription_id
          and delivery.lease_id = given.lease_id and given.next_at is not null
       returning given.*
     ), settled as (
       select * from finished union all select * from waiting
     ), logged as (
       insert into webhook_attempts
         (environment_id, id, subscription_id, notification_id, attempt, at, status, failure,
          name_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response, next_attempt_at)
       select $1::int, id, subscription_id, notification_id, attempts, at, status, failure,
              name_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response, next_at
         from settled
        where id is not null
     )
     select count(*) as settled from settled`,
    [environmentId, ...columns(settlements)],
  )
  return rows[0]?.settled ?? 0
}

function columns(settlements: readonly Settlement[]): unknown[] {
  const column = (value: (settlement: Settlement) => unknown) =>
    settlements.map((settlement) => value(settlement) ?? null)
  const outcome = (value: (outcome: Attempt) => unknown) => column(({ attempt }) => attempt && value(attempt.outcome))
  return [
    column(({ notificationId }) => notificationId),
    column(({ subscriptionId }) => subscriptionId),
    column(({ leaseId }) => leaseId),
    column(({ attempts }) => attempts),
    column(({ next }) => next?.at),
    column(({ next }) => next?.band),
    column(({ attempt }) => attempt?.id),
    column(({ attempt }) => attempt?.at),
    outcome(({ status }) => status),
    outcome(({ failure }) => failure),
    outcome(({ timing }) => timing.nameMs),
    outcome(({ timing }) => timing.connectMs),
    outcome(({ timing }) => timing.tlsMs),
    outcome(({ timing }) => timing.firstByteMs),
    outcome(({ timing }) => timing.totalMs),
    outcome(({ responseText }) => responseText),
  ]
}
