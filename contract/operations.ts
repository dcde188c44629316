import type { TObject } from 'typebox'
import { RunBatch } from './batch.ts'
import type { ErrorCode } from './errors.ts'
import { limits } from './limits.ts'
import {
  ExpandQuery,
  ListAttributeDefinitionsQuery,
  ListEventDefinitionsQuery,
  ListEventsQuery,
  ListGroupsQuery,
  ListUsersQuery,
  ListWebhookDeliveriesQuery,
  ListWebhookSubscriptionsQuery,
  RemoveMembershipQuery,
} from './queries.ts'
import {
  CreateWebhookSubscription,
  ReplayWebhookNotifications,
  RetryWebhookDelivery,
  RotateWebhookSecret,
  TestWebhookSubscription,
  TrackEvent,
  UpdateWebhookSubscription,
  UpsertGroup,
  UpsertUser,
} from './requests.ts'
import type { ResourceName } from './resources.ts'

export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** It may end in a placeholder: `/users/:user_id`. */
  path: string
  tag: string
  summary: string
  description: string
  query?: TObject
  body?: TObject
  /** The body may be left out. */
  hasOptionalBody?: boolean
  /** The largest body, where it is not the usual one. */
  bodyBytes?: number
  response: ResourceName
  /** The failures it can have beside those that every operation has. */
  errors?: readonly ErrorCode[]
  /** Not in the contract: a client that does not use it need not know it. */
  isAddition?: boolean
}

