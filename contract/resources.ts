import { type TSchema, Type } from 'typebox'
import { attributeValues } from './attributes.ts'
import { deliveryStateNames, deliveryStates, waitReasonNames, waitReasons } from './deliveries.ts'
import { versionNames } from './versions.ts'

/** The objects of the API as they are in responses, by the name they have in the OpenAPI document. */

const object = (name: string) => Type.Literal(name, { description: `Always \`${name}\`.`, examples: [name] })
const time = (description: string) =>
  Type.String({ description, format: 'date-time', examples: ['2026-01-03T09:30:00.000Z'] })
const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const ref = (name: string) => Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` })
const nullable = (schema: TSchema, description: string, example: string | null = null) =>
  Type.Union([schema, Type.Null()], { description, examples: [example] })
const manyOf = (name: string, path: string) =>
  nullable(Type.Array(ref(name)), `Null unless expanded with \`expand=${path}\`.`)
const oneOf = (name: string, path: string) =>
  nullable(ref(name), `Null unless expanded with \`expand=${path}\`; also null while no such ${path} exists.`)

/** A field that is not in the contract: a client that does not use it need not know it. */
const addition = <T extends TSchema>(schema: T): T => ({ ...schema, 'x-addition': true })

function resource(description: string, fields: Record<string, TSchema>) {
  return Type.Object(fields, { description, additionalProperties: false })
}

const User = resource('An end user of the application.', {
  id: text("The caller's own id of the user.", 'u_1'),
  object: object('user'),
  attributes: attributeValues('All attributes of the user.', { name: 'Ada', seats: 3 }),
  created_at: time('When the user was created in the service.'),
  groups: manyOf('Group', 'groups'),
  memberships: manyOf('GroupMembership', 'memberships'),
})

const Group = resource('A group of users, such as a company or a team.', {
  id: text("The caller's own id of the group.", 'g_1'),
  object: object('group'),
  attributes: attributeValues('All attributes of the group.', { name: 'Analytical Engines' }),
  created_at: time('When the group was created in the service.'),
  memberships: manyOf('GroupMembership', 'memberships'),
  users: manyOf('User', 'users'),
})

const GroupMembership = resource(
  'The link between one user and one group, with what describes the user in that group only.',
  {
    id: text('Assigned by the service; the same for the same user and group.', '0b7f6a3e-6c0b-5c8e-9b44-0a6f3d1c2b10'),
    object: object('group_membership'),
    attributes: attributeValues('The attributes of the membership.', { role: 'admin' }),
    created_at: time('When the membership was created.'),
    group: oneOf('Group', 'group'),
    group_id: text('The id of the group.', 'g_1'),
    user: oneOf('User', 'user'),
    user_id: text('The id of the user.', 'u_1'),
  },
)

