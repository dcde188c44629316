import { readDate } from '../../contract/datetime.ts'
import type { ApiHandlers } from '../api.ts'
import type { OriginOf } from '../audit/api-origin.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { runClaimed } from '../idempotency/claims.ts'
import { isUuid } from '../ids.ts'
import { renderList } from '../lists/response.ts'
import type { Services } from '../services.ts'
import { rotation } from '../subscriptions/changes.ts'
import { findSubscription, type SubscriptionRow } from '../subscriptions/queries.ts'
import { newRotation, type Rotation } from '../subscriptions/requested.ts'
import { answerWithoutWrite, answerWrite, earlierAnswerOf, replyOf } from '../writes/answer-write.ts'
import { findDelivery } from './deliveries/deliveries.ts'
import { DELIVERY, parseDeliveriesQuery, readDeliveries } from './list-deliveries.ts'
import { lastStepOf, pageWriter, sendTest } from './operator-jobs.ts'
import { operatorWorks } from './operator-works.ts'
import { renderDelivery } from './render.ts'
import { type ReplayResult, replayDeliveries } from './replay.ts'
import { firstOutcome } from './test-notification.ts'

const SUBSCRIPTION = 'Webhook subscription'
const DAY_SECONDS = 86_400
/** The time-out of a delivery is 15 s; its outcome is written a moment later. Within the deadline of a response. */
const TEST_WAIT_MS = 16_000
/** A replay of a larger range is continued by another request. */
const REPLAY_MS = 10_000

export function deliveryHandlers(services: Services, originOf: OriginOf) {
  const { database, commits, secrets, webhooks } = services
  const works = operatorWorks(webhooks.wake)
  const stores = { commits, database, secrets }

  async function subscriptionOf(environmentId: EnvironmentId, id: string): Promise<SubscriptionRow> {
    const row = isUuid(id) ? await findSubscription(database, environmentId, id) : undefined
    if (!row) throw errors.notFound(SUBSCRIPTION, id)
    return row
  }

  return {
    listWebhookDeliveries: async ({ grant, params, query, address }) => {
      const request = parseDeliveriesQuery(query)
      const subscription = await subscriptionOf(grant.environmentId, params.webhook_subscription_id)
      const page = await readDeliveries(database, grant.environmentId, subscription, request)
      const items = page.views.map((view) => renderDelivery(subscription.id, view))
      return renderList(address(), query, page.end, items)
    },

    getWebhookDelivery: async ({ grant, params: { webhook_subscription_id, delivery_id } }) => {
      const subscription = await subscriptionOf(grant.environmentId, webhook_subscription_id)
      const view = isUuid(delivery_id)
        ? await findDelivery(database, grant.environmentId, subscription, delivery_id.toLowerCase())
        : undefined
      if (!view) throw errors.notFound(DELIVERY, delivery_id)
      return renderDelivery(subscription.id, view)
    },

    retryWebhookDelivery: async (call) => {
      const { webhook_subscription_id, delivery_id } = call.params
      const earlier = await earlierAnswerOf(stores, call)
      if (earlier) return earlier
      const subscription = await subscriptionOf(call.grant.environmentId, webhook_subscription_id)
      if (!isUuid(delivery_id)) throw errors.notFound(DELIVERY, delivery_id)
      const job = { subscription, notificationId: delivery_id.toLowerCase() }
      return await answerWrite(stores, works.retry, call, job, (view) => renderDelivery(subscription.id, view))
    },

    testWebhookSubscription: async (call) => {
      const { environmentId } = call.grant
      const subscription = await subscriptionOf(environmentId, call.params.webhook_subscription_id)
      if (subscription.disabled && !(await earlierAnswerOf(stores, call)))
        throw errors.invalidParams([{ param: undefined, message: 'The subscription is disabled. Enable it first.' }])
      const { id, isReplay } = await sendTest(commits, works, call, subscription.id)
      const view = await firstOutcome(database, environmentId, subscription, id, TEST_WAIT_MS)
      if (!view) throw errors.notFound(SUBSCRIPTION, subscription.id)
      return replyOf({ body: renderDelivery(subscription.id, view), isReplay })
    },

    replayWebhookNotifications: async (call) => {
      const { grant, params, body, requestKey } = call
      const last = lastStepOf(call)
      const earlier = await earlierAnswerOf(stores, last)
      if (earlier) return earlier
      const subscription = await subscriptionOf(grant.environmentId, params.webhook_subscription_id)
      const [since, until] = [readDate(body.since), readDate(body.until)]
      if (!since) throw errors.invalidParams(['since: is required'])
      if (until && until <= since) throw errors.invalidParams(['until: must be later than since'])
      const dryRun = body.dry_run ?? false
      const request = { subscriptionId: subscription.id, since, until, dryRun, mostMs: REPLAY_MS }
      return await runClaimed(database, grant.environmentId, requestKey, async () => {
        const result = await replayDeliveries(database, grant.environmentId, request, pageWriter(commits, works, call))
        if (!result) throw errors.notFound(SUBSCRIPTION, subscription.id)
        return await answerWithoutWrite(stores, last, renderReplay(dryRun, result))
      })
    },

    rotateWebhookSecret: async (call) => {
      const { webhook_subscription_id: id } = call.params
      if (!isUuid(id)) throw errors.notFound(SUBSCRIPTION, id)
      const requested = newRotation(id, call.body.old_secret_expires_in ?? DAY_SECONDS, services.now())
      const job = rotation(requested, await originOf(call), secrets)
      const work = services.changesOf<SubscriptionRow>()
      return await answerWrite(stores, work, call, job, (row) => renderRotated(row, requested))
    },
  } satisfies Partial<ApiHandlers>
}

function renderReplay(dryRun: boolean, { matching, written, nextSince }: ReplayResult): string {
  return JSON.stringify({
    object: 'webhook_replay',
    complete: nextSince === undefined,
    dry_run: dryRun,
    matching,
    next_since: nextSince?.toISOString() ?? null,
    written,
  })
}

function renderRotated(row: SubscriptionRow, { secret, oldExpiresAt }: Rotation): string {
  const { id, api_version, created_at, disabled, topics, url } = row
  const old_secret_expires_at = oldExpiresAt?.toISOString() ?? null
  const object = 'webhook_subscription'
  return JSON.stringify({ id, object, api_version, created_at, disabled, old_secret_expires_at, secret, topics, url })
}
