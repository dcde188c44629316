import { Batch, Deleted, ErrorObject, listOf } from './resources/answers.ts'
import {
  Content,
  ContentPush,
  ContentVersion,
  Decision,
  PublishAnswer,
  PublishPlan,
  Question,
  Task,
  Theme,
} from './resources/content.ts'
import { AttributeDefinition, EventDefinition } from './resources/definitions.ts'
import { Event, Group, GroupMembership, User, UserExport } from './resources/objects.ts'
import { Receipt, Segment, SegmentCount } from './resources/segments.ts'
import { ContentClaim, ContentSession, ContentSessionAnswer, ReportedContentSession } from './resources/sessions.ts'
import {
  CreatedWebhookSubscription,
  RotatedWebhookSubscription,
  StoredNotification,
  WebhookAttempt,
  WebhookDelivery,
  WebhookNotification,
  WebhookReplay,
  WebhookSubscription,
} from './resources/webhooks.ts'

const lists = {
  User,
  Group,
  Event,
  AttributeDefinition,
  EventDefinition,
  WebhookSubscription,
  WebhookDelivery,
  Content,
  ContentVersion,
  Theme,
  Segment,
  ContentSession,
}

/** The objects of the API as they are in responses, by the name they have in the OpenAPI document. */
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
  Content,
  ContentVersion,
  Question,
  Task,
  Theme,
  PublishPlan,
  PublishAnswer,
  ContentPush,
  Segment,
  SegmentCount,
  Receipt,
  Decision,
  ContentSession,
  ContentSessionAnswer,
  ReportedContentSession,
  ContentClaim,
  Deleted,
  Batch,
  Error: ErrorObject,
  ...(Object.fromEntries(Object.keys(lists).map((name) => [`${name}List`, listOf(name)])) as Record<
    `${keyof typeof lists}List`,
    ReturnType<typeof listOf>
  >),
}

export type ResourceName = keyof typeof resources