const Event = resource('Something that a user, a group or both did.', {
  id: text('Assigned by the service.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('event'),
  attributes: attributeValues('The attributes of the event.', { plan: 'pro' }),
  created_at: time('When the service stored the event.'),
  group: oneOf('Group', 'group'),
  group_id: nullable(Type.String(), 'The associated group, if any.', 'g_1'),
  name: text('The event name.', 'subscription_activated'),
  time: Type.String({
    description: 'When the event happened: as it was sent when that is RFC 3339, else rewritten to RFC 3339.',
    format: 'date-time',
    examples: ['2026-01-03T09:29:58Z'],
  }),
  user: oneOf('User', 'user'),
  user_id: nullable(Type.String(), 'The associated user, if any.', 'u_1'),
})

const definition = {
  created_at: time('When the name was first seen.'),
  first_seen_at: addition(time('When the name was first seen: the same as `created_at`.')),
  last_seen_at: addition(time('When the name was last seen; at most a few seconds behind.')),
  description: text('What it means, in words. Empty until someone writes it in the dashboard.', ''),
}

const AttributeDefinition = resource('An attribute name that has been seen. Made by the service, read-only.', {
  id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('attribute_definition'),
  ...definition,
  data_type: Type.Unsafe<string>({
    type: 'string',
    description: 'The type of the first value seen. The types after `datetime` belong to internal attributes.',
    examples: ['datetime'],
    enum: [
      'string',
      'boolean',
      'number',
      'datetime',
      'checklist_task',
      'content',
      'content_session',
      'content_version',
      'flow',
      'flow_session',
      'flow_step',
      'flow_version',
    ],
  }),
  display_name: text('A readable name. It begins as the name, humanised.', 'Signed up at'),
  name: text('The key in `attributes` maps. It never changes.', 'signed_up_at'),
  scope: Type.Unsafe<string>({
    type: 'string',
    description: 'Which objects carry it. `group` and `group_membership` are listed only when they are asked for.',
    examples: ['user'],
    enum: ['user', 'event', 'group', 'group_membership'],
  }),
  type_conflicts: addition(
    Type.Array(
      Type.Object(
        {
          data_type: text('The type of these values.', 'string'),
          count: Type.Integer({ description: 'How many there were.', examples: [12] }),
          example: Type.Unsafe<unknown>({
            type: ['string', 'number', 'boolean'],
            description: 'The latest of them, its beginning when it is long.',
            examples: ['yesterday'],
          }),
        },
        { description: 'Values of one other type.', additionalProperties: false },
      ),
      {
        description:
          'Values of other types than `data_type`, which were stored all the same. At most a few seconds behind.',
      },
    ),
  ),
})

const EventDefinition = resource('An event name that has been seen. Made by the service, read-only.', {
  event_count: addition(
    Type.Integer({
      description:
        'How many events of this name were stored, also those that were deleted since. At most a few seconds behind; what was counted in the last seconds before a crash is lost.',
      examples: [1204],
    }),
  ),
  id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('event_definition'),
  ...definition,
  display_name: text('A readable name. It begins as the name, humanised.', 'Subscription activated'),
  name: text('The `name` of such events. It never changes.', 'subscription_activated'),
})

const subscription = {
  id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('webhook_subscription'),
  api_version: Type.Unsafe<string>({
    type: 'string',
    enum: versionNames,
    description: 'The API version of the notifications.',
    examples: [versionNames[0]],
  }),
  created_at: time('When the subscription was created.'),
  disabled: Type.Boolean({ description: 'When true, no notifications are sent.', examples: [false] }),
  topics: Type.Array(Type.String(), {
    description: 'The topics it receives.',
    examples: [['user.created', 'event.tracked']],
  }),
  url: text('The address that receives the notifications.', 'https://example.com/hooks'),
}

const WebhookSubscription = resource('Where notifications are sent, and which.', subscription)

const CreatedWebhookSubscription = resource(
  'A subscription as its creation answers it: the only time that the secret is shown.',
  {
    ...subscription,
    secret: text('The key of the signatures. Keep it; it is not shown again.', 'whsec_4f0c2a9be1d4…'),
  },
)

const WebhookNotification = resource('What is sent to a subscription.', {
  id: text('Identifier; the same for every delivery attempt.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('webhook_notification'),
  api_version: subscription.api_version,
  created_at: time('When it happened.'),
  data: Type.Object(
    {
      object: Type.Unsafe<unknown>({
        anyOf: [{ $ref: '#/components/schemas/User' }, { $ref: '#/components/schemas/Event' }],
        description: 'The user or the event, as it was right then.',
      }),
    },
    { additionalProperties: false, description: 'Holds `object`.' },
  ),
  topic: text('What happened.', 'user.created'),
})

const StoredNotification = resource('A stored notification about the user, as it was sent to webhook subscriptions.', {
  id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('webhook_notification'),
  created_at: time('When it happened.'),
  topic: text('What happened.', 'user.created'),
  data: Type.Object(
    { object: Type.Unsafe<unknown>({ description: 'The object as it was then.', examples: [{}] }) },
    { description: 'Holds `object`.', additionalProperties: false },
  ),
})

const UserExport = resource('Everything that is held about one user.', {
  object: object('user_export'),
  user_id: text('The id that was asked for.', 'u_1'),
  exported_at: time('When the export began.'),
  user: oneOf('User', 'user'),
  memberships: Type.Array(ref('GroupMembership'), { description: 'All memberships, each with its group.' }),
  events: Type.Array(ref('Event'), { description: 'All events, in the order in which they were stored.' }),
  webhook_notifications: Type.Array(ref('StoredNotification'), {
    description: 'The notifications about the user and its events that are still stored.',
  }),
})

const milliseconds = (description: string, example: number) => ({
  ...Type.Union([Type.Number(), Type.Null()], { description, examples: [example] }),
})

const WebhookAttempt = resource('One attempt of a delivery.', {
  id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  number: Type.Integer({ description: '1 for the first attempt.', examples: [1] }),
  at: time('When the attempt began.'),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The HTTP status of the response; null when there was none.',
    examples: [503],
  }),
  failure: nullable(Type.String(), 'What went wrong; null when it was acknowledged.', 'the receiver answered 503'),
  name_ms: milliseconds('The milliseconds of the name look-up; null on an open connection.', 1.2),
  connect_ms: milliseconds('The milliseconds of the TCP connection; null on an open connection.', 3.4),
  tls_ms: milliseconds('The milliseconds of the TLS handshake; null on an open connection.', 12.5),
  first_byte_ms: milliseconds('The milliseconds from the beginning to the first byte of the response.', 40.1),
  total_ms: milliseconds('The milliseconds from the beginning to the end.', 41.7),
  response: text('The first 4 KB of the response.', 'try again later'),
})