/** Every operation of the contract: the routes, their validation, the OpenAPI document and the tests that walk them all come from here. */
export const operations = {
  upsertUser: {
    method: 'POST',
    path: '/users',
    tag: 'Users',
    summary: 'Create or update a user',
    description:
      'Creates the user when the id is new; otherwise merges the attributes into the stored ones. All of the request is stored, or nothing.',
    query: ExpandQuery,
    body: UpsertUser,
    response: 'User',
    errors: ['feature_not_available'],
  },
  getUser: {
    method: 'GET',
    path: '/users/:user_id',
    tag: 'Users',
    summary: 'Get a user',
    description: 'Returns the user with all attributes.',
    query: ExpandQuery,
    response: 'User',
    errors: ['not_found'],
  },
  deleteUser: {
    method: 'DELETE',
    path: '/users/:user_id',
    tag: 'Users',
    summary: 'Delete a user',
    description:
      'Permanently deletes the user with its attributes, memberships, events, flow history and the stored notifications about it. Its groups remain. Answers the same when there is no such user.',
    response: 'Deleted',
  },
  listUsers: {
    method: 'GET',
    path: '/users',
    tag: 'Users',
    summary: 'List users',
    description: 'Returns a page of the users of the environment.',
    query: ListUsersQuery,
    response: 'UserList',
  },
  exportUser: {
    method: 'GET',
    path: '/users/:user_id/export',
    tag: 'Users',
    summary: 'Export a user',
    description:
      'Returns everything that is held about one user as one document: its attributes, memberships with their groups, events, and the stored notifications about it. It is sent as it is read, so it may be of any size. Events of a user that was never created are exported too; 404 when nothing is held.',
    response: 'UserExport',
    errors: ['not_found'],
    isAddition: true,
  },
  upsertGroup: {
    method: 'POST',
    path: '/groups',
    tag: 'Groups',
    summary: 'Create or update a group',
    description: 'Creates the group when the id is new; otherwise merges the attributes into the stored ones.',
    query: ExpandQuery,
    body: UpsertGroup,
    response: 'Group',
    errors: ['feature_not_available'],
  },
  getGroup: {
    method: 'GET',
    path: '/groups/:group_id',
    tag: 'Groups',
    summary: 'Get a group',
    description: 'Returns the group with all attributes.',
    query: ExpandQuery,
    response: 'Group',
    errors: ['not_found'],
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/groups/:group_id',
    tag: 'Groups',
    summary: 'Delete a group',
    description:
      'Permanently deletes the group with its attributes, memberships, events and the stored notifications about it. Its members remain. Answers the same when there is no such group.',
    response: 'Deleted',
  },
  listGroups: {
    method: 'GET',
    path: '/groups',
    tag: 'Groups',
    summary: 'List groups',
    description: 'Returns a page of the groups of the environment.',
    query: ListGroupsQuery,
    response: 'GroupList',
  },
  removeMembership: {
    method: 'DELETE',
    path: '/group_memberships',
    tag: 'Groups',
    summary: 'Remove a user from a group',
    description:
      'Removes the membership; the user and the group remain. Answers the same when the user was not a member.',
    query: RemoveMembershipQuery,
    response: 'Deleted',
  },
  trackEvent: {
    method: 'POST',
    path: '/events',
    tag: 'Events',
    summary: 'Track an event',
    description: 'Stores an event of a user, a group, or both. Neither is created by it.',
    query: ExpandQuery,
    body: TrackEvent,
    response: 'Event',
  },
  listEvents: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'List events',
    description:
      'Returns a page of the events of the environment, the newest first. The order of `created_at` is the order in which they were stored.',
    query: ListEventsQuery,
    response: 'EventList',
    isAddition: true,
  },
  getEvent: {
    method: 'GET',
    path: '/events/:event_id',
    tag: 'Events',
    summary: 'Get an event',
    description: 'Returns the event with all attributes.',
    query: ExpandQuery,
    response: 'Event',
    errors: ['not_found'],
    isAddition: true,
  },
  deleteEvent: {
    method: 'DELETE',
    path: '/events/:event_id',
    tag: 'Events',
    summary: 'Delete an event',
    description:
      'Permanently deletes the event. A notification of it that is waiting is still delivered. Answers the same when there is no such event.',
    response: 'Deleted',
    isAddition: true,
  },
  listAttributeDefinitions: {
    method: 'GET',
    path: '/attribute_definitions',
    tag: 'Definitions',
    summary: 'List attribute definitions',
    description: 'Returns a page of the attribute names that have been seen.',
    query: ListAttributeDefinitionsQuery,
    response: 'AttributeDefinitionList',
  },
  listEventDefinitions: {
    method: 'GET',
    path: '/event_definitions',
    tag: 'Definitions',
    summary: 'List event definitions',
    description: 'Returns a page of the event names that have been seen.',
    query: ListEventDefinitionsQuery,
    response: 'EventDefinitionList',
  },
  createWebhookSubscription: {
    method: 'POST',
    path: '/webhook_subscriptions',
    tag: 'Webhooks',
    summary: 'Create a webhook subscription',
    description:
      'Notifications begin immediately, for everything that happens afterwards. The response is the only one that shows the secret.',
    body: CreateWebhookSubscription,
    response: 'CreatedWebhookSubscription',
  },
  getWebhookSubscription: {
    method: 'GET',
    path: '/webhook_subscriptions/:webhook_subscription_id',
    tag: 'Webhooks',
    summary: 'Get a webhook subscription',
    description: 'Returns the subscription, without its secret.',
    response: 'WebhookSubscription',
    errors: ['not_found'],
  },
  updateWebhookSubscription: {
    method: 'PATCH',
    path: '/webhook_subscriptions/:webhook_subscription_id',
    tag: 'Webhooks',
    summary: 'Update a webhook subscription',
    description:
      'Changes the fields that are given. `disabled: true` stops notifications immediately; a new `url` also applies to deliveries that are waiting.',
    body: UpdateWebhookSubscription,
    response: 'WebhookSubscription',
    errors: ['not_found'],
  },
  deleteWebhookSubscription: {
    method: 'DELETE',
    path: '/webhook_subscriptions/:webhook_subscription_id',
    tag: 'Webhooks',
    summary: 'Delete a webhook subscription',
    description:
      'Permanently deletes the subscription; notifications stop immediately. Answers the same when there is no such subscription.',
    response: 'Deleted',
  },
  listWebhookSubscriptions: {
    method: 'GET',
    path: '/webhook_subscriptions',
    tag: 'Webhooks',
    summary: 'List webhook subscriptions',
    description: 'Returns a page of the subscriptions, without their secrets.',
    query: ListWebhookSubscriptionsQuery,
    response: 'WebhookSubscriptionList',
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/webhook_subscriptions/:webhook_subscription_id/deliveries',
    tag: 'Webhooks',
    summary: 'List the deliveries of a subscription',
    description:
      'Returns a page of the deliveries of the last 30 days, the newest first, with their state and why they are not being sent right now.',
    query: ListWebhookDeliveriesQuery,
    response: 'WebhookDeliveryList',
    errors: ['not_found'],
    isAddition: true,
  },
  retryWebhookDelivery: {
    method: 'POST',
    path: '/webhook_subscriptions/:webhook_subscription_id/deliveries/:delivery_id/retry',
    tag: 'Webhooks',
    summary: 'Retry a delivery now',
    description:
      'Makes a delivery due now, whatever it waits for; one that is finished is sent again. One that is being sent is left alone.',
    body: RetryWebhookDelivery,
    hasOptionalBody: true,
    response: 'WebhookDelivery',
    errors: ['not_found'],
    isAddition: true,
  },
  testWebhookSubscription: {
    method: 'POST',
    path: '/webhook_subscriptions/:webhook_subscription_id/test',
    tag: 'Webhooks',
    summary: 'Send a test notification',
    description:
      'Sends an event named `webhook_test` to the subscription, whatever its topics, and waits for the outcome of the first attempt: 16 seconds at most, of which the receiver has 15.',
    body: TestWebhookSubscription,
    hasOptionalBody: true,
    response: 'WebhookDelivery',
    errors: ['not_found'],
    isAddition: true,
  },
  replayWebhookNotifications: {
    method: 'POST',
    path: '/webhook_subscriptions/:webhook_subscription_id/replay',
    tag: 'Webhooks',
    summary: 'Send the notifications of a time range again',
    description:
      'Sends again what happened in a time range, as far as the subscription receives its topics, whether or not it was delivered before. Notifications are kept for 30 days.',
    body: ReplayWebhookNotifications,
    response: 'WebhookReplay',
    errors: ['not_found'],
    isAddition: true,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhook_subscriptions/:webhook_subscription_id/rotate_secret',
    tag: 'Webhooks',
    summary: 'Rotate the secret of a subscription',
    description:
      'Makes a new secret. The old one signs along for the chosen time: the signature header then has a `v1` for each, the new one first.',
    body: RotateWebhookSecret,
    hasOptionalBody: true,
    response: 'RotatedWebhookSubscription',
    errors: ['not_found'],
    isAddition: true,
  },
  runBatch: {
    method: 'POST',
    path: '/batch',
    tag: 'Batch',
    summary: 'Carry out many operations',
    description:
      'Carries out writes of users, groups and events in the order given, and answers one result for each. An operation that fails does not stop the others, unless the batch is `atomic`. It costs as many requests of the rate limit as it has operations.',
    body: RunBatch,
    bodyBytes: limits.batchBodyBytes,
    response: 'Batch',
    errors: ['feature_not_available'],
    isAddition: true,
  },
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations

/** The failures that any operation can have. */
export const commonErrors: readonly ErrorCode[] = [
  'invalid_params',
  'invalid_json',
  'https_required',
  'invalid_api_key',
  'unknown_url',
  'method_not_allowed',
  'not_acceptable',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'overloaded',
  'unavailable',
]

/** The path parameters of an operation, all of them ids. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
}
