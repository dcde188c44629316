import type { DeliveryState } from '../../../contract/dashboard/timeline.ts'

/** The state of what waits, by its band (see migrations/0003_webhooks.sql). */
const bands: Record<number, DeliveryState> = { 0: 'waiting', 1: 'retrying', 2: 'held', 3: 'sending' }

/** A row that is gone was delivered when the latest attempt was answered with 2xx, else given up. */
export function deliveryState({
  band,
  disabled,
  status,
}: {
  band: number | null
  disabled: boolean
  status: number | null
}): DeliveryState {
  if (band !== null) return disabled ? 'on_hold' : (bands[band] ?? 'waiting')
  return status !== null && status >= 200 && status < 300 ? 'delivered' : 'given_up'
}
