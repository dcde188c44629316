import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import type { Outboxes } from '../outbox/outbox.ts'
import type { ChangeSubscriptionJob, SubscriptionChange } from '../subscriptions/changes.ts'
import type { StoredSubscription } from '../subscriptions/queries.ts'
import type { BatchState } from './batch-state.ts'
import type { JobKind, KindPart } from './kind.ts'

export interface SubscriptionServices {
  outboxes?: Outboxes
  /** Called after the commit for a subscription that was changed or deleted. */
  subscriptionChanged?: (environmentId: EnvironmentId, id: string) => void
}

/**
 * Changes webhook subscriptions. The jobs after it in the batch notify the subscription as it is then, and those before it
 * as it was.
 */
export function changeSubscription(services: SubscriptionServices): JobKind<ChangeSubscriptionJob, unknown> {
  return {
    about: ({ id }) => (id === undefined ? [] : [`subscription ${id}`]),
    load: (transaction, parts) =>
      Promise.all(
        parts.map(({ environmentId, items, state }) => {
          const ids = items.map(({ id }) => id)
          return state.subscriptions.load(transaction, environmentId, ids)
        }),
      ),
    apply: (state, _draft, job) => job.change(changeOf(state, job)),
    store: (transaction, parts) => Promise.all(parts.map((part) => storePart(services, transaction, part))),
  }
}

function changeOf(state: BatchState, { origin: { actor } }: ChangeSubscriptionJob): SubscriptionChange {
  const { environmentId, stamp, subscriptions, auditEntries } = state
  return {
    environmentId,
    stamp,
    hasRoom: subscriptions.hasRoom,
    get: (id) => subscriptions.get(id),
    put: (row) => {
      subscriptions.put(row)
      state.outbox = state.outbox.with(row.id, activeTopics(row))
    },
    remove: (id) => {
      subscriptions.remove(id)
      state.outbox = state.outbox.with(id, undefined)
    },
    record: (change) => void auditEntries.push({ actor, change }),
  }
}

function activeTopics({ disabled, topics }: StoredSubscription): string[] | undefined {
  return disabled ? undefined : topics
}

async function storePart(
  { outboxes, subscriptionChanged }: SubscriptionServices,
  transaction: OpenTransaction,
  { environmentId, state }: KindPart<ChangeSubscriptionJob>,
): Promise<void> {
  const changed = await state.subscriptions.store(transaction, environmentId)
  transaction.afterCommit(() => {
    outboxes?.forget(environmentId)
    for (const id of changed) subscriptionChanged?.(environmentId, id)
  })
}
