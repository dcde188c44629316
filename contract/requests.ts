import { type Static, type TSchema, Type } from 'typebox'
import { attributeInputs } from './attributes.ts'
import { limits } from './limits.ts'
import { EVENT_NAME_PATTERN, EVENT_NAME_RULE } from './names.ts'
import { expanded, id, onlyNull, optional, optionalId, readOnly } from './schema.ts'
import { TOPIC_RULE } from './topics.ts'
import { type Version, versionNames } from './versions.ts'

/** The bodies of requests. An unknown field is refused, so that a misspelt one does not lose data silently. */

const closed = (description: string, example: object) => ({
  additionalProperties: false as const,
  description,
  examples: [example],
})
const expand = Type.Optional(
  Type.Unsafe<string | string[] | null>({
    type: ['array', 'string', 'null'],
    items: { type: 'string', description: 'A field path.', examples: ['memberships.group'] },
    description: 'Field paths to expand in the answer, as in the query.',
    examples: [['memberships.group']],
  }),
)

const resourceFields = (object: string) => ({
  object: readOnly('object', object),
  created_at: readOnly('created_at', '2026-01-03T09:30:00.000Z'),
})
const assignedId = readOnly('id', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f')
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
  closed('A user to create or update.', {
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
      'x-check': 'date-time',
    }),
    expand,
    id: assignedId,
    ...resourceFields('event'),
    user: expanded('object', 'user', 'must be null or absent: name the user by user_id'),
    group: expanded('object', 'group', 'must be null or absent: name the group by group_id'),
  },
  closed('An event to store.', {
    name: 'subscription_activated',
    user_id: 'u_1',
    attributes: { plan: 'pro', seats: 3 },
    time: '2026-01-03T09:29:58Z',
  }),
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
  description: `The topics to receive: at most ${limits.topicsPerSubscription} different ones.`,
  examples: [['user.created', 'event.tracked']],
  minItems: 1,
  'x-check': 'topics' as const,
  items: {
    type: 'string',
    description: 'A topic.',
    examples: ['user.created'],
    'x-check': 'topic',
    'x-rule': TOPIC_RULE,
  },
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
  ...resourceFields('webhook_subscription'),
}

export const CreateWebhookSubscription = Type.Object(
  {
    url: Type.Unsafe<string>(url),
    topics: Type.Unsafe<string[]>(topics),
    ...settings,
    id: onlyNull('must be absent: a new subscription gets a new id. To change a subscription, PATCH it'),
    secret: onlyNull('must be absent: the service makes the secret and shows it in the answer'),
  },
  closed('A subscription to create.', { url: 'https://example.com/hooks', topics: ['user.created', 'event.tracked'] }),
)
export const UpdateWebhookSubscription = Type.Object(
  {
    url: optional<string>(url),
    topics: optional<string[]>(topics),
    ...settings,
    id: assignedId,
    secret: onlyNull('must be absent: a secret cannot be set, only made by the service'),
  },
  closed('What to change of a subscription.', { disabled: true }),
)

export type UpsertGroup = Static<typeof UpsertGroup>
export type UpsertUser = Static<typeof UpsertUser>
export type TrackEvent = Static<typeof TrackEvent>
export type CreateWebhookSubscription = Static<typeof CreateWebhookSubscription>
export type UpdateWebhookSubscription = Static<typeof UpdateWebhookSubscription>

export const RotateWebhookSecret = Type.Object(
  {
    old_secret_expires_in: optional<number>({
      type: 'integer',
      minimum: 0,
      maximum: limits.secretOverlapSeconds,
      description: 'For so many seconds the old secret signs along. Defaults to a day; 0 ends it at once.',
      examples: [86_400],
    }),
  },
  closed('How to rotate a secret.', { old_secret_expires_in: 86_400 }),
)

export const ReplayWebhookNotifications = Type.Object(
  {
    since: Type.String({
      description: 'From when on: what happened at this time or later is sent again.',
      examples: ['2026-01-03T09:00:00Z'],
      'x-check': 'date-time',
    }),
    until: optional<string>({
      type: 'string',
      description: 'Until when: what happened before this time is sent again. Defaults to now.',
      examples: ['2026-01-03T10:00:00Z'],
      'x-check': 'date-time',
    }),
    dry_run: optional<boolean>({
      type: 'boolean',
      description: 'When true, the notifications are counted and nothing is sent.',
      examples: [true],
    }),
  },
  closed('What to send again.', { since: '2026-01-03T09:00:00Z', until: '2026-01-03T10:00:00Z', dry_run: true }),
)

export const RetryWebhookDelivery = Type.Object({}, closed('Nothing needs to be said.', {}))
export const TestWebhookSubscription = Type.Object({}, closed('Nothing needs to be said.', {}))

export type RotateWebhookSecret = Static<typeof RotateWebhookSecret>
export type ReplayWebhookNotifications = Static<typeof ReplayWebhookNotifications>
