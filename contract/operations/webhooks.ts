import type { Operation } from '../operation.ts'
import { ListWebhookDeliveriesQuery, ListWebhookSubscriptionsQuery } from '../queries.ts'
import {
  CreateWebhookSubscription,
  ReplayWebhookNotifications,
  RetryWebhookDelivery,
  RotateWebhookSecret,
  TestWebhookSubscription,
  UpdateWebhookSubscription,
} from '../requests/webhooks.ts'

export const webhookOperations = {
  createWebhookSubscription: {
    method: 'POST',
    path: '/webhook_subscriptions',
    tag: 'Webhooks',
    summary: 'Create a webhook subscription',
    description:
      'Notifications begin immediately, for everything that happens afterwards. The response is the only one that shows the secret.',
    body: CreateWebhookSubscription,
    response: 'CreatedWebhookSubscription',
    secretFields: ['secret'],
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
      'Returns a page of the deliveries of the last 30 days, the newest first, with their state and why they are not being sent right now. While a user or group with thousands of notifications is being deleted, a page may have fewer than `limit`, or none, and still `has_more`: follow `next_page_url`.',
    query: ListWebhookDeliveriesQuery,
    response: 'WebhookDeliveryList',
    errors: ['not_found'],
    isAddition: true,
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/webhook_subscriptions/:webhook_subscription_id/deliveries/:delivery_id',
    tag: 'Webhooks',
    summary: 'Get a delivery',
    description:
      'Returns one delivery of the last 30 days, with its state, its last attempt, and why it is not being sent right now.',
    response: 'WebhookDelivery',
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
      'Sends an event named `webhook_test` to the subscription, whatever its topics, and waits for the outcome of the first attempt: 16 seconds at most, of which the receiver has 15. A repeat with the same Idempotency-Key sends nothing again, and answers with the delivery as it is then.',
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
      'Makes a new secret. The old one still signs for the chosen time: the signature header then has a `v1` for each, the new one first.',
    body: RotateWebhookSecret,
    hasOptionalBody: true,
    response: 'RotatedWebhookSubscription',
    secretFields: ['secret'],
    errors: ['not_found'],
    isAddition: true,
  },
} as const satisfies Record<string, Operation>
