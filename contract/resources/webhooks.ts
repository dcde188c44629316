import { deliveryStateNames, deliveryStates, waitReasonNames, waitReasons } from '../deliveries.ts'
import { deliveryFailureCodes } from '../delivery-failures.ts'
import { notificationTopics } from '../topics.ts'
import { Type } from '../type.ts'
import { versionNames } from '../versions.ts'
import { nullable, object, ref, resource, text, time } from './fields.ts'

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

export const WebhookSubscription = resource('Where notifications are sent, and which.', subscription)

export const CreatedWebhookSubscription = resource(
  'A subscription as its creation answers it: the only time that the secret is shown.',
  {
    ...subscription,
    secret: text('The key of the signatures. Keep it; it is not shown again.', 'whsec_4f0c2a9be1d4…'),
  },
)

const carriedObjects = [...new Set(Object.values(notificationTopics).map(({ object }) => object))]

export const WebhookNotification = resource('What is sent to a subscription.', {
  id: text('Identifier; the same for every delivery attempt.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('webhook_notification'),
  api_version: subscription.api_version,
  created_at: time('When it happened.'),
  data: Type.Object(
    {
      object: Type.Unsafe<unknown>({
        anyOf: carriedObjects.map((name) => ({ $ref: `#/components/schemas/${name}` })),
        description: `${carriedObjects.join(' or ')}, as it was right then.`,
      }),
    },
    { additionalProperties: false, description: 'Holds `object`.' },
  ),
  topic: text('What happened.', 'user.created'),
})

export const StoredNotification = resource(
  'A stored notification about the user, as it was sent to webhook subscriptions.',
  {
    id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
    object: object('webhook_notification'),
    created_at: time('When it happened.'),
    topic: text('What happened.', 'user.created'),
    data: Type.Object(
      { object: Type.Unsafe<unknown>({ description: 'The object as it was then.', examples: [{}] }) },
      { description: 'Holds `object`.', additionalProperties: false },
    ),
  },
)

export const RotatedWebhookSubscription = resource('A subscription with its new secret, which is shown here alone.', {
  ...subscription,
  secret: text('The new key of the signatures. Keep it; it is not shown again.', 'whsec_4f0c2a9be1d4…'),
  old_secret_expires_at: nullable(
    Type.String({ format: 'date-time' }),
    'Until then the old secret still signs; null when it has ended.',
  ),
})

export const WebhookReplay = resource('What a replay has done.', {
  object: object('webhook_replay'),
  complete: Type.Boolean({
    description: 'False when the range was too large for one request: continue with `since` at `next_since`.',
    examples: [true],
  }),
  dry_run: Type.Boolean({ description: 'Whether the notifications were only counted.', examples: [true] }),
  matching: Type.Integer({
    description: 'Notifications of the range that the subscription receives.',
    examples: [120],
  }),
  next_since: nullable(Type.String({ format: 'date-time' }), 'Where to continue; null when it is complete.'),
  written: Type.Integer({
    description: 'Deliveries that are sent again; the others were not finished yet.',
    examples: [0],
  }),
})

const milliseconds = (description: string, example: number) => ({
  ...Type.Union([Type.Number(), Type.Null()], { description, examples: [example] }),
})

export const WebhookAttempt = resource('One attempt of a delivery.', {
  id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  number: Type.Integer({ description: '1 for the first attempt.', examples: [1] }),
  at: time('When the attempt began.'),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The HTTP status of the response; null when there was none.',
    examples: [503],
  }),
  failure: nullable(Type.String(), 'What went wrong; null when it was acknowledged.', 'the receiver answered 503'),
  failure_code: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...deliveryFailureCodes, null],
    description: 'The same for programs. Null when it was acknowledged, and for a failure that has no code.',
    examples: ['not_acknowledged'],
  }),
  name_ms: milliseconds('The milliseconds of the name look-up; null on an open connection.', 1.2),
  connect_ms: milliseconds('The milliseconds of the TCP connection; null on an open connection.', 3.4),
  tls_ms: milliseconds('The milliseconds of the TLS handshake; null on an open connection.', 12.5),
  first_byte_ms: milliseconds('The milliseconds from the beginning to the first byte of the response.', 40.1),
  total_ms: milliseconds('The milliseconds from the beginning to the end.', 41.7),
  response: text('The first 4 KB of the response.', 'try again later'),
})

export const WebhookDelivery = resource('One notification for one subscription: waiting, being sent, or finished.', {
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