const WebhookDelivery = resource('One notification on its way to one subscription, or arrived.', {
  id: text('The id of the notification.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('webhook_delivery'),
  attempts: Type.Integer({ description: 'Attempts made so far.', examples: [1] }),
  created_at: time('When it happened.'),
  expires_at: nullable(Type.String({ format: 'date-time' }), 'When it is given up; null when it is finished.'),
  last_attempt: nullable(ref('WebhookAttempt'), 'The last attempt; null before the first.'),
  next_attempt_at: nullable(
    Type.String({ format: 'date-time' }),
    'When it is due; null while it is being sent and when it is finished.',
  ),
  reason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...waitReasonNames, null],
    description: `Why it is not being sent right now; null when it is finished. ${describe(waitReasons)}`,
    examples: ['backoff'],
  }),
  state: Type.Unsafe<string>({
    type: 'string',
    enum: deliveryStateNames,
    description: describe(deliveryStates),
    examples: ['retrying'],
  }),
  topic: nullable(Type.String(), 'What happened; null when the notification is gone.', 'user.created'),
  webhook_subscription_id: text('The subscription.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
})

function describe(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join(' ')
}

const RotatedWebhookSubscription = resource('A subscription with its new secret, which is shown here alone.', {
  ...subscription,
  secret: text('The new key of the signatures. Keep it; it is not shown again.', 'whsec_4f0c2a9be1d4…'),
  old_secret_expires_at: nullable(
    Type.String({ format: 'date-time' }),
    'Until then the old secret signs along; null when it has ended.',
  ),
})

const WebhookReplay = resource('What a replay has done.', {
  object: object('webhook_replay'),
  complete: Type.Boolean({
    description: 'False when the range was too large for one request: go on with `since` at `next_since`.',
    examples: [true],
  }),
  dry_run: Type.Boolean({ description: 'Whether the notifications were only counted.', examples: [true] }),
  matching: Type.Integer({
    description: 'Notifications of the range that the subscription receives.',
    examples: [120],
  }),
  next_since: nullable(Type.String({ format: 'date-time' }), 'Where to go on; null when it is complete.'),
  written: Type.Integer({
    description: 'Deliveries that are sent again; the others were not finished yet.',
    examples: [0],
  }),
})

const Deleted = resource('What a delete answers, whether or not there was something to delete.', {
  id: text('The id that was asked for.', 'u_1'),
  object: text('The type of the deleted resource.', 'user'),
  deleted: Type.Literal(true, { description: 'Always true.', examples: [true] }),
})

const Batch = resource('What became of the operations of a batch.', {
  object: object('batch'),
  results: Type.Array(
    Type.Object(
      {
        status: Type.Integer({
          description: 'The status that the operation would have as a request.',
          examples: [200],
        }),
        body: Type.Unsafe<object>({
          type: 'object',
          description: 'What the operation answers: its resource, or an error.',
          examples: [{ id: 'u_1', object: 'user', deleted: true }],
        }),
      },
      { additionalProperties: false, description: 'The outcome of one operation.' },
    ),
    { description: 'One for each operation, in their order.', examples: [[]] },
  ),
})

const ErrorObject = resource('What every failure answers.', {
  error: Type.Object(
    {
      code: text('A machine-readable code.', 'invalid_params'),
      message: text('What is wrong, and what to do about it.', 'attributes.seats.add: must be a number'),
      param: Type.Optional(
        Type.String({
          description:
            'The path of the body field, or the query parameter, that is to blame. Absent when it is not one.',
          examples: ['attributes.seats.add'],
          'x-addition': true,
        }),
      ),
      doc_url: Type.String({
        description: 'Where the reference says what the code means.',
        format: 'uri',
        examples: ['https://usher.example.com/docs/errors#invalid_params'],
      }),
      request_id: text(
        'The id of the request, for reporting the problem. It is in the Request-Id header too.',
        'req_01jz8m3v',
      ),
    },
    { additionalProperties: false, description: 'The error.' },
  ),
})

const lists = { User, Group, Event, AttributeDefinition, EventDefinition, WebhookSubscription, WebhookDelivery }

function listOf(name: string) {
  return resource(`A page of a list of ${name} objects.`, {
    object: object('list'),
    data: Type.Array(ref(name), { description: 'The objects of this page.' }),
    has_more: Type.Boolean({ description: 'Whether a further page exists.', examples: [false] }),
    url: Type.String({
      description: 'The address of this page.',
      format: 'uri',
      examples: ['https://usher.example.com/users?limit=10'],
    }),
    next_page_url: Type.String({
      description:
        'The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since.',
      format: 'uri',
      examples: ['https://usher.example.com/users?limit=10&starting_after=u_10'],
    }),
  })
}

export const resources = {
  User,
  Group,
  GroupMembership,
  Event,
  AttributeDefinition,
  EventDefinition,
  WebhookSubscription,
  CreatedWebhookSubscription,
  WebhookNotification,
  StoredNotification,
  UserExport,
  WebhookAttempt,
  WebhookDelivery,
  WebhookReplay,
  RotatedWebhookSubscription,
  Deleted,
  Batch,
  Error: ErrorObject,
  ...(Object.fromEntries(Object.keys(lists).map((name) => [`${name}List`, listOf(name)])) as Record<
    `${keyof typeof lists}List`,
    ReturnType<typeof listOf>
  >),
}

export type ResourceName = keyof typeof resources
