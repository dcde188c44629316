import type { BoundedCount } from '../../../contract/dashboard/fields.ts'
import { type DeliveryStateName, deliveryStateNames } from '../../../contract/deliveries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { listDeliveries } from '../../webhooks/deliveries/deliveries.ts'

/** The length of a page. More are shown as "more". */
const MOST_COUNTED = 100

/** How many deliveries an endpoint has in each state, counted up to a bound from the indexes of the lists. */
export async function countDeliveries(
  database: Database,
  environmentId: EnvironmentId,
  endpoint: { id: string; disabled: boolean },
): Promise<Record<DeliveryStateName, BoundedCount>> {
  const counts = await Promise.all(
    deliveryStateNames.map(async (state) => {
      const filter = { states: [state], limit: MOST_COUNTED + 1 }
      const { views, passedUntil } = await listDeliveries(database, environmentId, endpoint, filter)
      const is_more = views.length > MOST_COUNTED || passedUntil !== undefined
      return [state, { count: Math.min(views.length, MOST_COUNTED), is_more }] as const
    }),
  )
  return Object.fromEntries(counts) as Record<DeliveryStateName, BoundedCount>
}
