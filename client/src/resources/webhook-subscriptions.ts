import type { CreatedWebhookSubscription, Deleted, Operations, WebhookSubscription } from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { ListQuery } from '../requests.ts'
import type { Transport } from '../transport.ts'

export type ListWebhookSubscriptions = ListQuery<Operations['listWebhookSubscriptions']['query'], 'subscriptions'>
export type CreateWebhookSubscription = Operations['createWebhookSubscription']['body']
export type UpdateWebhookSubscription = Operations['updateWebhookSubscription']['body']

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
}

function pathOf(id: string): string {
  return `/webhook_subscriptions/${encodeURIComponent(id)}`
}
