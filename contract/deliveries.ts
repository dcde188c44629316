/** The states of a delivery as they are shown. The first four are stored (server/webhooks/delivery/states.ts). */
export const deliveryStates = {
  waiting: 'It waits for its first attempt.',
  retrying: 'An attempt failed, and it waits for the next one.',
  held: 'The receiver asked to wait (Retry-After).',
  sending: 'A server is sending it.',
  on_hold: 'Its subscription is disabled. It continues when the subscription is enabled within 3 days.',
  delivered: 'The receiver acknowledged it with a 2xx status.',
  given_up: 'It was not acknowledged within 3 days.',
} as const

export type DeliveryStateName = keyof typeof deliveryStates
export const deliveryStateNames = Object.keys(deliveryStates) as [DeliveryStateName, ...DeliveryStateName[]]

/** Why a delivery that is not finished is not being sent right now. */
export const waitReasons = {
  being_sent: 'It is being sent right now.',
  lease_expired: 'The server that was sending it has ended. Another one sends it again.',
  subscription_disabled: 'Its subscription is disabled.',
  deliveries_paused:
    'It is due, and all deliveries are paused, as after a restore. `npx usher webhooks resume` ends the pause.',
  backoff: 'An attempt failed. It waits for the time of the next one.',
  retry_after: 'The receiver asked to wait longer (Retry-After).',
  endpoint_probed: 'The endpoint failed three times in a row. It is sent one delivery at a time until it accepts one.',
  queued: 'It is due, and waits for its turn. If nothing is sent at all, no server is running.',
} as const

export type WaitReason = keyof typeof waitReasons
export const waitReasonNames = Object.keys(waitReasons) as [WaitReason, ...WaitReason[]]
