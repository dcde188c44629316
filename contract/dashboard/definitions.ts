import type { Static } from 'typebox'
import { dataTypes } from '../attributes.ts'
import { Type } from '../type.ts'
import {
  body,
  count,
  flag,
  givenName,
  givenText,
  oneOf,
  orNull,
  page,
  paging,
  resource,
  Series,
  text,
  time,
} from './fields.ts'
import { dashboardLimits as limits } from './limits.ts'
import { paths } from './paths.ts'
import { StoredEvent } from './timeline.ts'
import { writers } from './writers.ts'

/** Event and attribute names that were seen, with their descriptions and counts. */

export const scopes = ['user', 'group', 'event', 'group_membership'] as const

const definition = {
  id: text,
  name: text,
  display_name: text,
  description: text,
  /** When the name was first seen. */
  created_at: time,
  last_seen_at: orNull(time),
  /** The last 14 days (UTC), today included. */
  days: Series,
}

/** `days` count events by their own time. `received` counts all that ever arrived. */
export const EventDefinition = resource({ ...definition, total_14_days: count, received: count })
export type EventDefinition = Static<typeof EventDefinition>

/** An attribute of one scope. `events` holds up to five of the events that it was seen on, and their number. */
export const AttributeDefinition = resource({
  ...definition,
  scope: oneOf(scopes),
  data_type: text,
  conflicts: count,
  events: Type.Array(text),
  event_count: count,
  /** Whether pages may write it too, and whether pages without a verified user may show it. */
  written_by: oneOf(writers),
  shown_unverified: flag,
})
export type AttributeDefinition = Static<typeof AttributeDefinition>

/** A value whose type is not that of the definition: the latest of each type. */
export const TypeConflict = resource({
  data_type: oneOf(dataTypes),
  count,
  example: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
  /** Null when the object is not known. */
  object_id: orNull(text),
  /** Null when it came with an import, or from a member. */
  request_id: orNull(text),
  at: time,
})
export type TypeConflict = Static<typeof TypeConflict>

const list = { q: Type.Optional(givenText(100)), ...paging }
const order = oneOf(['display_name', '-display_name', 'name', '-name', 'created_at', '-created_at'])
const wording = {
  display_name: Type.Optional(givenName(limits.displayNameCharacters)),
  description: Type.Optional(givenText(limits.descriptionCharacters)),
}

export const definitionOperations = {
  listEventDefinitions: {
    ...paths.listEventDefinitions,
    query: Type.Object({ ...list, order_by: Type.Optional(order) }),
    response: page(EventDefinition),
  },
  getEventDefinition: {
    ...paths.getEventDefinition,
    response: resource({
      definition: EventDefinition,
      attributes: Type.Array(AttributeDefinition),
      /** The newest ten. */
      events: Type.Array(StoredEvent),
    }),
  },
  updateEventDefinition: { ...paths.updateEventDefinition, body: body(wording), response: EventDefinition },
  listAttributeDefinitions: {
    ...paths.listAttributeDefinitions,
    query: Type.Object({ ...list, scope: Type.Optional(oneOf(scopes)), order_by: Type.Optional(order) }),
    response: page(AttributeDefinition),
  },
  getAttributeDefinition: {
    ...paths.getAttributeDefinition,
    response: resource({
      definition: AttributeDefinition,
      conflicts: Type.Array(TypeConflict),
      /** Events that it was seen on, 100 at most. */
      events: Type.Array(EventDefinition),
    }),
  },
  updateAttributeDefinition: {
    ...paths.updateAttributeDefinition,
    body: body({
      ...wording,
      written_by: Type.Optional(oneOf(writers)),
      shown_unverified: Type.Optional(Type.Boolean()),
    }),
    response: AttributeDefinition,
  },
} as const
