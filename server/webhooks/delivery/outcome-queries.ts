import type { Database, EnvironmentId, Transaction } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Attempt } from '../egress/send.ts'
import type { AttemptResult } from './endpoint-health.ts'
import { findHealth } from './endpoint-queries.ts'
import { type HealthChange, type ResultsByEndpoint, recordResults } from './endpoint-records.ts'
import { type LeaseEnd, TRANSITIONS } from './states.ts'

/** The outcome of a leased delivery, and the attempt for the log, if there was one. */
export interface DeliveryOutcome {
  notificationId: string
  subscriptionId: string
  leaseId: string
  /** Attempts made, this one included. */
  attempts: number
  end: LeaseEnd
  attempt: LoggedAttempt | undefined
}

export interface LoggedAttempt {
  id: string
  at: string
  result: Attempt
}

type DeliveryKey = Pick<DeliveryOutcome, 'notificationId' | 'subscriptionId'>

export interface WrittenBatch {
  /** The others were fenced off: another process had the lease. */
  written: number
  healthChanges: HealthChange[]
}

/**
 * Writes a batch of outcomes. An outcome whose lease has passed to another process changes nothing and is not logged.
 * It can be repeated when its COMMIT was not answered: the lease is gone after the first time.
 *
 * These are separate statements. One statement with `with … as (delete …)` over both tables would copy its intermediate
 * rows to every worker of a sharded PostgreSQL, and fail while one of them is unreachable.
 */
export async function writeOutcomes(
  db: Database,
  environmentId: EnvironmentId,
  outcomes: readonly DeliveryOutcome[],
): Promise<WrittenBatch> {
  const finished = outcomes.filter(({ end }) => stateAfter(end) === undefined)
  const waiting = outcomes.filter(({ end }) => stateAfter(end) !== undefined)
  const endpointIds = [...new Set(outcomes.map(({ subscriptionId }) => subscriptionId))]
  return await inTransaction(db, async (transaction) => {
    const [deleted, rescheduled, health] = await Promise.all([
      finished.length > 0 ? deleteFinished(transaction, environmentId, finished) : [],
      waiting.length > 0 ? rescheduleWaiting(transaction, environmentId, waiting) : [],
      findHealth(transaction, environmentId, endpointIds),
    ])
    const written = new Set([...deleted, ...rescheduled].map((row) => `${row.notification_id} ${row.subscription_id}`))
    const isWritten = ({ notificationId, subscriptionId }: DeliveryKey) =>
      written.has(`${notificationId} ${subscriptionId}`)
    const logged = outcomes.filter((outcome) => outcome.attempt !== undefined && isWritten(outcome))
    if (logged.length === 0) return { written: written.size, healthChanges: [] }
    transaction.defer(insertAttempts(transaction, environmentId, logged))
    const healthChanges = await recordResults(transaction, environmentId, resultsOf(logged), health)
    return { written: written.size, healthChanges }
  })
}

function resultsOf(outcomes: readonly DeliveryOutcome[]): ResultsByEndpoint {
  const results = new Map<string, AttemptResult[]>()
  for (const { subscriptionId, attempt } of outcomes) {
    if (!attempt) continue
    const own = results.get(subscriptionId) ?? []
    own.push({ ok: attempt.result.ok, at: attempt.at })
    results.set(subscriptionId, own)
  }
  return results
}

interface WrittenRow {
  notification_id: string
  subscription_id: string
}

async function deleteFinished(
  db: Transaction,
  environmentId: EnvironmentId,
  outcomes: readonly DeliveryOutcome[],
): Promise<WrittenRow[]> {
  return await db.query<WrittenRow>(
    `delete from webhook_deliveries as delivery
      using unnest($2::uuid[], $3::uuid[], $4::uuid[]) as given (notification_id, subscription_id, lease_id)
      where delivery.environment_id = $1::int
        and delivery.notification_id = given.notification_id and delivery.subscription_id = given.subscription_id
        and delivery.lease_id = given.lease_id
     returning delivery.notification_id, delivery.subscription_id`,
    [environmentId, ...keyColumns(outcomes)],
  )
}

async function rescheduleWaiting(
  db: Transaction,
  environmentId: EnvironmentId,
  outcomes: readonly DeliveryOutcome[],
): Promise<WrittenRow[]> {
  return await db.query<WrittenRow>(
    `update webhook_deliveries as delivery
        set state = given.state, due_at = given.next_at, attempt = given.attempts, lease_id = null,
            attempted_at = coalesce(given.at, delivery.attempted_at)
       from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::timestamptz[], $7::smallint[], $8::timestamptz[])
         as given (notification_id, subscription_id, lease_id, attempts, next_at, state, at)
      where delivery.environment_id = $1::int
        and delivery.notification_id = given.notification_id and delivery.subscription_id = given.subscription_id
        and delivery.lease_id = given.lease_id
     returning delivery.notification_id, delivery.subscription_id`,
    [
      environmentId,
      ...keyColumns(outcomes),
      outcomes.map(({ attempts }) => attempts),
      outcomes.map(({ end }) => dueAfter(end)),
      outcomes.map(({ end }) => stateAfter(end)),
      outcomes.map(({ attempt }) => attempt?.at ?? null),
    ],
  )
}

async function insertAttempts(
  db: Transaction,
  environmentId: EnvironmentId,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  const result = (value: (result: Attempt) => unknown) =>
    outcomes.map(({ attempt }) => (attempt && value(attempt.result)) ?? null)
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
      outcomes.map(({ notificationId }) => notificationId),
      outcomes.map(({ subscriptionId }) => subscriptionId),
      outcomes.map(({ attempt }) => attempt?.id),
      outcomes.map(({ attempts }) => attempts),
      outcomes.map(({ attempt }) => attempt?.at),
      outcomes.map(({ end }) => dueAfter(end) ?? null),
      result(({ status }) => status),
      result(({ failure }) => failure),
      result(({ timing }) => timing.nameMs),
      result(({ timing }) => timing.connectMs),
      result(({ timing }) => timing.tlsMs),
      result(({ timing }) => timing.firstByteMs),
      result(({ timing }) => timing.totalMs),
      result(({ responseText }) => responseText),
    ],
  )
}

function stateAfter({ transition }: LeaseEnd): number | undefined {
  return TRANSITIONS[transition].to
}

function dueAfter(end: LeaseEnd): string | undefined {
  return 'dueAt' in end ? end.dueAt : undefined
}

function keyColumns(outcomes: readonly DeliveryOutcome[]): unknown[] {
  return [
    outcomes.map(({ notificationId }) => notificationId),
    outcomes.map(({ subscriptionId }) => subscriptionId),
    outcomes.map(({ leaseId }) => leaseId),
  ]
}
