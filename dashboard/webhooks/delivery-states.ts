import type { DeliveryStateName } from '../../contract/deliveries.ts'

/** In a file without a component: the address of the page is read before the page is loaded. */
export const DELIVERY_STATES = [
  'waiting',
  'sending',
  'retrying',
  'held',
  'on_hold',
  'given_up',
  'delivered',
] as const satisfies readonly DeliveryStateName[]
