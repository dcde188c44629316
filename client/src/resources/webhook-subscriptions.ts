import type {
  CreatedWebhookSubscription,
  Deleted,
  Operations,
  RotatedWebhookSubscription,
  WebhookDelivery,
  WebhookReplay,
  WebhookSubscription,
} from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { ListQuery } from '../requests.ts'
import type { Transport } from '../transport.ts'

export type ListWebhookSubscriptions = ListQuery<Operations['listWebhookSubscriptions']['query'], 'subscriptions'>
export type CreateWebhookSubscription = Operations['createWebhookSubscription']['body']
export type UpdateWebhookSubscription = Operations['updateWebhookSubscription']['body']

/** `created_at: { gte, lt }` bounds when it happened. */
export type ListWebhookDeliveries = Omit<
  ListQuery<Operations['listWebhookDeliveries']['query'], 'deliveries'>,
  'state' | 'created_at[gte]' | 'created_at[lt]'
> & {
  state?: WebhookDelivery['state'] | readonly WebhookDelivery['state'][] | undefined
  created_at?: { gte?: string | Date | undefined; lt?: string | Date | undefined } | undefined
}
export type ReplayWebhookNotifications = Operations['replayWebhookNotifications']['body']
export type RotateWebhookSecret = Operations['rotateWebhookSecret']['body']

/** A test waits up to 15 s for the receiver. */
const TEST_TIMEOUT_MS = 30_000

export class WebhookSubscriptions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The answer is the only one that shows the `secret`: keep it. */
  create(subscription: CreateWebhookSubscription, options: RequestOptions = {}): Promise<CreatedWebhookSubscription> {
    return this.#transport.request({ method: 'POST', path: '/webhook_subscriptions', body: subscription }, options)
  }

  retrieve(id: string, options: RequestOptions = {}): Promise<WebhookSubscription> {
    return this.#transport.request({ method: 'GET', path: pathOf(id) }, options)
  }

  /** Changes the fields that are given. `disabled: true` stops notifications immediately. */
  update(id: string, changes: UpdateWebhookSubscription, options: RequestOptions = {}): Promise<WebhookSubscription> {
    return this.#transport.request({ method: 'PATCH', path: pathOf(id), body: changes }, options)
  }

  delete(id: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: pathOf(id) }, options)
  }

  list(query: ListWebhookSubscriptions = {}, options: RequestOptions = {}): List<WebhookSubscription> {
    return new List(this.#transport, '/webhook_subscriptions', query, options)
  }

  /** Finished, running and waiting deliveries, the latest first. */
  deliveries(id: string, query: ListWebhookDeliveries = {}, options: RequestOptions = {}): List<WebhookDelivery> {
    return new List(this.#transport, `${pathOf(id)}/deliveries`, query, options)
  }

  delivery(id: string, deliveryId: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    const path = `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}`
    return this.#transport.request({ method: 'GET', path }, options)
  }

  /** Sends one notification again, now. */
  retryDelivery(id: string, deliveryId: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    const path = `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}/retry`
    return this.#transport.request({ method: 'POST', path, body: {} }, options)
  }

  /** Sends a test notification, and answers with its outcome. */
  test(id: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    const call = { method: 'POST', path: `${pathOf(id)}/test`, body: {} } as const
    return this.#transport.request(call, { timeoutMs: TEST_TIMEOUT_MS, ...options })
  }

  /** Sends what happened in a time range again; with `dry_run` it is only counted. */
  replay(id: string, range: ReplayWebhookNotifications, options: RequestOptions = {}): Promise<WebhookReplay> {
    return this.#transport.request({ method: 'POST', path: `${pathOf(id)}/replay`, body: range }, options)
  }

  /** Makes a new secret, shown in the answer alone. The old one still signs for a while. */
  rotateSecret(
    id: string,
    rotation: RotateWebhookSecret = {},
    options: RequestOptions = {},
  ): Promise<RotatedWebhookSubscription> {
    return this.#transport.request({ method: 'POST', path: `${pathOf(id)}/rotate_secret`, body: rotation }, options)
  }
}

function pathOf(id: string): string {
  return `/webhook_subscriptions/${encodeURIComponent(id)}`
}
