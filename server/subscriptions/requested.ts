import type { CreateWebhookSubscription, UpdateWebhookSubscription } from '../../contract/requests/webhooks.ts'
import { newSecret } from '../../contract/signature.ts'
import { latestVersion } from '../../contract/versions.ts'
import type { EnvironmentId } from '../database/database.ts'
import { type ApiError, errors } from '../errors.ts'
import type { SharedSecrets } from '../secrets/shared-secrets.ts'
import type { NewSubscription, StoredSubscription, SubscriptionFields } from './queries.ts'
import { afterRotation, placeOf } from './secrets.ts'

/** A subscription before it has its position in the order of commits. */
export type RequestedSubscription = Omit<NewSubscription, 'id' | 'at'>

export function requestedSubscription(body: CreateWebhookSubscription): RequestedSubscription {
  return {
    url: body.url,
    topics: [...new Set(body.topics)],
    apiVersion: body.api_version ?? latestVersion,
    disabled: body.disabled ?? false,
    secret: newSecret(),
  }
}

export function changedFields(body: UpdateWebhookSubscription): SubscriptionFields {
  return {
    url: body.url ?? undefined,
    topics: body.topics ? [...new Set(body.topics)] : undefined,
    apiVersion: body.api_version ?? undefined,
    disabled: body.disabled ?? undefined,
  }
}

export interface Rotation {
  id: string
  secret: string
  /** Undefined ends the old secrets at once. */
  oldExpiresAt: Date | undefined
  nowMs: number
}

/** `nowMs` by the clock of the database, which says when the old secret signs no more. */
export function newRotation(id: string, oldExpiresInSeconds: number, nowMs: number): Rotation {
  const oldExpiresAt = oldExpiresInSeconds === 0 ? undefined : new Date(nowMs + oldExpiresInSeconds * 1000)
  return { id, secret: newSecret(), oldExpiresAt, nowMs }
}

/** The subscription with the new secret, sealed. */
export function rotated(
  environmentId: EnvironmentId,
  current: StoredSubscription | undefined,
  { id, secret, oldExpiresAt, nowMs }: Rotation,
  secrets: SharedSecrets,
): StoredSubscription | ApiError {
  if (!current) return errors.notFound('Webhook subscription', id)
  const previous = afterRotation(current, oldExpiresAt, nowMs)
  if (!previous) return errors.tooManySecrets()
  const sealed = secrets.seal(secret, placeOf(environmentId, id))
  return { ...current, secret: sealed, previous_secrets: JSON.stringify(previous) }
}
