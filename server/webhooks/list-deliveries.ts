import { readDate } from '../../contract/datetime.ts'
import { type DeliveryStateName, deliveryStateNames } from '../../contract/deliveries.ts'
import { DELIVERIES_ORDER, type ListWebhookDeliveriesQuery, orderable } from '../../contract/queries.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { isUuid } from '../ids.ts'
import type { PageEnd } from '../lists/list.ts'
import { encodePosition, type PageRequest, parsePage } from '../lists/page.ts'
import type { SubscriptionRow } from '../subscriptions/queries.ts'
import { type DeliveryPage, type DeliveryView, findDelivery, listDeliveries } from './deliveries/deliveries.ts'

export const DELIVERY = 'Webhook delivery'

interface DeliveriesRequest {
  page: PageRequest
  states: DeliveryStateName[] | undefined
  since: Date | undefined
  until: Date | undefined
}

export function parseDeliveriesQuery(query: ListWebhookDeliveriesQuery): DeliveriesRequest {
  const page = parsePage({ ...query, order_by: query.order_by ?? [DELIVERIES_ORDER] }, orderable.deliveries)
  const states = statesOf(query)
  if (page.startingAfter !== undefined && !isUuid(page.startingAfter)) throw notThere(page.startingAfter)
  return { page, states, since: sinceOf(query), until: untilOf(query) }
}

/** Times have whole milliseconds: after a time is from the next millisecond on. */
function sinceOf(query: ListWebhookDeliveriesQuery): Date | undefined {
  const [from, after] = [readDate(query['created_at[gte]']), next(readDate(query['created_at[gt]']))]
  return from && after ? new Date(Math.max(+from, +after)) : (from ?? after)
}

function untilOf(query: ListWebhookDeliveriesQuery): Date | undefined {
  const [before, upTo] = [readDate(query['created_at[lt]']), next(readDate(query['created_at[lte]']))]
  return before && upTo ? new Date(Math.min(+before, +upTo)) : (before ?? upTo)
}

function next(date: Date | undefined): Date | undefined {
  return date && new Date(date.getTime() + 1)
}

/** A page of the deliveries of a subscription. */
export async function readDeliveries(
  database: Database,
  environmentId: EnvironmentId,
  subscription: SubscriptionRow,
  { page, states, since, until }: DeliveriesRequest,
): Promise<{ views: DeliveryView[]; end: PageEnd }> {
  const after = await findStart(database, environmentId, subscription, page)
  const descending = page.order[0]?.descending
  const filter = { states, since, until, descending, after, limit: page.limit + 1 }
  const found = await listDeliveries(database, environmentId, subscription, filter)
  return { views: found.views.slice(0, page.limit), end: pageEnd(page, found) }
}

/** The notification that a page follows. An unknown one is refused, unless the URL has a position. */
async function findStart(
  database: Database,
  environmentId: EnvironmentId,
  subscription: SubscriptionRow,
  { startingAfter, position }: PageRequest,
): Promise<string | undefined> {
  if (startingAfter === undefined) return undefined
  if (!position && !(await findDelivery(database, environmentId, subscription, startingAfter)))
    throw notThere(startingAfter)
  return startingAfter.toLowerCase()
}

function notThere(id: string): Error {
  return errors.invalidParams([`starting_after: ${DELIVERY} with id '${id}' not found`])
}

function statesOf({ state }: ListWebhookDeliveriesQuery): DeliveryStateName[] | undefined {
  const names = state?.flatMap((each) => each.split(','))
  const unknown = names?.find((name) => !(deliveryStateNames as string[]).includes(name))
  if (unknown === undefined) return names as DeliveryStateName[] | undefined
  throw errors.invalidParams([`state: '${unknown.slice(0, 100)}' is none of ${deliveryStateNames.join(', ')}`])
}

/** A page that ended early has more, and the next one begins where it ended. */
function pageEnd(request: PageRequest, { views, passedUntil }: DeliveryPage): PageEnd {
  const last = views.slice(0, request.limit).at(-1)
  const id = passedUntil ?? last?.notificationId ?? request.startingAfter
  if (id === undefined) return { hasMore: false, next: undefined }
  const values = [last?.createdAt ?? request.position?.values[0] ?? '']
  return {
    hasMore: passedUntil !== undefined || views.length > request.limit,
    next: { startingAfter: id, position: encodePosition(request.order, { values, id }) },
  }
}
