import type { StoredEvent, TimelineItem } from '../../../contract/dashboard/timeline.ts'
import type { DeliveryStateName } from '../../../contract/deliveries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import { finishedState, unfinishedState } from '../../webhooks/deliveries/state.ts'
import { uuidOf } from '../uuid.ts'
import { findObject, ownerOf } from './profile.ts'
import {
  type DeliveryStateRow,
  findDeliveryStates,
  listEventsOf,
  listNotificationsOf,
  type TimelineEventRow,
  type TimelineNotificationRow,
} from './timeline-queries.ts'

export interface TimelineQuery {
  show?: 'all' | 'events' | 'webhooks'
  cursor?: string
  limit?: number
}

/** One page of what happened to a user or a group, newest first; the last item of the last page is its creation. */
export async function listTimeline(
  database: Database,
  environmentId: EnvironmentId,
  table: ObjectTable,
  id: string,
  { show = 'all', cursor, limit = 50 }: TimelineQuery,
): Promise<{ data: TimelineItem[]; next: string | null }> {
  const { created_at } = await findObject(database, environmentId, table, id)
  const owner = ownerOf(table)
  const before = cursor === undefined ? undefined : uuidOf(cursor)
  const [events, notifications] = await Promise.all([
    show === 'webhooks' ? [] : listEventsOf(database, environmentId, owner, id, before, limit + 1),
    show === 'events' ? [] : listNotificationsOf(database, environmentId, owner, id, before, limit + 1),
  ])
  // Both ids begin with their time, so one order holds for both.
  const all = [...events, ...notifications].sort((a, b) => (a.id > b.id ? -1 : 1))
  const shown = all.slice(0, limit)
  const states = await statesOf(database, environmentId, shown)
  const items = shown.map((row) => ('topic' in row ? webhookItem(row, states.get(row.id)) : eventItem(row)))
  if (all.length > limit) return { data: items, next: shown.at(-1)?.id ?? null }
  return { data: show === 'all' ? [...items, { kind: 'created', at: created_at }] : items, next: null }
}

async function statesOf(
  database: Database,
  environmentId: EnvironmentId,
  rows: readonly (TimelineEventRow | TimelineNotificationRow)[],
): Promise<Map<string, DeliveryStateRow[]>> {
  const ids = rows.filter((row) => 'topic' in row).map((row) => row.id)
  const states = ids.length > 0 ? await findDeliveryStates(database, environmentId, ids) : []
  return Map.groupBy(states, (state) => state.notification_id)
}

export function eventOutput({ attributesJson, ...event }: TimelineEventRow): StoredEvent {
  return { ...event, attributes: JSON.parse(attributesJson) }
}

function eventItem(row: TimelineEventRow): TimelineItem {
  return { kind: 'event', at: row.created_at, event: eventOutput(row) }
}

function webhookItem(
  { id, topic, created_at }: TimelineNotificationRow,
  states: readonly DeliveryStateRow[] = [],
): TimelineItem {
  return {
    kind: 'webhook',
    at: created_at,
    notification_id: id,
    topic,
    deliveries: states.map((state) => ({
      endpoint_id: state.subscription_id,
      url: state.url,
      state: shownState(state),
      attempts: state.attempts,
      status: state.status,
      failure: state.failure,
    })),
  }
}

/** A finished delivery was delivered when its latest attempt did not fail. An answer that broke off failed, whatever its status. */
function shownState({ state, disabled, failure }: DeliveryStateRow): DeliveryStateName {
  return state === null ? finishedState(failure === null) : unfinishedState({ state, disabled })
}
