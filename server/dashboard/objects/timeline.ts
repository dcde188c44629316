import type { StoredEvent, TimelineItem } from '../../../contract/dashboard/timeline.ts'
import type { DeliveryStateName } from '../../../contract/deliveries.ts'
import { isoTime } from '../../clock.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { leastIdAt, timeOfId } from '../../ids.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import { finishedState, unfinishedState } from '../../webhooks/deliveries/state.ts'
import { findObject, ownerOf } from './profile.ts'
import {
  encodeTimelinePosition,
  isBefore,
  notificationsBefore,
  readTimelinePosition,
  type TimelinePosition,
} from './timeline-position.ts'
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

/** One page of what happened to a user or a group, newest first. Events go by their own time, so some may precede its creation. */
export async function listTimeline(
  database: Database,
  environmentId: EnvironmentId,
  table: ObjectTable,
  id: string,
  { show = 'all', cursor, limit = 50 }: TimelineQuery,
): Promise<{ data: TimelineItem[]; next: string | null }> {
  const { created_at } = await findObject(database, environmentId, table, id)
  const owner = ownerOf(table)
  const before = readTimelinePosition(cursor)
  const [events, notifications] = await Promise.all([
    show === 'webhooks' ? [] : listEventsOf(database, environmentId, owner, id, before, limit + 1),
    show === 'events'
      ? []
      : listNotificationsOf(database, environmentId, owner, id, notificationsBefore(before), limit + 1),
  ])
  const all: Placed[] = [
    ...events.map(({ ms, found: _, ...event }) => ({ ms, id: event.id, event })),
    ...notifications.map((notification) => ({ ms: timeOfId(notification.id), id: notification.id, notification })),
    ...(show === 'all' ? [creation(created_at)].filter((item) => isBefore(item, before)) : []),
  ]
  all.sort((a, b) => (isBefore(b, a) ? -1 : 1))
  // Nothing is shown behind the last event that was read while more may be between.
  const isCut = events.length < (events[0]?.found ?? 0)
  const known = isCut ? all.slice(0, all.findLastIndex(({ event }) => event) + 1) : all
  const shown = known.slice(0, limit)
  const states = await statesOf(database, environmentId, shown)
  const last = isCut || all.length > limit ? shown.at(-1) : undefined
  return { data: shown.map((item) => itemOf(item, states)), next: last ? encodeTimelinePosition(last) : null }
}

/** What a timeline shows, where it shows it. */
interface Placed extends TimelinePosition {
  event?: TimelineEventRow
  notification?: TimelineNotificationRow
}

/** Before everything of the same millisecond. */
function creation(createdAt: string): Placed {
  return { ms: Date.parse(createdAt), id: leastIdAt(0) }
}

function itemOf({ ms, event, notification }: Placed, states: ReadonlyMap<string, DeliveryStateRow[]>): TimelineItem {
  if (event) return { kind: 'event', at: isoTime(ms), event: eventOutput(event) }
  if (notification) return webhookItem(notification, states.get(notification.id))
  return { kind: 'created', at: isoTime(ms) }
}

async function statesOf(
  database: Database,
  environmentId: EnvironmentId,
  shown: readonly Placed[],
): Promise<Map<string, DeliveryStateRow[]>> {
  const ids = shown.flatMap(({ notification }) => (notification ? [notification.id] : []))
  const states = ids.length > 0 ? await findDeliveryStates(database, environmentId, ids) : []
  return Map.groupBy(states, (state) => state.notification_id)
}

export function eventOutput({ attributesJson, ...event }: TimelineEventRow): StoredEvent {
  return { ...event, attributes: JSON.parse(attributesJson) }
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
