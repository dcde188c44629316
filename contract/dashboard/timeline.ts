import type { Static } from 'typebox'
import { attributeValues } from '../attributes.ts'
import { deliveryStateNames } from '../deliveries.ts'
import { TrackEvent } from '../requests/objects.ts'
import { Type } from '../type.ts'
import { body, count, oneOf, orNull, page, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

/** What happened to a user or a group, newest first: events, webhooks and its creation. */

export const timelineKinds = ['all', 'events', 'webhooks'] as const

/** As `Date` writes it. An offset can carry the time of an event out of the years with four digits: these have a sign and six. */
const instant = text

export const StoredEvent = resource({
  id: text,
  name: text,
  /** When it happened, which orders the timeline. `created_at` is when it was stored. */
  time: instant,
  created_at: time,
  user_id: orNull(text),
  group_id: orNull(text),
  attributes: attributeValues('The attributes of the event.', {}),
})
export type StoredEvent = Static<typeof StoredEvent>

export const TimelineEvent = resource({ kind: Type.Literal('event'), at: instant, event: StoredEvent })
export const TimelineWebhook = resource({
  kind: Type.Literal('webhook'),
  at: time,
  notification_id: text,
  topic: text,
  deliveries: Type.Array(
    resource({
      endpoint_id: text,
      url: text,
      state: oneOf(deliveryStateNames),
      attempts: count,
      status: orNull(count),
      failure: orNull(text),
    }),
  ),
})
export const TimelineCreation = resource({ kind: Type.Literal('created'), at: time })

export const TimelineItem = Type.Union([TimelineEvent, TimelineWebhook, TimelineCreation])
export type TimelineItem = Static<typeof TimelineItem>
export const Timeline = page(TimelineItem)

const { name, user_id, group_id, attributes, time: eventTime } = TrackEvent.properties

export const eventOperations = {
  trackEvent: {
    ...paths.trackEvent,
    body: body({ name, user_id, group_id, attributes, time: eventTime }),
    response: StoredEvent,
  },
  getEvent: { ...paths.getEvent, response: StoredEvent },
} as const
