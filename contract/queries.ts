import type { Static } from 'typebox'
import { type ContentType, contentTypes } from './content/document.ts'
import { deliveryStateNames } from './deliveries.ts'
import { limits } from './limits.ts'
import { addition, type Check, ID_PATTERN, ID_RULE } from './schema.ts'
import { Type } from './type.ts'

/** The query parameters of requests. Unknown ones are ignored. */

// PostgreSQL cannot store a NUL in a text.
const noNul = { pattern: '^[^\\u0000]*$', 'x-rule': 'must not contain a NUL character' }
const text = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example], ...noNul }))
const texts = (description: string, example: string) =>
  Type.Optional(Type.Array(Type.String(noNul), { description, examples: [[example]] }))
const idText = (description: string, example: string) =>
  Type.String({ description, examples: [example], pattern: ID_PATTERN, 'x-rule': ID_RULE })

/** The fields that a list can be ordered by; the first is the default. */
export const orderable = {
  users: ['created_at', 'attributes.signed_up_at', 'attributes.last_seen_at', 'attributes.name'],
  groups: ['created_at', 'attributes.name'],
  definitions: ['display_name', 'created_at', 'name'],
  subscriptions: ['created_at', 'url'],
  deliveries: ['created_at'],
  events: ['time', 'created_at'],
  content: ['created_at', 'name'],
  versions: ['number'],
  themes: ['created_at', 'name'],
  segments: ['created_at', 'name'],
  sessions: ['created_at', 'last_activity_at'],
} as const

const expand = {
  expand: texts(`Field paths to expand, at most ${limits.expandLevels} levels deep.`, 'memberships.group'),
}

/** What an order by a text compares. */
function comparedText(fields: readonly string[]): string {
  return fields.includes('attributes.name')
    ? ` Of \`attributes.name\` the first ${limits.orderedCharacters} characters are compared, by code point; names that are equal up to there are ordered by id.`
    : ''
}

function page(fields: readonly string[], standard = fields[0] as string) {
  return {
    limit: Type.Optional(
      Type.Integer({
        description: 'How many objects to return.',
        minimum: 1,
        maximum: limits.listMaximum,
        default: limits.listDefault,
        examples: [limits.listDefault],
      }),
    ),
    starting_after: text('Return what follows the object with this id.', 'u_10'),
    position: addition(
      text(
        'Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand.',
        'WyJ1XzEwIl0',
      ),
    ),
    order_by: texts(
      `The order, ascending, or descending with \`-\`: ${fields.join(', ')}. Defaults to \`${standard}\`.${comparedText(fields)}`,
      `-${fields[0]}`,
    ),
  }
}

/** An addition: the original API has no segments. */
const segmentKey = (description: string) => addition(text(description, 'growing-teams'))

export const ExpandQuery = Type.Object(expand)
export const ListUsersQuery = Type.Object({
  email: text('Only users whose `email` attribute equals this.', 'ada@example.com'),
  group_id: text('Only members of this group.', 'g_1'),
  segment: segmentKey('Only users in this segment of users, by its key. Not together with other filters.'),
  ...page(orderable.users),
  ...expand,
})
export const ListGroupsQuery = Type.Object({
  user_id: text('Only groups of this user.', 'u_1'),
  segment: segmentKey('Only groups in this segment of groups, by its key. Not together with other filters.'),
  ...page(orderable.groups),
  ...expand,
})
const instant = (description: string) =>
  Type.Optional(
    Type.String({
      description,
      examples: ['2026-01-03T00:00:00Z'],
      maxLength: limits.timeCharacters,
      'x-check': 'date-time' satisfies Check,
    }),
  )

