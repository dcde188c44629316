import type { Attempt, Delivery, DeliveryRow } from '../../../contract/dashboard/webhooks.ts'
import { readDate } from '../../../contract/datetime.ts'
import { failureCodeOf } from '../../../contract/delivery-failures.ts'
import { record } from '../../audit/record.ts'
import type { EnvironmentId, OpenTransaction } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { errors } from '../../errors.ts'
import { type DeliveryView, listDeliveries } from '../../webhooks/deliveries/deliveries.ts'
import { type DeliveryDetails, findDeliveryDetails } from '../../webhooks/deliveries/details.ts'
import type { AttemptRow } from '../../webhooks/deliveries/queries.ts'
import { announceDue } from '../../webhooks/delivery/node-messages.ts'
import { findPause } from '../../webhooks/pause.ts'
import { makeDue } from '../../webhooks/retry.ts'
import { writeTest } from '../../webhooks/test-notification.ts'
import { actorOf, type DashboardHandlers, type MemberCaller } from '../call.ts'
import { confirmRole } from '../member-rules.ts'
import type { DashboardParts } from '../parts.ts'
import { uuidOf } from '../uuid.ts'
import { findDeliveriesAbout } from './deliveries-about.ts'
import { findEndpoint } from './handlers.ts'

interface ChangingCall {
  grant: MemberCaller
  environment: { id: EnvironmentId }
}

type Names = 'testEndpoint' | 'listDeliveries' | 'getDelivery' | 'retryDelivery'

const results = { 'due now': 'due_now', 'being sent': 'being_sent', 'sent again': 'sent_again' } as const

/** Deliveries of an endpoint: lists, single ones, and retries. */
export function deliveryHandlers({ services: { database } }: DashboardParts): Pick<DashboardHandlers, Names> {
  /** In one transaction with the audit entry. The servers are told of what is due after it. */
  const change = async <T>(
    { grant, environment }: ChangingCall,
    run: (transaction: OpenTransaction) => Promise<T>,
  ): Promise<T> => {
    await database.anchor(environment.id)
    const result = await inTransaction(database, async (transaction) => {
      await confirmRole(transaction, grant, 'member')
      return await run(transaction)
    })
    await announceDue(database, environment.id)
    return result
  }

  return {
    testEndpoint: async (call) => {
      const { environment, params } = call
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      const notification_id = await change(call, async (transaction) => {
        const id = await writeTest(transaction, environment.id, endpoint.id)
        if (id === undefined) throw errors.gone('Endpoint', params.endpoint_id)
        await record(transaction, actorOf(call), {
          action: 'endpoint.tested',
          target: { id: endpoint.id, name: endpoint.url },
          environment: environment.slug,
        })
        return id
      })
      return { notification_id }
    },

    listDeliveries: async ({ environment, params, query: { state, since: from, id, cursor, limit = 50 } }) => {
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      const states = state && [state]
      const since = from === undefined ? undefined : readDate(from)
      if (id !== undefined) {
        const found = await findDeliveriesAbout(database, environment.id, endpoint, id)
        const wanted = found.filter((view) => (!state || view.state === state) && !isEarlier(view, since))
        return { data: wanted.map(rowOutput), next: null }
      }
      const after = cursor === undefined ? undefined : uuidOf(cursor)
      const page = await listDeliveries(database, environment.id, endpoint, {
        states,
        since,
        after,
        limit: limit + 1,
      })
      const shown = page.views.slice(0, limit)
      const last = page.views.length > limit ? shown.at(-1)?.notificationId : page.passedUntil
      return { data: shown.map(rowOutput), next: last ?? null }
    },

    getDelivery: async ({ environment, params: { endpoint_id, notification_id } }) => {
      const [endpointId, notificationId] = [uuidOf(endpoint_id), uuidOf(notification_id)]
      const details =
        endpointId &&
        notificationId &&
        (await findDeliveryDetails(database, environment.id, endpointId, notificationId))
      if (!details) throw errors.gone('Delivery', notification_id)
      return deliveryOutput(details)
    },

    retryDelivery: async (call) => {
      const { environment, params } = call
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      const notificationId = uuidOf(params.notification_id)
      const gone = () => errors.gone('Delivery', params.notification_id)
      if (notificationId === undefined) throw gone()
      const result = await change(call, async (transaction) => {
        const made = await makeDue(transaction, environment.id, endpoint.id, notificationId)
        if (made === 'not found') throw gone()
        await record(transaction, actorOf(call), {
          action: 'delivery.retried',
          target: { id: params.notification_id, name: endpoint.url },
          environment: environment.slug,
        })
        return made
      })
      return { result: (await findPause(database)) ? 'paused' : results[result] }
    },
  }
}

function isEarlier({ createdAt }: DeliveryView, since: Date | undefined): boolean {
  return since !== undefined && Date.parse(createdAt) < since.getTime()
}

function rowOutput(view: DeliveryView): DeliveryRow {
  const { notificationId, topic, userId, groupId, state, attempts, createdAt, lastAttempt, nextAttemptAt } = view
  return {
    notification_id: notificationId,
    topic,
    user_id: userId,
    group_id: groupId,
    state,
    attempts,
    created_at: createdAt,
    last_attempt_at: lastAttempt?.at ?? null,
    next_attempt_at: nextAttemptAt,
    last_status: lastAttempt?.status ?? null,
    last_failure: lastAttempt?.failure ?? null,
    last_failure_code: failureCodeOf(lastAttempt?.failure ?? null),
    last_total_ms: lastAttempt?.total_ms ?? null,
  }
}

function deliveryOutput(details: DeliveryDetails): Delivery {
  const { subscriptionId, url, disabled, expiresAt, request, attemptLog } = details
  return {
    ...rowOutput(details),
    endpoint_id: subscriptionId,
    url,
    is_disabled: disabled,
    expires_at: expiresAt,
    request_body: request?.body ?? null,
    attempt_log: attemptLog.map(attemptOutput),
  }
}

function attemptOutput({ subscription_id, notification_id, ...attempt }: AttemptRow): Attempt {
  return attempt
}
