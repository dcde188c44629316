import type { DeliveryStateName, WaitReason } from '../../contract/deliveries.ts'
import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { insertDeliveries } from '../outbox/queries.ts'
import { findSubscription } from '../subscriptions/queries.ts'
import {
  findAttempts,
  findWaiting,
  findWaitingOf,
  type Hideable,
  notificationExists,
  pullForward,
  type WaitingRow,
} from './command-queries.ts'
import type { AttemptRow } from './deliveries/queries.ts'
import { shownDueAt, unfinishedState, waitReason } from './deliveries/state.ts'
import { announceDue } from './delivery/node-messages.ts'
import { findPause } from './pause.ts'

/**
 * Manual retries. Nothing is sent here: deliveries are written for the running servers, and the servers are notified. So a
 * retry takes the same path as every delivery.
 */

/** With its shown state, and the reason why it is not being sent now. */
export interface WaitingDelivery extends Omit<WaitingRow, 'state'> {
  state: DeliveryStateName
  reason: WaitReason
}

export interface Deliveries {
  waiting: WaitingDelivery[]
  attempts: AttemptRow[]
  /** False when it ended early, because a user or group with very many notifications is being deleted. */
  is_complete: boolean
}

/**
 * While a user or group with very many notifications is being deleted, its deliveries and attempts are hidden. Each takes
 * 5 µs to pass over. The list ends after this many.
 */
const MOST_READ = 10_000

/** What waits, the earliest first, and what was tried, the latest first; of one subscription, or of all. */
export async function listWaitingAndAttempts(
  database: Database,
  environmentId: EnvironmentId,
  {
    subscriptionId,
    limit = 50,
    mostRead = MOST_READ,
  }: { subscriptionId?: string; limit?: number; mostRead?: number } = {},
): Promise<Deliveries> {
  const [pause, waiting] = await Promise.all([
    findPause(database),
    firstShown(limit, mostRead, (most) => findWaiting(database, environmentId, subscriptionId, most)),
  ])
  // After what waits: a delivery that is finished in between is in one of the two.
  const attempts = await firstShown(limit, mostRead, (most) =>
    findAttempts(database, environmentId, subscriptionId, most),
  )
  return {
    waiting: waiting.rows.map((row) => shownWaiting(row, pause !== undefined)),
    attempts: attempts.rows,
    is_complete: waiting.isComplete && attempts.isComplete,
  }
}

/** Mostly one statement: a second one reads more when some of the first rows are hidden. */
async function firstShown<Row>(
  limit: number,
  mostRead: number,
  read: (most: number) => Promise<(Row & Hideable)[]>,
): Promise<{ rows: Row[]; isComplete: boolean }> {
  let most = limit
  let found = await read(most)
  if (found.length === most && found.some(isHidden)) {
    most = mostRead
    found = await read(most)
  }
  const rows = found.filter((row) => !isHidden(row)).slice(0, limit)
  return { rows: rows.map(withoutMark), isComplete: rows.length === limit || found.length < most }
}

function isHidden({ is_shown }: Hideable): boolean {
  return !is_shown
}

function withoutMark<Row>({ is_shown, ...row }: Row & Hideable): Row {
  return row as Row
}

function shownWaiting(row: WaitingRow, isPaused: boolean): WaitingDelivery {
  const { state, due_at: dueAt, disabled, endpoint_failures: endpointFailures } = row
  const unfinished = { state, dueAt, disabled, endpointFailures, isPaused }
  const nowMs = Date.now()
  const due_at = shownDueAt(dueAt, nowMs)
  return { ...row, due_at, state: unfinishedState(unfinished), reason: waitReason(unfinished, nowMs) }
}

export type RetryResult = 'due now' | 'being sent' | 'sent again' | 'not found'

/** Makes a waiting delivery due now; one that is finished or given up is created again. */
export async function retryDelivery(
  database: Database,
  environmentId: EnvironmentId,
  subscriptionId: string,
  notificationId: string,
): Promise<RetryResult> {
  const result = await makeDue(database, environmentId, subscriptionId, notificationId)
  if (result === 'due now' || result === 'sent again') await announceDue(database, environmentId)
  return result
}

/** The same without a message to the running servers. */
export async function makeDue(
  database: Queryable,
  environmentId: EnvironmentId,
  subscriptionId: string,
  notificationId: string,
): Promise<RetryResult> {
  if (await pullForward(database, environmentId, subscriptionId, notificationId)) return 'due now'
  if (await findWaitingOf(database, environmentId, subscriptionId, notificationId)) return 'being sent'
  const known = await Promise.all([
    notificationExists(database, environmentId, notificationId),
    findSubscription(database, environmentId, subscriptionId),
  ])
  if (!known.every(Boolean)) return 'not found'
  const delivery = { subscriptionIds: [subscriptionId], notificationId }
  await insertDeliveries(database, ofOne(environmentId, [delivery]))
  await pullForward(database, environmentId, subscriptionId, notificationId)
  return 'sent again'
}