/** Newest first, unless the request names another order. */
export const EVENTS_ORDER = '-time'
export const ListEventsQuery = Type.Object({
  user_id: text('Only events of this user.', 'u_1'),
  group_id: text('Only events of this group.', 'g_1'),
  name: text('Only events of this name.', 'subscription_activated'),
  'time[gte]': instant(
    'Only events of this time or later, as an ISO 8601 date-time. Times are compared to the millisecond.',
  ),
  'time[gt]': instant('Only events after this time, as an ISO 8601 date-time. Times are compared to the millisecond.'),
  'time[lte]': instant(
    'Only events of this time or earlier, as an ISO 8601 date-time. Times are compared to the millisecond.',
  ),
  'time[lt]': instant('Only events before this time, as an ISO 8601 date-time. Times are compared to the millisecond.'),
  ...page(orderable.events, EVENTS_ORDER),
  ...expand,
})
export const RemoveMembershipQuery = Type.Object({
  user_id: idText('The user.', 'u_1'),
  group_id: idText('The group.', 'g_1'),
})
export const ListAttributeDefinitionsQuery = Type.Object({
  event_name: texts('Only attributes that were seen on these events.', 'subscription_activated'),
  scope: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['user', 'event', 'group', 'group_membership'],
      description:
        'Only this scope. Without it, the scopes `user` and `event` are listed. `group` and `group_membership` are additions: the definitions of the attributes of groups and of memberships are listed only by them.',
      examples: ['user'],
    }),
  ),
  ...page(orderable.definitions),
})
export const ListEventDefinitionsQuery = Type.Object(page(orderable.definitions))
export const ListContentQuery = Type.Object({
  type: Type.Optional(
    Type.Unsafe<ContentType>({
      type: 'string',
      enum: contentTypes,
      description: 'Only this kind.',
      examples: ['flow'],
    }),
  ),
  key: text('Only the content with this key.', 'first-report'),
  ...page(orderable.content),
  ...expand,
})
export const ListContentVersionsQuery = Type.Object({
  content_id: idText('The content.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  ...page(orderable.versions),
  ...expand,
})
export const ListThemesQuery = Type.Object(page(orderable.themes))
export const ListSegmentsQuery = Type.Object(page(orderable.segments))
export const ListWebhookSubscriptionsQuery = Type.Object(page(orderable.subscriptions))
export const ListContentSessionsQuery = Type.Object({
  content_id: text('Only sessions of this content.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  user_id: text('Only sessions of this user.', 'u_1'),
  completed: Type.Optional(
    Type.Unsafe<'true' | 'false'>({
      type: 'string',
      enum: ['true', 'false'],
      description: 'Only completed sessions, or only those that are not.',
      examples: ['true'],
    }),
  ),
  'created_at[gte]': instant('Only sessions that began at this time or later, as an ISO 8601 date-time.'),
  'created_at[lt]': instant('Only sessions that began before this time, as an ISO 8601 date-time.'),
  ...page(orderable.sessions),
  ...expand,
})
export const ForgetSessionsQuery = Type.Object({
  content: idText('The content: its key or its id.', 'first-report'),
  user_id: idText('The user.', 'u_1'),
})
/** The newest first, unless another order is asked for. */
export const DELIVERIES_ORDER = '-created_at'
export const ListWebhookDeliveriesQuery = Type.Object({
  state: texts(`Only deliveries in these states: ${deliveryStateNames.join(', ')}.`, 'retrying'),
  'created_at[gte]': instant('Only deliveries of what happened at this time or later, as an ISO 8601 date-time.'),
  'created_at[gt]': instant('Only deliveries of what happened after this time, as an ISO 8601 date-time.'),
  'created_at[lte]': instant('Only deliveries of what happened at this time or earlier, as an ISO 8601 date-time.'),
  'created_at[lt]': instant('Only deliveries of what happened before this time, as an ISO 8601 date-time.'),
  ...page(orderable.deliveries, DELIVERIES_ORDER),
})

export type ExpandQuery = Static<typeof ExpandQuery>
export type ListUsersQuery = Static<typeof ListUsersQuery>
export type ListGroupsQuery = Static<typeof ListGroupsQuery>
export type ListEventsQuery = Static<typeof ListEventsQuery>
export type ListContentSessionsQuery = Static<typeof ListContentSessionsQuery>
export type ForgetSessionsQuery = Static<typeof ForgetSessionsQuery>
export type RemoveMembershipQuery = Static<typeof RemoveMembershipQuery>
export type ListAttributeDefinitionsQuery = Static<typeof ListAttributeDefinitionsQuery>
export type ListEventDefinitionsQuery = Static<typeof ListEventDefinitionsQuery>
export type ListContentQuery = Static<typeof ListContentQuery>
export type ListContentVersionsQuery = Static<typeof ListContentVersionsQuery>
export type ListWebhookDeliveriesQuery = Static<typeof ListWebhookDeliveriesQuery>
export type ListWebhookSubscriptionsQuery = Static<typeof ListWebhookSubscriptionsQuery>
