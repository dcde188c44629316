import type { DeliveryStateName, WaitReason } from '../../../contract/deliveries.ts'
import { isoTime } from '../../clock.ts'
import { isAtOnce } from '../delivery/due-times.ts'
import { PROBED_AFTER } from '../delivery/endpoint.ts'
import { type DeliveryState, HELD, RETRYING, SENDING, WAITING } from '../delivery/states.ts'

/** The shown state of a delivery, and the reason why it is not being sent now. Nothing else decides this. */

const names = { [WAITING]: 'waiting', [RETRYING]: 'retrying', [HELD]: 'held', [SENDING]: 'sending' } as const

export interface UnfinishedDelivery {
  state: DeliveryState
  dueAt: string
  /** Of its subscription. */
  disabled: boolean
  /** Failed attempts of its endpoint since the last success. */
  endpointFailures: number
  /** Of all deliveries (server/webhooks/pause.ts). */
  isPaused: boolean
}

export function unfinishedState({
  state,
  disabled,
}: Pick<UnfinishedDelivery, 'state' | 'disabled'>): DeliveryStateName {
  return disabled && state !== SENDING ? 'on_hold' : names[state]
}

export function finishedState(isDelivered: boolean): DeliveryStateName {
  return isDelivered ? 'delivered' : 'given_up'
}

export function waitReason(delivery: UnfinishedDelivery, nowMs: number): WaitReason {
  const isDue = Date.parse(delivery.dueAt) <= nowMs
  if (delivery.state === SENDING) return isDue ? 'lease_expired' : 'being_sent'
  if (delivery.disabled) return 'subscription_disabled'
  if (!isDue) return delivery.state === HELD ? 'retry_after' : 'backoff'
  if (delivery.isPaused) return 'deliveries_paused'
  if (isAtOnce(delivery.dueAt)) return 'queued'
  return delivery.endpointFailures >= PROBED_AFTER ? 'endpoint_probed' : 'queued'
}

/** What is due and still waits goes as soon as it can: now, and never at a time that has passed. */
export function shownDueAt(dueAt: string, nowMs: number): string {
  return Date.parse(dueAt) < nowMs ? isoTime(nowMs) : dueAt
}

/** The stored states that are shown by one of these names. */
export function storedStates(shown: readonly DeliveryStateName[], disabled: boolean): DeliveryState[] {
  const all = [WAITING, RETRYING, HELD, SENDING] as const
  return all.filter((state) => shown.includes(unfinishedState({ state, disabled })))
}
