import { RunBatch } from '../../contract/requests/batch.ts'
import {
  Decide,
  PublishContent,
  PushContent,
  SaveContent,
  SaveTheme,
  UnpublishContent,
} from '../../contract/requests/content.ts'
import { TrackEvent, UpsertGroup, UpsertUser } from '../../contract/requests/objects.ts'
import { CountSegment, ExplainSegment, SaveSegment } from '../../contract/requests/segments.ts'
import { ClaimContent, EndContentSession, ReportProgress } from '../../contract/requests/sessions.ts'
import {
  CreateWebhookSubscription,
  ReplayWebhookNotifications,
  RetryWebhookDelivery,
  RotateWebhookSecret,
  TestWebhookSubscription,
  UpdateWebhookSubscription,
} from '../../contract/requests/webhooks.ts'
import { type ResourceName, resources } from '../../contract/resources.ts'
import type { Reference, Schema } from './types.ts'

const requests = {
  UpsertUser,
  UpsertGroup,
  TrackEvent,
  CreateWebhookSubscription,
  UpdateWebhookSubscription,
  RetryWebhookDelivery,
  TestWebhookSubscription,
  ReplayWebhookNotifications,
  ClaimContent,
  ReportProgress,
  EndContentSession,
  RotateWebhookSecret,
  SaveSegment,
  CountSegment,
  ExplainSegment,
  RunBatch,
  SaveContent,
  PublishContent,
  UnpublishContent,
  SaveTheme,
  Decide,
  PushContent,
}

/** The schemas of the contract, by name: the resources, and the bodies of requests. */
export const schemas: Record<string, Schema> = stated(plain({ ...resources, ...requests }))

export function schemaRef(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}

export function resourceRef(name: ResourceName): Reference {
  return schemaRef(name)
}

const requestNames = new Map<unknown, string>(Object.entries(requests).map(([name, schema]) => [schema, name]))

export function requestName(body: unknown): string {
  const name = requestNames.get(body)
  if (name === undefined) throw new Error('the body of an operation has no name in server/openapi/schemas.ts')
  return name
}

/** Removes the additional properties of TypeBox, which are not enumerable. */
export function plain<T>(schema: unknown): T {
  return JSON.parse(JSON.stringify(schema)) as T
}

/** Puts the rules that code checks (`x-states`) in the place of their annotation. */
function stated<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(stated) as T
  const { 'x-states': rules = {}, ...rest } = value as Record<string, unknown>
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, stated(part)])),
    ...(rules as object),
  } as T
}

/** An example of a schema: its own, or one made from those of its fields. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1) as string] as Schema)
  if (schema.anyOf) return exampleOf(schema.anyOf[0] as Schema)
  if (schema.items) return [exampleOf(schema.items)]
  if (!schema.properties) return undefined
  return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field)]))
}
