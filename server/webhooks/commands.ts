import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryStateName, WaitReason } from '../../contract/deliveries.ts'
import { TopicIndex, TRACKED } from '../../contract/topics.ts'
import type { Database, EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { ofOne } from '../database/parts.ts'
import { newId } from '../ids.ts'
import { insertDeliveries, insertNotifications, type NewDeliveries } from '../outbox/queries.ts'
import { expiresAt } from '../outbox/window.ts'
import { renderEvent } from '../render.ts'
import {
  findAttempts,
  findNotificationPage,
  findWaiting,
  findWaitingOf,
  notificationExists,
  pullForward,
  type WaitingRow,
} from './command-queries.ts'
import { type DeliveryView, findDelivery, type SubscriptionState } from './deliveries/deliveries.ts'
import { timeOfId } from './deliveries/ids.ts'
import type { AttemptRow } from './deliveries/queries.ts'
import { findAttemptsOf } from './deliveries/queries.ts'
import { unfinishedState, waitReason } from './deliveries/state.ts'
import { announceDue } from './delivery/node-messages.ts'
import { findSubscription } from './subscription-queries.ts'

/**
 * What an operator does about deliveries. Nothing is sent here: deliveries are written for the running servers, which
 * are told of them, so that what is tried again takes exactly the way that everything takes.
 */

const PAGE = 1_000
const TEST_EVENT = 'webhook_test'
const TEST_POLL_MS = 100

/** With its state as it is shown, and why it is not being sent right now. */
export interface WaitingDelivery extends Omit<WaitingRow, 'state'> {
  state: DeliveryStateName
  reason: WaitReason
}

export interface Deliveries {
  waiting: WaitingDelivery[]
  attempts: AttemptRow[]
}

/** What waits, the earliest first, and what was tried, the latest first; of one subscription, or of all. */
export async function listDeliveries(
  database: Database,
  environmentId: EnvironmentId,
  { subscriptionId, limit = 50 }: { subscriptionId?: string; limit?: number } = {},
): Promise<Deliveries> {
  const [waiting, attempts] = await Promise.all([
    findWaiting(database, environmentId, subscriptionId, limit),
    findAttempts(database, environmentId, subscriptionId, limit),
  ])
  return { waiting: waiting.map(shownWaiting), attempts }
}

function shownWaiting(row: WaitingRow): WaitingDelivery {
  const { state, due_at: dueAt, disabled, endpoint_failures: endpointFailures } = row
  const unfinished = { state, dueAt, disabled, endpointFailures }
  return { ...row, state: unfinishedState(unfinished), reason: waitReason(unfinished, Date.now()) }
}

export type RetryResult = 'due now' | 'being sent' | 'sent again' | 'not found'

/** Makes a waiting delivery due now; one that is finished or given up is written anew. */
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

/** The same without telling the running servers. */
export async function makeDue(
  database: Queryable,
  environmentId: EnvironmentId,
  subscriptionId: string,
  notificationId: string,
): Promise<RetryResult> {
  const at = new Date().toISOString()
  if (await pullForward(database, environmentId, subscriptionId, notificationId, at)) return 'due now'
  if (await findWaitingOf(database, environmentId, subscriptionId, notificationId)) return 'being sent'
  const known = await Promise.all([
    notificationExists(database, environmentId, notificationId),
    findSubscription(database, environmentId, subscriptionId),
  ])
  if (!known.every(Boolean)) return 'not found'
  const delivery = { subscriptionIds: [subscriptionId], notificationId, dueAt: at, expiresAt: expiresAt(at) }
  await insertDeliveries(database, ofOne(environmentId, [delivery]))
  return 'sent again'
}

export interface ReplayRequest {
  subscriptionId: string
  since: Date
  until?: Date | undefined
  dryRun?: boolean
  /** After so long it stops, and says where to go on. */
  mostMs?: number
}

export interface ReplayResult {
  /** Notifications of the time range whose topics the subscription receives. */
  matching: number
  /** Deliveries written; the rest was waiting already. */
  written: number
  /** Set when it stopped before the end: where to go on. */
  nextSince?: Date
}

/** A page of notifications, as it was read and written. */
export interface ReplayPage {
  matching: number
  written: number
  lastId: string | undefined
  isLast: boolean
}

/** Writes the deliveries of a page. A page that an earlier request has written comes back as that request read it. */
export type WritePage = (deliveries: readonly NewDeliveries[], page: Omit<ReplayPage, 'written'>) => Promise<ReplayPage>

/** Sends what happened in a time range to a subscription again, whether or not it had it before. */
export async function replayDeliveries(
  database: Database,
  environmentId: EnvironmentId,
  { subscriptionId, since, until = new Date(), dryRun = false, mostMs = Number.POSITIVE_INFINITY }: ReplayRequest,
  writePage: WritePage = async (deliveries, page) => ({
    ...page,
    written: await insertDeliveries(database, ofOne(environmentId, deliveries)),
  }),
): Promise<ReplayResult | undefined> {
  const subscription = await findSubscription(database, environmentId, subscriptionId)
  if (!subscription) return undefined
  const index = new TopicIndex([[subscriptionId, subscription.topics]])
  const startedAt = performance.now()
  const result: ReplayResult = { matching: 0, written: 0 }
  const dueAt = new Date().toISOString()
  let after: string | undefined
  for (;;) {
    const found = await findNotificationPage(database, environmentId, { since, until, after, limit: PAGE })
    const matching = found.filter(({ topic }) => index.match(topic).length > 0)
    const read = { matching: matching.length, lastId: found.at(-1)?.id, isLast: found.length < PAGE }
    const delivery = { subscriptionIds: [subscriptionId], dueAt, expiresAt: expiresAt(dueAt) }
    const deliveries = matching.map(({ id }) => ({ ...delivery, notificationId: id }))
    const page = dryRun ? { ...read, written: 0 } : await writePage(deliveries, read)
    result.matching += page.matching
    result.written += page.written
    after = page.lastId
    if (page.isLast) break
    if (performance.now() - startedAt < mostMs) continue
    result.nextSince = new Date(timeOfId(after as string))
    break
  }
  if (result.written > 0) await announceDue(database, environmentId)
  return result
}

/** Sends a test notification, and waits for its first attempt; then the delivery is as it is. */
export async function testSubscription(
  database: Database,
  environmentId: EnvironmentId,
  subscription: SubscriptionState,
  waitMs: number,
): Promise<DeliveryView | undefined> {
  const id = await sendTestNotification(database, environmentId, subscription.id)
  return id === undefined ? undefined : await firstOutcome(database, environmentId, subscription, id, waitMs)
}

/** The delivery after its first attempt, or as it is when the time is over. */
export async function firstOutcome(
  database: Database,
  environmentId: EnvironmentId,
  subscription: SubscriptionState,
  id: string,
  waitMs: number,
): Promise<DeliveryView | undefined> {
  const deadline = performance.now() + waitMs
  const attempted = () => findAttemptsOf(database, environmentId, subscription.id, id, 1)
  while ((await attempted()).length === 0 && performance.now() < deadline) await sleep(TEST_POLL_MS)
  return await findDelivery(database, environmentId, subscription, id)
}

/**
 * A notification for this subscription alone, stored and delivered like every other: an event named `webhook_test`.
 * Returns its id, or undefined when there is no such subscription.
 */
export async function sendTestNotification(
  database: Database,
  environmentId: EnvironmentId,
  subscriptionId: string,
): Promise<string | undefined> {
  const id = await inTransaction(database, (transaction) => writeTest(transaction, environmentId, subscriptionId))
  if (id !== undefined) await announceDue(database, environmentId)
  return id
}

/** The notification and its delivery, in one transaction; nobody is told of them here. */
export async function writeTest(
  transaction: Transaction,
  environmentId: EnvironmentId,
  subscriptionId: string,
): Promise<string | undefined> {
  if (!(await findSubscription(transaction, environmentId, subscriptionId))) return undefined
  const id = newId()
  const at = new Date().toISOString()
  const topic = `${TRACKED}.${TEST_EVENT}`
  const object = renderEvent({
    id: newId(),
    attributesJson: '{}',
    created_at: at,
    name: TEST_EVENT,
    time: at,
    user_id: TEST_EVENT,
    group_id: null,
  })
  const notification = { id, topic, object, userId: null, groupId: null, at }
  await insertNotifications(transaction, ofOne(environmentId, [notification]))
  const delivery = { subscriptionIds: [subscriptionId], notificationId: id, dueAt: at, expiresAt: expiresAt(at) }
  await insertDeliveries(transaction, ofOne(environmentId, [delivery]))
  return id
}
