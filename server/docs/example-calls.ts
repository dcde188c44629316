import { exampleBanner, exampleLauncher } from '../../contract/content/examples.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import type { OperationName } from '../../contract/operations.ts'

/** The example request of an operation in the reference. The answers are recorded from a server (examples.json). */
export interface ExampleCall {
  operation: OperationName
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | string[]>
  body?: unknown
}

export const exampleIds = {
  user: 'u_1',
  group: 'g_1',
  subscription: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
  event: '019b7a1d-8c40-7a51-b2f0-6d3c5e9a1f20',
  segment: 'growing-teams',
  delivery: '019b7a1f-10a0-7d42-8e61-3b7c9d0e2f41',
  content: '019b7a1f-2c00-7f13-9a42-5e6f7a8b9c0d',
  version: '019b7a1f-2c00-7f14-8b53-6f7a8b9c0d1e',
  session: '019b7a20-44b0-7e13-9a52-1c8d2f3e4a50',
}

/** Tests replace it with their own receiver. */
export const exampleReceiver = 'https://example.com/hooks/usher'

const group = { id: exampleIds.group, attributes: { name: 'Analytical Engines', plan: 'growth' } }

/** Every operation, in the order in which they are recorded: calls read what earlier ones have written. */
const calls: Record<OperationName, Omit<ExampleCall, 'operation'>> = {
  upsertGroup: { body: group },
  upsertUser: {
    query: { expand: ['memberships.group'] },
    body: {
      id: exampleIds.user,
      attributes: { name: 'Ada', email: 'ada@example.com', signed_up_at: '2026-01-03T09:30:00Z', logins: { add: 1 } },
      memberships: [{ group: { id: exampleIds.group }, attributes: { role: 'owner' } }],
    },
  },
  trackEvent: {
    body: {
      name: 'subscription_activated',
      user_id: exampleIds.user,
      group_id: exampleIds.group,
      attributes: { plan: 'growth', seats: 5 },
      time: '2026-01-03T09:29:58Z',
    },
  },
  runBatch: {
    body: {
      operations: [
        { method: 'POST', path: '/users', body: { id: exampleIds.user, attributes: { logins: { add: 1 } } } },
        { method: 'POST', path: '/events', body: { name: 'signed_in', user_id: exampleIds.user } },
        { method: 'POST', path: '/events', body: { name: 'not!a name', user_id: exampleIds.user } },
      ],
    },
  },
  listEvents: { query: { user_id: exampleIds.user, name: 'subscription_activated', limit: 20 } },
  getEvent: { params: { event_id: exampleIds.event }, query: { expand: ['user'] } },
  getUser: { params: { user_id: exampleIds.user } },
  exportUser: { params: { user_id: exampleIds.user } },
  listUsers: { query: { group_id: exampleIds.group, order_by: ['-created_at'], limit: 20 } },
  getGroup: { params: { group_id: exampleIds.group }, query: { expand: ['users'] } },
  listGroups: { query: { user_id: exampleIds.user } },
  listAttributeDefinitions: { query: { event_name: ['subscription_activated'] } },
  listEventDefinitions: {},
  saveSegment: {
    body: {
      key: exampleIds.segment,
      name: 'Growing teams',
      condition: {
        all: [
          { attribute: 'plan', of: 'group', is: 'one_of', values: ['growth', 'scale'] },
          { event: 'subscription_activated', at_least: 1, within: '30d' },
        ],
      },
    },
  },
  countSegment: { body: { segment: exampleIds.segment } },
  explainSegment: { body: { segment: exampleIds.segment, user_id: exampleIds.user } },
  getSegment: { params: { segment_id: exampleIds.segment } },
  listSegments: { query: { order_by: ['name'] } },
  createWebhookSubscription: {
    body: { url: exampleReceiver, topics: ['user.created', 'event.tracked'] },
  },
  getWebhookSubscription: { params: { webhook_subscription_id: exampleIds.subscription } },
  listWebhookSubscriptions: {},
  updateWebhookSubscription: {
    params: { webhook_subscription_id: exampleIds.subscription },
    body: { topics: ['user', 'event.tracked.subscription_activated'] },
  },
  testWebhookSubscription: { params: { webhook_subscription_id: exampleIds.subscription }, body: {} },
  getWebhookDelivery: {
    params: { webhook_subscription_id: exampleIds.subscription, delivery_id: exampleIds.delivery },
  },
  retryWebhookDelivery: {
    params: { webhook_subscription_id: exampleIds.subscription, delivery_id: exampleIds.delivery },
    body: {},
  },
  listWebhookDeliveries: {
    params: { webhook_subscription_id: exampleIds.subscription },
    query: { state: ['given_up'], limit: 20 },
  },
  replayWebhookNotifications: {
    params: { webhook_subscription_id: exampleIds.subscription },
    body: { since: '2026-01-03T00:00:00Z', until: '2026-01-04T00:00:00Z', dry_run: true },
  },
  rotateWebhookSecret: {
    params: { webhook_subscription_id: exampleIds.subscription },
    body: { old_secret_expires_in: 3600 },
  },
  saveTheme: { body: { ...defaultTheme, key: 'brand', name: 'Brand' } },
  listThemes: {},
  saveContent: { body: { ...exampleBanner, theme: 'brand' } },
  getContent: { params: { content_id: exampleIds.content }, query: { expand: ['draft_version'] } },
  publishContent: { params: { content_id: exampleIds.content }, body: { description: 'Sunday' } },
  decide: { body: { user_id: exampleIds.user, receipts: true } },
  listContent: { query: { type: 'banner', order_by: ['-created_at'] } },
  listContentVersions: { query: { content_id: exampleIds.content } },
  getContentVersion: { params: { content_version_id: exampleIds.version }, query: { expand: ['document'] } },
  claimContent: { body: { content: exampleBanner.key, user_id: exampleIds.user, holder: 'browser-7f3a' } },
  reportProgress: {
    params: { content_session_id: exampleIds.session },
    body: { holder: 'browser-7f3a', epoch: 1, reports: [{ sequence: 1, type: 'shown' }] },
  },
  getContentSession: { params: { content_session_id: exampleIds.session } },
  listContentSessions: { query: { user_id: exampleIds.user, order_by: ['-created_at'], limit: 20 } },
  endContentSession: { params: { content_session_id: exampleIds.session }, body: {} },
  deleteContentSession: { params: { content_session_id: exampleIds.session } },
  forgetContentSessions: { query: { content: exampleBanner.key, user_id: exampleIds.user } },
  pushContent: { body: { documents: [{ document: { ...exampleLauncher, do: [] } }] } },
  unpublishContent: { params: { content_id: exampleIds.content }, body: {} },
  deleteContent: { params: { content_id: exampleIds.content } },
  deleteWebhookSubscription: { params: { webhook_subscription_id: exampleIds.subscription } },
  deleteSegment: { params: { segment_id: exampleIds.segment } },
  deleteEvent: { params: { event_id: exampleIds.event } },
  removeMembership: { query: { user_id: exampleIds.user, group_id: exampleIds.group } },
  deleteUser: { params: { user_id: exampleIds.user } },
  deleteGroup: { params: { group_id: exampleIds.group } },
}

export const exampleCalls = Object.entries(calls).map(
  ([operation, call]): ExampleCall => ({ operation: operation as OperationName, ...call }),
)

export function pathOfCall(path: string, { params = {}, query = {} }: ExampleCall): string {
  const filled = path.replace(/[{:](\w+)\}?/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const parts = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 1
      ? value.map((item) => `${name}[]=${encodeURIComponent(item)}`)
      : `${name}=${encodeURIComponent(String(value))}`,
  )
  return filled + (parts.length > 0 ? `?${parts.join('&')}` : '')
}
