import type { Static, TSchema } from 'typebox'
import { attributeInputs } from '../attributes.ts'
import { limits } from '../limits.ts'
import { EVENT_NAME_PATTERN, EVENT_NAME_RULE } from '../names.ts'
import { expanded, id, optional, optionalId } from '../schema.ts'
import { Type } from '../type.ts'
import { assignedId, closed, expand, resourceFields, stated } from './fields.ts'

/** The bodies of the writes of users, groups and events. */

const MEMBERS_REMEDY = 'must be null or absent: memberships are written through POST /users'
const groupFields = {
  id: id("The caller's own id of the group.", 'g_1'),
  attributes: attributeInputs('The attributes of the group.'),
  ...resourceFields('group'),
  memberships: expanded('array', 'group_membership', MEMBERS_REMEDY),
  users: expanded('array', 'user', MEMBERS_REMEDY),
}

const EmbeddedGroup = Type.Object(
  groupFields,
  closed('A group to create or update.', { id: 'g_1', attributes: { name: 'Analytical Engines', seats: { add: 1 } } }),
)
export const UpsertGroup = Type.Object(
  { ...groupFields, expand },
  closed('A group to create or update.', { id: 'g_1', attributes: { name: 'Analytical Engines', seats: { add: 1 } } }),
)

const EmbeddedMembership = Type.Object(
  {
    id: assignedId,
    attributes: attributeInputs('The attributes of the membership.'),
    ...resourceFields('group_membership'),
    group: optional<Static<typeof EmbeddedGroup>>({
      ...EmbeddedGroup,
      description: 'The group, with at least its `id`.',
      examples: [{ id: 'g_1', attributes: { name: 'Analytical Engines' } }],
    }),
    group_id: optionalId('The id of the group; may stand in for `group`.', 'g_1'),
    user: expanded('object', 'user', 'must be null or absent: the user is the one that the request is about'),
    user_id: optionalId('When it is given, it must be the id of the user.', 'u_1'),
  },
  closed('A membership of the user, with its group.', { attributes: { role: 'admin' }, group: { id: 'g_1' } }),
)

const many = <T>(items: TSchema, description: string, example: object) =>
  optional<T[]>({ type: 'array', items, maxItems: limits.groupsPerUpsert, description, examples: [[example]] })

const given = { type: 'array' }
/** A user that was read, which has its `object`, may have both. */
const GROUPS_OR_MEMBERSHIPS = {
  not: {
    required: ['groups', 'memberships'],
    properties: { groups: given, memberships: given, object: { not: { type: 'string' } } },
  },
}
const none = { type: 'null' }
const USER_OR_GROUP = { not: { properties: { user_id: none, group_id: none } } }

export const UpsertUser = Type.Object(
  {
    id: id("The caller's own id of the user.", 'u_1'),
    attributes: attributeInputs('The attributes of the user.'),
    groups: many<Static<typeof EmbeddedGroup>>(
      EmbeddedGroup,
      'Groups to create or update, and to make the user a member of. Only one of `groups` and `memberships` may be set.',
      { id: 'g_1', attributes: { name: 'Analytical Engines' } },
    ),
    memberships: many<Static<typeof EmbeddedMembership>>(
      EmbeddedMembership,
      'Memberships to create or update, each with its group. Only one of `groups` and `memberships` may be set.',
      { attributes: { role: 'admin' }, group: { id: 'g_1' } },
    ),
    prune_memberships: optional<boolean>({
      type: 'boolean',
      description: 'When true, memberships that are not in the request are removed; the groups stay.',
      examples: [false],
    }),
    expand,
    ...resourceFields('user'),
  },
  stated(GROUPS_OR_MEMBERSHIPS, 'A user to create or update.', {
    id: 'u_1',
    attributes: { name: 'Ada', email: 'ada@example.com', signed_up_at: '2026-01-03T09:30:00Z', logins: { add: 1 } },
    memberships: [{ attributes: { role: 'admin' }, group: { id: 'g_1', attributes: { name: 'Analytical Engines' } } }],
  }),
)

export const TrackEvent = Type.Object(
  {
    name: Type.String({
      description: 'The event name.',
      examples: ['subscription_activated'],
      pattern: EVENT_NAME_PATTERN,
      'x-rule': EVENT_NAME_RULE,
    }),
    user_id: optionalId('The user. One of `user_id` and `group_id` must be given.', 'u_1'),
    group_id: optionalId('The group. One of `user_id` and `group_id` must be given.', 'g_1'),
    attributes: attributeInputs('The attributes of the event.'),
    time: optional<string>({
      type: 'string',
      description:
        'When it happened, as an ISO 8601 date-time. Without an offset it is UTC, and a date alone is midnight UTC. Defaults to the time it is received.',
      examples: ['2026-01-03T09:29:58Z'],
      maxLength: limits.timeCharacters,
      'x-check': 'date-time',
    }),
    expand,
    id: assignedId,
    ...resourceFields('event'),
    user: expanded('object', 'user', 'must be null or absent: name the user by user_id'),
    group: expanded('object', 'group', 'must be null or absent: name the group by group_id'),
  },
  stated(USER_OR_GROUP, 'An event to store.', {
    name: 'subscription_activated',
    user_id: 'u_1',
    attributes: { plan: 'pro', seats: 3 },
    time: '2026-01-03T09:29:58Z',
  }),
)

export type UpsertGroup = Static<typeof UpsertGroup>
export type UpsertUser = Static<typeof UpsertUser>
export type TrackEvent = Static<typeof TrackEvent>
