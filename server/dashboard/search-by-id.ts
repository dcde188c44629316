import type { SearchResult } from '../../contract/dashboard/search.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { findDeliveryStates, findEvent } from './objects/timeline-queries.ts'
import { uuidOf } from './uuid.ts'

type ById = Pick<SearchResult, 'event' | 'deliveries'>

/** What has this id, of an event or of a notification: support finds it in a log or in a payload. */
export async function findById(database: Database, environmentId: EnvironmentId, q: string): Promise<ById> {
  const id = uuidOf(q.toLowerCase())
  if (id === undefined) return { event: null, deliveries: [] }
  const [event, deliveries] = await Promise.all([
    findEvent(database, environmentId, id),
    findDeliveryStates(database, environmentId, [id]),
  ])
  return {
    event: event ? { id, name: event.name, user_id: event.user_id, group_id: event.group_id } : null,
    deliveries: deliveries.map(({ subscription_id, url }) => ({
      notification_id: id,
      endpoint_id: subscription_id,
      url,
    })),
  }
}
