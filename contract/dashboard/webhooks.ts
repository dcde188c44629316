import type { Static } from 'typebox'
import { deliveryStateNames } from '../deliveries.ts'
import { deliveryFailureCodes } from '../delivery-failures.ts'
import { CreateWebhookSubscription, UpdateWebhookSubscription } from '../requests/webhooks.ts'
import { Type } from '../type.ts'
import {
  BoundedCount,
  body,
  count,
  Done,
  flag,
  givenText,
  givenTime,
  number,
  oneOf,
  orNull,
  page,
  paging,
  resource,
  text,
  time,
} from './fields.ts'
import { paths } from './paths.ts'

/** Webhook endpoints (subscriptions of the public API), their deliveries, and replays. */

/** An hour of an endpoint: attempts that were answered with 2xx, and those that were not. */
const HealthHour = resource({ delivered: count, failed: count })

export const Health = resource({
  state: oneOf(['ok', 'failing', 'idle', 'disabled']),
  /** The last 24 hours, the running one last. */
  hours: Type.Array(HealthHour),
  /** Of the attempts of 24 hours, from 0 to 1; null without any. */
  delivered_share: orNull(number),
  /** 95 % of the latest 200 attempts took at most this long. */
  p95_ms: orNull(number),
  waiting: BoundedCount,
  oldest_waiting_at: orNull(time),
  /** The first failure since the last success. */
  failing_since: orNull(time),
  last_status: orNull(count),
  last_failure: orNull(text),
  last_failure_code: orNull(oneOf(deliveryFailureCodes)),
})
export type Health = Static<typeof Health>

export const EndpointSummary = resource({ id: text, url: text, disabled: flag, health: Health })
export type EndpointSummary = Static<typeof EndpointSummary>

export const Endpoint = resource({
  ...EndpointSummary.properties,
  topics: Type.Array(text),
  api_version: text,
  created_at: time,
})
export type Endpoint = Static<typeof Endpoint>

/** Only these answers show a secret. */
export const EndpointWithSecret = resource({ ...Endpoint.properties, secret: text })

export const DeliveryRow = resource({
  notification_id: text,
  topic: orNull(text),
  /** Whom it is about. */
  user_id: orNull(text),
  group_id: orNull(text),
  state: oneOf(deliveryStateNames),
  attempts: count,
  /** When it happened. */
  created_at: time,
  last_attempt_at: orNull(time),
  next_attempt_at: orNull(time),
  last_status: orNull(count),
  last_failure: orNull(text),
  last_failure_code: orNull(oneOf(deliveryFailureCodes)),
  last_total_ms: orNull(number),
})
export type DeliveryRow = Static<typeof DeliveryRow>

/** Times in milliseconds; null for a step that was not needed or not reached. */
export const Attempt = resource({
  id: text,
  attempt: count,
  at: time,
  status: orNull(count),
  failure: orNull(text),
  name_ms: orNull(number),
  connect_ms: orNull(number),
  tls_ms: orNull(number),
  first_byte_ms: orNull(number),
  total_ms: number,
  /** The first 4 KB. */
  response: text,
  next_attempt_at: orNull(time),
})
export type Attempt = Static<typeof Attempt>

export const Delivery = resource({
  ...DeliveryRow.properties,
  endpoint_id: text,
  url: text,
  is_disabled: flag,
  expires_at: orNull(time),
  /** The request body, rendered again from the stored notification. Null when the notification is over 30 days old. */
  request_body: orNull(text),
  /** Newest first. */
  attempt_log: Type.Array(Attempt),
})
export type Delivery = Static<typeof Delivery>

export const Replay = resource({
  id: text,
  since: time,
  until: time,
  state: oneOf(['running', 'finished', 'cancelled', 'stopped']),
  /** Notifications processed so far; deliveries written; the count before the replay began. */
  done: count,
  written: count,
  total: count,
  started_by: orNull(text),
  started_at: time,
})
export type Replay = Static<typeof Replay>

/** Deliveries by state. Of finished deliveries only the latest are counted. */
export const DeliveryCounts = resource({
  waiting: BoundedCount,
  retrying: BoundedCount,
  held: BoundedCount,
  sending: BoundedCount,
  on_hold: BoundedCount,
  delivered: BoundedCount,
  given_up: BoundedCount,
})

const range = { since: givenTime, until: Type.Optional(givenTime) }

export const webhookOperations = {
  listEndpoints: { ...paths.listEndpoints, response: resource({ data: Type.Array(Endpoint) }) },
  createEndpoint: { ...paths.createEndpoint, body: CreateWebhookSubscription, response: EndpointWithSecret },
  getEndpoint: {
    ...paths.getEndpoint,
    response: resource({ endpoint: Endpoint, states: DeliveryCounts }),
  },
  updateEndpoint: { ...paths.updateEndpoint, body: UpdateWebhookSubscription, response: Endpoint },
  deleteEndpoint: { ...paths.deleteEndpoint, response: Done },
  rotateSecret: { ...paths.rotateSecret, response: EndpointWithSecret },
  /** Writes a test delivery. Its outcome is read by `getDelivery`. */
  testEndpoint: { ...paths.testEndpoint, response: resource({ notification_id: text }) },
  listDeliveries: {
    ...paths.listDeliveries,
    query: Type.Object({
      state: Type.Optional(oneOf(deliveryStateNames)),
      since: Type.Optional(givenTime),
      /** Of a notification, or of the user or group that notifications are about: their newest 50 in one page. */
      id: Type.Optional(givenText(255, 1)),
      ...paging,
    }),
    response: page(DeliveryRow),
  },
  getDelivery: { ...paths.getDelivery, response: Delivery },
  retryDelivery: {
    ...paths.retryDelivery,
    response: resource({ result: oneOf(['due_now', 'being_sent', 'sent_again', 'paused']) }),
  },
  countReplay: { ...paths.countReplay, query: Type.Object(range), response: BoundedCount },
  listReplays: { ...paths.listReplays, response: resource({ data: Type.Array(Replay) }) },
  startReplay: { ...paths.startReplay, body: body(range), response: Replay },
  cancelReplay: { ...paths.cancelReplay, response: Replay },
} as const
