import { orderable } from '../../contract/queries.ts'
import type { ApiHandlers } from '../api.ts'
import { errors } from '../errors.ts'
import { findPosition, listPage } from '../lists/list.ts'
import { parsePage } from '../lists/page.ts'
import { renderList } from '../lists/response.ts'
import { renderDeleted } from '../render.ts'
import type { Services } from '../services.ts'
import { findSubscription, type SubscriptionRow, subscriptionSource } from './subscription-queries.ts'
import {
  createSubscriptions,
  newSubscription,
  removeSubscriptions,
  subscriptionChange,
  updateSubscriptions,
} from './subscriptions.ts'

const KIND = 'Webhook subscription'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function webhookHandlers({ database, commits, webhooks }: Services) {
  const onChange = webhooks.changed
  const update = updateSubscriptions(onChange)
  const remove = removeSubscriptions(onChange)

  async function checkUrl(url: string): Promise<void> {
    const problem = await webhooks.urlProblem(url)
    if (problem !== undefined) throw errors.invalidParams([`url: ${problem}`])
  }

  return {
    createWebhookSubscription: async ({ grant, body }) => {
      await checkUrl(body.url)
      const job = newSubscription(body)
      await commits.submit(createSubscriptions, grant.environmentId, job)
      const { apiVersion, at, ...shown } = job
      return render({ ...shown, api_version: apiVersion, created_at: at }, job.secret)
    },

    getWebhookSubscription: async ({ grant, params: { webhook_subscription_id: id } }) => {
      const row = UUID.test(id) ? await findSubscription(database, grant.environmentId, id) : undefined
      if (!row) throw errors.notFound(KIND, id)
      return render(row)
    },

    updateWebhookSubscription: async ({ grant, params: { webhook_subscription_id: id }, body }) => {
      if (!UUID.test(id)) throw errors.notFound(KIND, id)
      if (body.url) await checkUrl(body.url)
      return render(await commits.submit(update, grant.environmentId, subscriptionChange(id, body)))
    },

    deleteWebhookSubscription: async ({ grant, params: { webhook_subscription_id: id } }) => {
      if (UUID.test(id)) await commits.submit(remove, grant.environmentId, id)
      return renderDeleted('webhook_subscription', id)
    },

    listWebhookSubscriptions: async ({ grant, query, address }) => {
      const request = parsePage(query, orderable.subscriptions)
      const after = await findPosition(database, grant.environmentId, subscriptionSource, request, KIND)
      const page = await listPage<SubscriptionRow>(database, grant.environmentId, subscriptionSource, request, after)
      const items = page.rows.map((row) => render(row))
      return renderList(address(), query, page, items)
    },
  } satisfies Partial<ApiHandlers>
}

function render({ id, api_version, created_at, disabled, topics, url }: SubscriptionRow, secret?: string): string {
  const object = 'webhook_subscription'
  return JSON.stringify({ id, object, api_version, created_at, disabled, secret, topics, url })
}
