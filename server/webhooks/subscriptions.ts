import type { CreateWebhookSubscription, UpdateWebhookSubscription } from '../../contract/requests/webhooks.ts'
import { newSecret } from '../../contract/signature.ts'
import { latestVersion } from '../../contract/versions.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { type ApiError, errors } from '../errors.ts'
import type { SharedSecrets } from '../secrets/shared-secrets.ts'
import { afterRotation, placeOf } from './secrets.ts'
import {
  lockSecrets,
  type NewSubscription,
  type SubscriptionChange,
  type SubscriptionRow,
  updateSecrets,
} from './subscription-queries.ts'

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

export function subscriptionChange(id: string, body: UpdateWebhookSubscription): SubscriptionChange {
  return {
    id,
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

export function newRotation(id: string, oldExpiresInSeconds: number): Rotation {
  const nowMs = Date.now()
  const oldExpiresAt = oldExpiresInSeconds === 0 ? undefined : new Date(nowMs + oldExpiresInSeconds * 1000)
  return { id, secret: newSecret(), oldExpiresAt, nowMs }
}

export async function rotateSecret(
  transaction: Transaction,
  environmentId: EnvironmentId,
  { id, secret, oldExpiresAt, nowMs }: Rotation,
  secrets: SharedSecrets,
): Promise<SubscriptionRow | ApiError> {
  const current = await lockSecrets(transaction, environmentId, id)
  if (!current) return errors.notFound('Webhook subscription', id)
  const previous = afterRotation(current, oldExpiresAt, nowMs)
  if (!previous) return errors.tooManySecrets()
  const sealed = secrets.seal(secret, placeOf(environmentId, id))
  await updateSecrets(transaction, environmentId, id, sealed, previous)
  return current
}
