import { setTimeout as sleep } from 'node:timers/promises'
import { TEST_EVENT, TEST_TOPIC } from '../../contract/topics.ts'
import type { Database, EnvironmentId, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { ofOne } from '../database/parts.ts'
import { newId } from '../ids.ts'
import { renderEvent } from '../objects/render.ts'
import { insertDeliveries, insertNotifications } from '../outbox/queries.ts'
import { findSubscription } from '../subscriptions/queries.ts'
import { pullForward } from './command-queries.ts'
import { type DeliveryView, findDelivery, type SubscriptionState } from './deliveries/deliveries.ts'
import { findAttemptsOf } from './deliveries/queries.ts'
import { announceDue } from './delivery/node-messages.ts'

/** Later attempts are asked for every tenth of the time that has passed: many tests of a slow receiver are many questions. */
const TEST_POLL_MS = 100

/** Sends a test notification, waits for its first attempt, and returns the delivery. */
export async function testSubscription(
  database: Database,
  environmentId: EnvironmentId,
  subscription: SubscriptionState,
  waitMs: number,
): Promise<DeliveryView | undefined> {
  const id = await sendTestNotification(database, environmentId, subscription.id)
  return id === undefined ? undefined : await firstOutcome(database, environmentId, subscription, id, waitMs)
}

/** The delivery after its first attempt, or at the time limit. */
export async function firstOutcome(
  database: Database,
  environmentId: EnvironmentId,
  subscription: SubscriptionState,
  id: string,
  waitMs: number,
): Promise<DeliveryView | undefined> {
  const start = performance.now()
  const passed = () => performance.now() - start
  const attempted = () => findAttemptsOf(database, environmentId, subscription.id, id, 1)
  while ((await attempted()).length === 0 && passed() < waitMs) await sleep(Math.max(TEST_POLL_MS, passed() / 10))
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
  await database.anchor(environmentId)
  const id = await inTransaction(database, (transaction) => writeTest(transaction, environmentId, subscriptionId))
  if (id !== undefined) await announceDue(database, environmentId)
  return id
}

/** Writes the notification and its delivery. It sends no message to the servers. */
export async function writeTest(
  transaction: Transaction,
  environmentId: EnvironmentId,
  subscriptionId: string,
): Promise<string | undefined> {
  if (!(await findSubscription(transaction, environmentId, subscriptionId))) return undefined
  const id = newId()
  const at = new Date().toISOString()
  const object = renderEvent({
    id: newId(),
    attributesJson: '{}',
    created_at: at,
    name: TEST_EVENT,
    time: at,
    user_id: TEST_EVENT,
    group_id: null,
  })
  const notification = { id, topic: TEST_TOPIC, object, userId: null, groupId: null, at }
  await insertNotifications(transaction, ofOne(environmentId, [notification]))
  const delivery = { subscriptionIds: [subscriptionId], notificationId: id }
  await insertDeliveries(transaction, ofOne(environmentId, [delivery]))
  await pullForward(transaction, environmentId, subscriptionId, id)
  return id
}
