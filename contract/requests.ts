import { type Static, type TSchema, Type } from 'typebox'
import { attributeInputs } from './attributes.ts'
import { limits } from './limits.ts'
import { EVENT_NAME_PATTERN, NAME_RULE } from './names.ts'
import { id, onlyNull, optional, readOnly } from './schema.ts'
import { TOPIC_RULE } from './topics.ts'
import { type Version, versionNames } from './versions.ts'

/** The bodies of requests. An unknown field is refused, so that a misspelt one does not lose data silently. */

const closed = { additionalProperties: false } as const
const groupId = (description: string) => id(description, 'g_1')

const resourceFields = { object: readOnly('object'), created_at: readOnly('created_at') }
const groupFields = {
  id: groupId("The caller's own id of the group."),
  attributes: attributeInputs('The attributes of the group.'),
  ...resourceFields,
  memberships: onlyNull('must be null or absent: memberships are written through POST /users'),
  users: onlyNull('must be null or absent: memberships are written through POST /users'),
}

export const UpsertGroup = Type.Object(groupFields, closed)

const EmbeddedMembership = Type.Object(
  {
    id: readOnly('id'),
    attributes: attributeInputs('The attributes of the membership.'),
    ...resourceFields,
    group: optional<Static<typeof UpsertGroup>>({ ...UpsertGroup, description: 'The group, with at least its `id`.' }),
    group_id: optional<string>({ ...groupId('The id of the group; may stand in for `group`.') }),
    user: onlyNull('must be null or absent: the user is the one that the request is about'),
    user_id: optional<string>({ ...id('When it is given, it must be the id of the user.', 'u_1') }),
  },
  closed,
)

const many = <T>(items: TSchema, description: string) =>
  optional<T[]>({ type: 'array', items, maxItems: limits.groupsPerUpsert, description })

export const UpsertUser = Type.Object(
  {
    id: id("The caller's own id of the user.", 'u_1'),
    attributes: attributeInputs('The attributes of the user.'),
    groups: many<Static<typeof UpsertGroup>>(
      UpsertGroup,
      'Groups to create or update, and to make the user a member of. Only one of `groups` and `memberships` may be set.',
    ),
    memberships: many<Static<typeof EmbeddedMembership>>(
      EmbeddedMembership,
      'Memberships to create or update, each with its group. Only one of `groups` and `memberships` may be set.',
    ),
    prune_memberships: optional<boolean>({
      type: 'boolean',
      description: 'When true, memberships that are not in the request are removed; the groups stay.',
      examples: [false],
    }),
    ...resourceFields,
  },
  closed,
)

export const TrackEvent = Type.Object(
  {
    name: Type.String({
      description: 'The event name.',
      examples: ['subscription_activated'],
      pattern: EVENT_NAME_PATTERN,
      'x-rule': NAME_RULE,
    }),
    user_id: optional<string>({ ...id('The user. One of `user_id` and `group_id` must be given.', 'u_1') }),
    group_id: optional<string>({ ...groupId('The group. One of `user_id` and `group_id` must be given.') }),
    attributes: attributeInputs('The attributes of the event.'),
    time: optional<string>({
      type: 'string',
      description: 'When it happened. Defaults to the time it is received.',
      examples: ['2026-01-03T09:29:58Z'],
      'x-check': 'date-time',
    }),
    id: readOnly('id'),
    ...resourceFields,
    user: onlyNull('must be null or absent: name the user by user_id'),
    group: onlyNull('must be null or absent: name the group by group_id'),
  },
  closed,
)

const url = {
  type: 'string',
  description: 'The address that receives the notifications: https, without credentials and fragment.',
  examples: ['https://example.com/hooks'],
  minLength: 1,
  maxLength: limits.urlCharacters,
}
const topics = {
  type: 'array',
  description: 'The topics to receive.',
  examples: [['user.created', 'event.tracked']],
  minItems: 1,
  maxItems: limits.topicsPerSubscription,
  items: { type: 'string', 'x-check': 'topic', 'x-rule': TOPIC_RULE },
}
const settings = {
  api_version: optional<Version>({
    type: 'string',
    enum: [...versionNames, null],
    description: 'The API version of the notifications. Defaults to the latest.',
    examples: [versionNames[0]],
  }),
  disabled: optional<boolean>({
    type: 'boolean',
    description: 'True stops notifications immediately.',
    examples: [false],
  }),
  id: readOnly('id'),
  secret: readOnly('secret'),
  ...resourceFields,
}

export const CreateWebhookSubscription = Type.Object(
  { url: Type.Unsafe<string>(url), topics: Type.Unsafe<string[]>(topics), ...settings },
  closed,
)
export const UpdateWebhookSubscription = Type.Object(
  { url: optional<string>(url), topics: optional<string[]>(topics), ...settings },
  closed,
)

export type UpsertGroup = Static<typeof UpsertGroup>
export type UpsertUser = Static<typeof UpsertUser>
export type TrackEvent = Static<typeof TrackEvent>
export type CreateWebhookSubscription = Static<typeof CreateWebhookSubscription>
export type UpdateWebhookSubscription = Static<typeof UpdateWebhookSubscription>
