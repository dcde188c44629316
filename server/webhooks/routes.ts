import { orderable } from '../../contract/queries.ts'
import type { ApiHandlers } from '../api.ts'
import type { OriginOf } from '../audit/api-origin.ts'
import { errors } from '../errors.ts'
import { isUuid } from '../ids.ts'
import { takeHorizon, upToHorizon } from '../lists/horizon.ts'
import { listPage } from '../lists/list.ts'
import { parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { renderList } from '../lists/response.ts'
import { renderDeleted } from '../objects/render.ts'
import type { Services } from '../services.ts'
import { type ChangeSubscriptionJob, creation, removal, update } from '../subscriptions/changes.ts'
import { findSubscription, type SubscriptionRow, subscriptionSource } from '../subscriptions/queries.ts'
import { changedFields, requestedSubscription } from '../subscriptions/requested.ts'
import { answerWithoutWrite, answerWrite, earlierAnswerOf, type WriteCall } from '../writes/answer-write.ts'

const KIND = 'Webhook subscription'

export function webhookHandlers(services: Services, originOf: OriginOf) {
  const { database, commits, secrets, webhooks } = services
  const stores = { commits, database, secrets }

  function answerChange<Result>(
    call: WriteCall,
    job: ChangeSubscriptionJob<Result>,
    renderResult: (result: Result) => string,
  ) {
    return answerWrite(stores, services.changesOf<Result>(), call, job, renderResult)
  }

  async function checkUrl(url: string): Promise<void> {
    const problem = await webhooks.urlProblem(url)
    if (problem !== undefined) throw errors.invalidParams([`url: ${problem}`])
  }

  return {
    createWebhookSubscription: async (call) => {
      const earlier = await earlierAnswerOf(stores, call)
      if (earlier) return earlier
      await checkUrl(call.body.url)
      const job = creation(requestedSubscription(call.body), await originOf(call), secrets)
      return await answerChange(call, job, (created) => {
        const { apiVersion, at, ...shown } = created
        return render({ ...shown, api_version: apiVersion, created_at: at }, created.secret)
      })
    },

    getWebhookSubscription: async ({ grant, params: { webhook_subscription_id: id } }) => {
      const row = isUuid(id) ? await findSubscription(database, grant.environmentId, id) : undefined
      if (!row) throw errors.notFound(KIND, id)
      return render(row)
    },

    updateWebhookSubscription: async (call) => {
      const { webhook_subscription_id: id } = call.params
      if (!isUuid(id)) throw errors.notFound(KIND, id)
      const earlier = await earlierAnswerOf(stores, call)
      if (earlier) return earlier
      if (call.body.url) await checkUrl(call.body.url)
      const job = update(id, changedFields(call.body), await originOf(call))
      return await answerChange(call, job, (row) => render(row))
    },

    deleteWebhookSubscription: async (call) => {
      const { webhook_subscription_id: id } = call.params
      const answer = renderDeleted('webhook_subscription', id)
      if (!isUuid(id)) return await answerWithoutWrite(stores, call, answer)
      return await answerChange(call, removal(id, await originOf(call)), () => answer)
    },

    listWebhookSubscriptions: async ({ grant, query, address }) => {
      const request = parsePage(query, orderable.subscriptions)
      const after = await findPosition(database, grant.environmentId, subscriptionSource, request, KIND)
      const horizon = takeHorizon(commits, grant.environmentId)
      const source = upToHorizon(subscriptionSource, 'subscription.created_at', request, horizon)
      const page = await listPage<SubscriptionRow>(database, grant.environmentId, source, request, after)
      const items = page.rows.map((row) => render(row))
      return renderList(address(), query, page, items)
    },
  } satisfies Partial<ApiHandlers>
}

function render({ id, api_version, created_at, disabled, topics, url }: SubscriptionRow, secret?: string): string {
  const object = 'webhook_subscription'
  return JSON.stringify({ id, object, api_version, created_at, disabled, secret, topics, url })
}
