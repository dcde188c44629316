import { TopicIndex } from '../../contract/topics.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { partsOf } from '../database/parts.ts'
import { continueIdsAfter } from '../ids.ts'
import { WeightedCache } from '../weighted-cache.ts'
import { findActiveSubscriptions, hasActiveSubscription } from './active-subscriptions.ts'
import { insertDeliveries, insertNotifications, type NewDeliveries, type Notification } from './queries.ts'

interface Subscriber {
  id: string
  topics: string[]
}

/** The subscriptions of an environment, indexed by topic. */
export class Outbox {
  readonly #subscriptions: readonly Subscriber[]
  readonly subscribers: TopicIndex<string>
  /** JSON text of the ids and topics, in the order of the ids. */
  readonly content: string

  constructor(subscriptions: readonly Subscriber[]) {
    this.#subscriptions = subscriptions
    this.subscribers = new TopicIndex(subscriptions.map(({ id, topics }) => [id, topics]))
    this.content = JSON.stringify(subscriptions.map(({ id, topics }) => [id, topics]))
  }

  /** With this subscription as it is now, or without it. */
  with(id: string, topics: string[] | undefined): Outbox {
    const others = this.#subscriptions.filter((each) => each.id !== id)
    return new Outbox(topics ? [...others, { id, topics }] : others)
  }
}

/** About the bytes that subscriptions take: 1.2 MB of the longest topics took 6.9 MB. */
const weightOf = ({ content }: Outbox) => 8 * content.length + 128
/** An environment may have 10,000 topics. Some 10,000 environments with a few subscriptions each fit in. */
const MOST_WEIGHT = 64 * 1024 * 1024
/** Most environments have no subscription: they share this. */
export const NO_SUBSCRIPTIONS = new Outbox([])

/** Caches the subscriptions that were last read. A write that uses the cache checks it in its own transaction. */
export class Outboxes {
  readonly #cache = new WeightedCache<EnvironmentId, Outbox>(MOST_WEIGHT, weightOf)

  cached(environmentId: EnvironmentId): Outbox | undefined {
    return this.#cache.get(environmentId)
  }

  /** In the order of the environments. `hasEvents` when the write stores new ids even if nobody has subscribed. */
  async read(
    transaction: OpenTransaction,
    environmentIds: readonly EnvironmentId[],
    hasEvents: boolean,
  ): Promise<Outbox[]> {
    const [first] = environmentIds as [EnvironmentId]
    // Nothing is awaited otherwise: the statement below is sent together with others.
    if (transaction.isDistributed && !hasEvents && this.#cache.get(first) === NO_SUBSCRIPTIONS)
      if (!(await hasActiveSubscription(transaction, first))) return [NO_SUBSCRIPTIONS]
    const { subscriptions, boundaries } = await findActiveSubscriptions(transaction, environmentIds)
    for (const boundary of boundaries) continueIdsAfter(boundary)
    const byEnvironment = Map.groupBy(subscriptions, ({ environmentId }) => environmentId)
    return environmentIds.map((environmentId) => {
      const own = byEnvironment.get(environmentId)
      const outbox = own ? new Outbox(own) : NO_SUBSCRIPTIONS
      this.#cache.set(environmentId, outbox)
      return outbox
    })
  }

  /** Called when the cache is outdated. The next try reads the subscriptions. */
  forget(environmentId: EnvironmentId): void {
    this.#cache.delete(environmentId)
  }
}

/** Notifications with their deliveries. */
export interface OutboxRows {
  notifications: readonly Notification[]
  deliveries: readonly NewDeliveries[]
}

/** The rows of one environment. */
export interface OutboxPart extends OutboxRows {
  readonly environmentId: EnvironmentId
}

/** In the transaction of the write: a notification exists exactly when its write was committed. */
export async function writeOutbox(transaction: OpenTransaction, parts: readonly OutboxPart[]): Promise<void> {
  const matched = parts.filter(({ deliveries }) => deliveries.length > 0)
  if (matched.length === 0) return
  await Promise.all([
    insertNotifications(
      transaction,
      partsOf(matched, ({ notifications }) => notifications),
    ),
    insertDeliveries(
      transaction,
      partsOf(matched, ({ deliveries }) => deliveries),
    ),
  ])
}
