import { limits } from '../../contract/limits.ts'
import { type Actor, type AuditedChange, record } from '../audit/record.ts'
import type { Work } from '../batches/work.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { ApiError, errors } from '../errors.ts'
import type { SharedSecrets } from '../secrets/shared-secrets.ts'
import { placeOf } from './secrets.ts'
import {
  countSubscriptions,
  deleteSubscription,
  insertSubscriptions,
  lockSubscription,
  lockSubscriptionCount,
  type NewSubscription,
  type SubscriptionChange,
  type SubscriptionRow,
  updateSubscription,
} from './subscription-queries.ts'
import { type RequestedSubscription, type Rotation, rotateSecret } from './subscriptions.ts'

/** Who asks for a change, and the slug of the environment that it is made in. */
export interface Origin {
  actor: Actor
  environment: string
}

export interface SubscriptionRequest<Job> {
  job: Job
  origin: Origin
}

/**
 * Creates subscriptions. Their secrets are stored sealed, and returned as they are. The lock serialises creations in one environment on all nodes, so that the limit is exact. Times are
 * assigned under it, in the order of the commits, so that a client that follows the end of the list misses none.
 */
const creation =
  (secrets: SharedSecrets): Work<SubscriptionRequest<RequestedSubscription>, NewSubscription> =>
  async (transaction, environmentId, requests, turn) => {
    await lockSubscriptionCount(transaction, environmentId)
    const free = Math.max(
      0,
      limits.subscriptionsPerEnvironment - (await countSubscriptions(transaction, environmentId)),
    )
    const stamp = await turn.enter(true)
    const created = requests.slice(0, free).map(({ job }) => ({ ...job, id: stamp.newId(), at: stamp.at }))
    const sealed = created.map((row) => ({ ...row, secret: secrets.seal(row.secret, placeOf(environmentId, row.id)) }))
    await insertSubscriptions(transaction, environmentId, sealed)
    for (const [index, { apiVersion: api_version, ...row }] of created.entries()) {
      const { origin } = requests[index] as SubscriptionRequest<RequestedSubscription>
      await recordChange(transaction, origin, 'endpoint.created', row, { after: shown({ ...row, api_version }) })
    }
    return requests.map((_, index) => created[index] ?? errors.tooManySubscriptions())
  }

export interface SubscriptionSide {
  secrets: SharedSecrets
  changed(environmentId: EnvironmentId, subscriptionId: string): void
}

/** Changes of subscriptions, each in one transaction with its entry in the audit log. */
export function subscriptionWorks({ secrets, changed }: SubscriptionSide) {
  /** One job after the other, so that two of one subscription see each other's change. */
  const eachOf =
    <Job, Result>(run: Run<Job, Result>, idOf: (job: Job) => string): Work<SubscriptionRequest<Job>, Result> =>
    async (transaction, environmentId, requests) => {
      const results: (Result | ApiError)[] = []
      for (const { job, origin } of requests) results.push(await run(transaction, environmentId, job, origin))
      transaction.afterCommit(() => {
        for (const { job } of requests) changed(environmentId, idOf(job))
      })
      return results
    }
  return {
    create: creation(secrets),
    update: eachOf(updateOne, ({ id }) => id),
    rotate: eachOf(rotation(secrets), ({ id }) => id),
    remove: eachOf(removeOne, (id) => id),
  }
}

type Run<Job, Result> = (
  transaction: Transaction,
  environmentId: EnvironmentId,
  job: Job,
  origin: Origin,
) => Promise<Result | ApiError>

const updateOne: Run<SubscriptionChange, SubscriptionRow> = async (transaction, environmentId, change, origin) => {
  const before = await lockSubscription(transaction, environmentId, change.id)
  if (!before) return errors.notFound('Webhook subscription', change.id)
  const after = await updateSubscription(transaction, environmentId, change)
  const sides = { before: shown(before), after: shown(after) }
  if (JSON.stringify(sides.before) !== JSON.stringify(sides.after))
    await recordChange(transaction, origin, 'endpoint.changed', after, sides)
  return after
}

const rotation =
  (secrets: SharedSecrets): Run<Rotation, SubscriptionRow> =>
  async (transaction, environmentId, job, origin) => {
    const row = await rotateSecret(transaction, environmentId, job, secrets)
    if (!(row instanceof ApiError)) await recordChange(transaction, origin, 'endpoint.secret_rotated', row)
    return row
  }

/** Deliveries of a deleted subscription are never sent. They are deleted later (server/webhooks/delivery/claimer.ts). */
const removeOne: Run<string, true> = async (transaction, environmentId, id, origin) => {
  const row = await deleteSubscription(transaction, environmentId, id)
  if (row) await recordChange(transaction, origin, 'endpoint.deleted', row, { before: shown(row) })
  return true
}

async function recordChange(
  transaction: Transaction,
  { actor, environment }: Origin,
  action: AuditedChange['action'],
  { id, url }: Pick<SubscriptionRow, 'id' | 'url'>,
  sides: Pick<AuditedChange, 'before' | 'after'> = {},
): Promise<void> {
  await record(transaction, actor, { action, target: { id, name: url }, environment, ...sides })
}

/** The secret is not in the log. */
function shown({ url, topics, disabled, api_version }: Omit<SubscriptionRow, 'id' | 'created_at'>): object {
  return { url, topics, disabled, api_version }
}
