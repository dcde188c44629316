/** The client of Usher. */
export type {
  AttributeInput,
  AttributeInputs,
  AttributesOf,
  AttributeValue,
  DataType,
  Definitions,
  EventName,
} from './attributes.ts'
export type { BatchOperation, BatchOptions, BatchResult, BatchResults } from './batch.ts'
export { defineBanner, defineChecklist, defineFlow, defineLauncher } from './define.ts'
export type {
  BannerDocument,
  ChecklistDocument,
  Condition,
  ContentDocument,
  FlowDocument,
  LauncherDocument,
  ThemeDocument,
} from './documents.ts'
export * from './errors.ts'
export {
  type DroppedEvent,
  type DropReason,
  EventBuffer,
  type EventBufferOptions,
} from './event-buffer.ts'
export type { Event, ExpandPath, Group, GroupMembership, User } from './expand.ts'
export type {
  AttributeDefinition,
  ClaimContent,
  Content,
  ContentClaim,
  ContentPush,
  ContentSession,
  ContentSessionAnswer,
  ContentVersion,
  CreatedWebhookSubscription,
  Decision,
  Deleted,
  ErrorCode,
  EventDefinition,
  PublishPlan,
  Question,
  Receipt,
  ReportProgress,
  RotatedWebhookSubscription,
  Segment,
  SegmentCount,
  Task,
  Theme,
  UserExport,
  WebhookDelivery,
  WebhookReplay,
  WebhookSubscription,
} from './generated.ts'
export { List, type Page } from './list.ts'
export type { RequestOptions, UsherOptions } from './options.ts'
export type { TrackEvent, UpsertGroup, UpsertMembership, UpsertUser } from './requests.ts'
export type {
  ListContent,
  ListContentVersions,
  ListThemes,
  PublishContent,
  PushContent,
  SaveContent,
  SaveTheme,
} from './resources/content.ts'
export type { ContentSessionExpansion, ListContentSessions } from './resources/content-sessions.ts'
export type { Decide } from './resources/decisions.ts'
export type { ListAttributeDefinitions, ListEventDefinitions } from './resources/definitions.ts'
export type { ListEvents } from './resources/events.ts'
export type { ListGroups } from './resources/groups.ts'
export type { CountSegment, ExplainSegment, ListSegments, SaveSegment } from './resources/segments.ts'
export type { ListUsers } from './resources/users.ts'
export type {
  CreateWebhookSubscription,
  ListWebhookDeliveries,
  ListWebhookSubscriptions,
  ReplayWebhookNotifications,
  RotateWebhookSecret,
  UpdateWebhookSubscription,
} from './resources/webhook-subscriptions.ts'
export { Usher } from './usher.ts'
export { expressWebhook } from './webhooks/express.ts'
export { fastifyWebhook } from './webhooks/fastify.ts'
export { fetchWebhook, type WebhookHandlerOptions } from './webhooks/handlers.ts'
export {
  type EventNotification,
  isEventNotification,
  isUserNotification,
  type UserNotification,
  type WebhookNotification,
} from './webhooks/notification.ts'
export { type HeadersLike, type VerifyOptions, verifyWebhook } from './webhooks/verify.ts'
