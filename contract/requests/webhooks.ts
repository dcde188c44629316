import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { addition, onlyNull, optional } from '../schema.ts'
import { TOPIC_PATTERN, TOPIC_RULE } from '../topics.ts'
import { Type } from '../type.ts'
import { type Version, versionNames } from '../versions.ts'
import { assignedId, closed, resourceFields } from './fields.ts'

/** The bodies of requests about webhook subscriptions and deliveries. */

/** The form of a URL that may be subscribed. What its host leads to, and a port, are checked in code alone. */
export const URL_PATTERN = '^[hH][tT][tT][pP][sS]?://[^\\s\\\\/?#@]+([/?][^\\s\\\\#]*)?$'

const url = {
  type: 'string',
  description: 'The address that receives the notifications: https, without credentials and fragment.',
  examples: ['https://example.com/hooks'],
  minLength: 1,
  maxLength: limits.urlCharacters,
  'x-states': { pattern: URL_PATTERN },
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
    'x-states': { pattern: TOPIC_PATTERN },
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
    disabled: addition(settings.disabled),
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

export const RotateWebhookSecret = Type.Object(
  {
    old_secret_expires_in: optional<number>({
      type: 'integer',
      minimum: 0,
      maximum: limits.secretOverlapSeconds,
      description:
        'How many seconds the old secret still signs. Defaults to a day; 0 ends it at once, and those of earlier rotations.',
      examples: [86_400],
    }),
  },
  closed('How to rotate a secret.', { old_secret_expires_in: 86_400 }),
)

export const ReplayWebhookNotifications = Type.Object(
  {
    since: Type.String({
      description: 'Notifications from this time on are sent again.',
      examples: ['2026-01-03T09:00:00Z'],
      maxLength: limits.timeCharacters,
      'x-check': 'date-time',
    }),
    until: optional<string>({
      type: 'string',
      description: 'Notifications before this time are sent again. Defaults to now.',
      examples: ['2026-01-03T10:00:00Z'],
      maxLength: limits.timeCharacters,
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

export const RetryWebhookDelivery = Type.Object({}, closed('An empty object.', {}))
export const TestWebhookSubscription = Type.Object({}, closed('An empty object.', {}))

export type CreateWebhookSubscription = Static<typeof CreateWebhookSubscription>
export type UpdateWebhookSubscription = Static<typeof UpdateWebhookSubscription>
export type RotateWebhookSecret = Static<typeof RotateWebhookSecret>
export type ReplayWebhookNotifications = Static<typeof ReplayWebhookNotifications>
