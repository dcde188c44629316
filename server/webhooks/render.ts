import { failureCodeOf } from '../../contract/delivery-failures.ts'
import type { DeliveryView } from './deliveries/deliveries.ts'
import type { AttemptRow } from './deliveries/queries.ts'

export function renderDelivery(subscriptionId: string, view: DeliveryView): string {
  return JSON.stringify(deliveryObject(subscriptionId, view))
}

/** A delivery as the API shows it. */
export function deliveryObject(subscriptionId: string, view: DeliveryView) {
  return {
    id: view.notificationId,
    object: 'webhook_delivery',
    attempts: view.attempts,
    created_at: view.createdAt,
    expires_at: view.expiresAt,
    last_attempt: view.lastAttempt ? attemptObject(view.lastAttempt) : null,
    next_attempt_at: view.nextAttemptAt,
    reason: view.reason,
    state: view.state,
    topic: view.topic,
    webhook_subscription_id: subscriptionId,
  }
}

function attemptObject({ id, attempt, at, status, failure, response, ...times }: AttemptRow) {
  const { name_ms, connect_ms, tls_ms, first_byte_ms, total_ms } = times
  return {
    id,
    number: attempt,
    at,
    status,
    failure,
    failure_code: failureCodeOf(failure),
    name_ms,
    connect_ms,
    tls_ms,
    first_byte_ms,
    total_ms,
    response,
  }
}
