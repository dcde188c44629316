import type { Database, EnvironmentId } from '../../database/database.ts'
import { type DeliveryView, findDelivery, type SubscriptionState } from '../../webhooks/deliveries/deliveries.ts'
import { NEWEST, notificationsBefore } from '../objects/timeline-position.ts'
import { findDeliveryStates, listNotificationsOf } from '../objects/timeline-queries.ts'
import { uuidOf } from '../uuid.ts'

/** The newest notifications of one user or group that are looked at. */
const MOST = 50

/** The deliveries of an endpoint about one notification, user or group, the newest first. */
export async function findDeliveriesAbout(
  database: Database,
  environmentId: EnvironmentId,
  endpoint: SubscriptionState,
  id: string,
): Promise<DeliveryView[]> {
  const of = (owner: 'user_id' | 'group_id') =>
    listNotificationsOf(database, environmentId, owner, id, notificationsBefore(NEWEST), MOST)
  const owned = (await Promise.all([of('user_id'), of('group_id')])).flat().map((row) => row.id)
  const own = uuidOf(id.toLowerCase())
  const ids = [...new Set(own ? [own, ...owned] : owned)].sort().reverse().slice(0, MOST)
  const states = ids.length > 0 ? await findDeliveryStates(database, environmentId, ids) : []
  const here = new Set(states.flatMap((row) => (row.subscription_id === endpoint.id ? [row.notification_id] : [])))
  const found = await Promise.all(
    ids.filter((each) => here.has(each)).map((each) => findDelivery(database, environmentId, endpoint, each)),
  )
  return found.filter((view) => view !== undefined)
}
