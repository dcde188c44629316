import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { givenText, orNull, resource, text } from './fields.ts'
import { paths } from './paths.ts'

/** The search over everything in an environment. */

/** Eight of each at most, by prefix; users and groups also by a part of the name, what has an id by that too. `request_id` is set when the text is the id of a request that a node has in memory. */
export const SearchResult = resource({
  users: Type.Array(resource({ id: text, name: orNull(text), email: orNull(text) })),
  groups: Type.Array(resource({ id: text, name: orNull(text) })),
  events: Type.Array(resource({ id: text, name: text, display_name: text })),
  attributes: Type.Array(resource({ id: text, name: text, display_name: text, scope: text })),
  endpoints: Type.Array(resource({ id: text, url: text })),
  content: Type.Array(resource({ id: text, name: text, type: text })),
  segments: Type.Array(resource({ id: text, name: text })),
  /** Users and content that "why does … not see …" is about: a receipt for each pair, up to eight. */
  why: Type.Array(resource({ user_id: text, user_name: orNull(text), content_id: text, content_name: text })),
  request_id: orNull(text),
  /** The event with this id. */
  event: orNull(resource({ id: text, name: text, user_id: orNull(text), group_id: orNull(text) })),
  /** Of the notification with this id, one for each endpoint. */
  deliveries: Type.Array(resource({ notification_id: text, endpoint_id: text, url: text })),
})
export type SearchResult = Static<typeof SearchResult>

export const searchOperations = {
  search: { ...paths.search, query: Type.Object({ q: givenText(255, 1) }), response: SearchResult },
} as const
