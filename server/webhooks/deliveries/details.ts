import { SIGNATURE_HEADER } from '../../../contract/signature.ts'
import type { EnvironmentId, Reader } from '../../database/database.ts'
import { findSubscription } from '../../subscriptions/queries.ts'
import { messageBody } from '../delivery/message.ts'
import { type DeliveryView, findDelivery } from './deliveries.ts'
import { type AttemptRow, findAttemptsOf, findNotification } from './queries.ts'

/** More than the schedule of 3 days has. Manual retries and replays add to it. */
const MOST_ATTEMPTS = 100

export interface DeliveryDetails extends DeliveryView {
  subscriptionId: string
  url: string
  disabled: boolean
  /** The request, rendered again from the stored notification. Undefined when the notification was deleted. */
  request: { url: string; headers: Record<string, string>; body: string } | undefined
  /** The newest first. */
  attemptLog: AttemptRow[]
}

/** Everything about one delivery; undefined when the subscription or the delivery does not exist. */
export async function findDeliveryDetails(
  db: Reader,
  environmentId: EnvironmentId,
  subscriptionId: string,
  notificationId: string,
): Promise<DeliveryDetails | undefined> {
  const subscription = await findSubscription(db, environmentId, subscriptionId)
  if (!subscription) return undefined
  const [view, notification] = await Promise.all([
    findDelivery(db, environmentId, subscription, notificationId),
    findNotification(db, environmentId, notificationId),
  ])
  if (!view) return undefined
  // After the state: the log of a finished delivery has the attempt that finished it.
  const attemptLog = await findAttemptsOf(db, environmentId, subscriptionId, notificationId, MOST_ATTEMPTS)
  const { url, disabled } = subscription
  return {
    ...view,
    subscriptionId,
    url,
    disabled,
    request: notification && { url, headers, body: messageBody(notification, subscription.api_version).toString() },
    attemptLog,
  }
}

/** Each attempt has its own signature, which is not stored, so its value cannot be shown. */
const headers = {
  'content-type': 'application/json; charset=utf-8',
  [SIGNATURE_HEADER.toLowerCase()]: 't=<seconds>,v1=<HMAC-SHA256>',
}
