import type { AuditedChange, Origin } from '../audit/record.ts'
import type { Right } from '../batches/right.ts'
import type { Stamp } from '../batches/stamp.ts'
import type { EnvironmentId } from '../database/database.ts'
import { ApiError, errors } from '../errors.ts'
import type { SharedSecrets } from '../secrets/shared-secrets.ts'
import type { NewSubscription, StoredSubscription, SubscriptionFields, SubscriptionRow } from './queries.ts'
import { type RequestedSubscription, type Rotation, rotated } from './requested.ts'
import { placeOf } from './secrets.ts'

/** The subscriptions of an environment while a job of the write queue changes them. */
export interface SubscriptionChange {
  readonly environmentId: EnvironmentId
  readonly stamp: Stamp
  /** Whether the environment may have one more. */
  readonly hasRoom: boolean
  get(id: string): StoredSubscription | undefined
  put(row: StoredSubscription): void
  remove(id: string): void
  /** Makes the entry of the change in the audit log, in the same transaction. */
  record(change: AuditedChange): void
}

/** A change of a webhook subscription: it is created, changed, gets a new secret, or is deleted. */
export interface ChangeSubscriptionJob<Result = unknown> {
  kind: 'subscription'
  /** Undefined: it is created. */
  id: string | undefined
  origin: Origin
  /** Of a member. API keys and the command line may change everything. */
  right?: Right
  /** Changes the subscription, which the batch stores; or refuses, and then changes nothing. */
  change(change: SubscriptionChange): Result | ApiError
}

/** Its secret is stored sealed, and returned as it is. */
export function creation(
  requested: RequestedSubscription,
  origin: Origin,
  secrets: SharedSecrets,
): ChangeSubscriptionJob<NewSubscription> {
  const change = ({ environmentId, stamp, hasRoom, put, record }: SubscriptionChange) => {
    if (!hasRoom) return errors.tooManySubscriptions()
    const created = { ...requested, id: stamp.newId(), at: stamp.at }
    const { apiVersion: api_version, at: created_at, ...given } = created
    const secret = secrets.seal(given.secret, placeOf(environmentId, created.id))
    const row: StoredSubscription = { ...given, api_version, created_at, secret, previous_secrets: '[]' }
    put(row)
    record(entryOf('endpoint.created', row, origin, { after: shown(row) }))
    return created
  }
  return { kind: 'subscription', id: undefined, origin, change }
}

export function update(id: string, fields: SubscriptionFields, origin: Origin): ChangeSubscriptionJob<SubscriptionRow> {
  const change = ({ get, put, record }: SubscriptionChange) => {
    const before = get(id)
    if (!before) return errors.notFound('Webhook subscription', id)
    const after = { ...before, ...given(fields) }
    put(after)
    const sides = { before: shown(before), after: shown(after) }
    if (JSON.stringify(sides.before) !== JSON.stringify(sides.after))
      record(entryOf('endpoint.changed', after, origin, sides))
    return after
  }
  return { kind: 'subscription', id, origin, change }
}

export function rotation(
  requested: Rotation,
  origin: Origin,
  secrets: SharedSecrets,
): ChangeSubscriptionJob<SubscriptionRow> {
  const { id } = requested
  const change = ({ environmentId, get, put, record }: SubscriptionChange) => {
    const row = rotated(environmentId, get(id), requested, secrets)
    if (row instanceof ApiError) return row
    put(row)
    record(entryOf('endpoint.secret_rotated', row, origin))
    return row
  }
  return { kind: 'subscription', id, origin, change }
}

/** Deliveries of a deleted subscription are never sent. They are deleted later (server/webhooks/delivery/claimer.ts). */
export function removal(id: string, origin: Origin): ChangeSubscriptionJob<true> {
  const change = ({ get, remove, record }: SubscriptionChange): true => {
    const row = get(id)
    if (row) {
      remove(id)
      record(entryOf('endpoint.deleted', row, origin, { before: shown(row) }))
    }
    return true
  }
  return { kind: 'subscription', id, origin, change }
}

/** Undefined fields are not changed. */
function given({ url, topics, apiVersion, disabled }: SubscriptionFields): Partial<StoredSubscription> {
  const fields = { url, topics, api_version: apiVersion, disabled }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function entryOf(
  action: AuditedChange['action'],
  { id, url }: SubscriptionRow,
  { environment }: Origin,
  sides: Pick<AuditedChange, 'before' | 'after'> = {},
): AuditedChange {
  return { action, target: { id, name: url }, environment, ...sides }
}

/** The secret is not in the log. */
function shown({ url, topics, disabled, api_version }: SubscriptionRow): object {
  return { url, topics, disabled, api_version }
}
