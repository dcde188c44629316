import { limits } from '../../contract/limits.ts'
import type { CreateWebhookSubscription, UpdateWebhookSubscription } from '../../contract/requests/webhooks.ts'
import { newSecret } from '../../contract/signature.ts'
import { latestVersion } from '../../contract/versions.ts'
import type { Work } from '../batches/work.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { type ApiError, errors } from '../errors.ts'
import { afterRotation } from './secrets.ts'
import {
  countSubscriptions,
  deleteSubscriptions,
  insertSubscriptions,
  lockSecrets,
  lockSubscriptionCount,
  type NewSubscription,
  type SubscriptionChange,
  type SubscriptionRow,
  updateSecrets,
  updateSubscription,
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

/**
 * The lock serialises creations in one environment on all nodes, so that the limit is exact. Times are assigned under it, in
 * the order of the commits, so that a client that follows the end of the list misses none.
 */
export const createSubscriptions: Work<RequestedSubscription, NewSubscription> = async (
  transaction,
  environmentId,
  jobs,
  turn,
) => {
  await lockSubscriptionCount(transaction, environmentId)
  const free = Math.max(0, limits.subscriptionsPerEnvironment - (await countSubscriptions(transaction, environmentId)))
  const stamp = await turn.enter(true)
  const created = jobs.slice(0, free).map((job) => ({ ...job, id: stamp.newId(), at: stamp.at }))
  await insertSubscriptions(transaction, environmentId, created)
  return jobs.map((_, index) => created[index] ?? errors.tooManySubscriptions())
}

type OnChange = (environmentId: EnvironmentId, subscriptionId: string) => void

export function updateSubscriptions(onChange: OnChange): Work<SubscriptionChange, SubscriptionRow> {
  return async (transaction, environmentId, jobs) => {
    const rows = await Promise.all(jobs.map((job) => updateSubscription(transaction, environmentId, job)))
    transaction.afterCommit(() => {
      for (const { id } of jobs) onChange(environmentId, id)
    })
    return rows.map((row, index): SubscriptionRow | ApiError => {
      return row ?? errors.notFound('Webhook subscription', jobs[index]?.id ?? '')
    })
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

export function rotateSecrets(onChange: OnChange): Work<Rotation, SubscriptionRow> {
  return async (transaction, environmentId, jobs) => {
    const results: (SubscriptionRow | ApiError)[] = []
    // One after the other: two rotations of one subscription see each other's secrets.
    for (const job of jobs) results.push(await rotateSecret(transaction, environmentId, job))
    transaction.afterCommit(() => {
      for (const { id } of jobs) onChange(environmentId, id)
    })
    return results
  }
}

export async function rotateSecret(
  transaction: Transaction,
  environmentId: EnvironmentId,
  { id, secret, oldExpiresAt, nowMs }: Rotation,
): Promise<SubscriptionRow | ApiError> {
  const current = await lockSecrets(transaction, environmentId, id)
  if (!current) return errors.notFound('Webhook subscription', id)
  const previous = afterRotation(current, oldExpiresAt, nowMs)
  if (!previous) return errors.tooManySecrets()
  await updateSecrets(transaction, environmentId, id, secret, previous)
  return current
}

/** Deliveries of a deleted subscription are never sent. They are deleted later (server/webhooks/delivery/claimer.ts). */
export function removeSubscriptions(onChange: OnChange): Work<string, true> {
  return async (transaction, environmentId, ids) => {
    await deleteSubscriptions(transaction, environmentId, ids)
    transaction.afterCommit(() => {
      for (const id of ids) onChange(environmentId, id)
    })
    return ids.map(() => true)
  }
}
