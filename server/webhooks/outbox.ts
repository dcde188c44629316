import { TopicIndex } from '../../contract/topics.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { expiresAt } from './delivery/schedule.ts'
import { confirmSubscriptions, findActiveSubscriptions, insertDeliveries, insertNotifications } from './queries.ts'

/** Something that subscriptions may want to hear of, with the object as it is right after the write. */
export interface Happening {
  id: string
  topic: string
  /** JSON text. */
  object: string
  userId: string | null
  groupId: string | null
  at: string
}

/** The subscriptions of an environment, ready to be asked who wants a topic. */
export class Outbox {
  readonly subscribers: TopicIndex<string>
  /** JSON text of the ids and topics, in the order of the ids. */
  readonly content: string

  constructor(subscriptions: readonly { id: string; topics: string[] }[]) {
    this.subscribers = new TopicIndex(subscriptions.map(({ id, topics }) => [id, topics]))
    this.content = JSON.stringify(subscriptions.map(({ id, topics }) => [id, topics]))
  }
}

const MOST_REMEMBERED = 10_000

/** Remembers the subscriptions that were last read; who goes by them has it confirmed in the transaction of the write. */
export class Outboxes {
  readonly #remembered = new Map<EnvironmentId, Outbox>()

  recall(environmentId: EnvironmentId): Outbox | undefined {
    return this.#remembered.get(environmentId)
  }

  async read(transaction: OpenTransaction, environmentId: EnvironmentId): Promise<Outbox> {
    const outbox = new Outbox(await findActiveSubscriptions(transaction, environmentId))
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(environmentId, outbox)
    return outbox
  }

  /** Fails the transaction when the subscriptions are not these any more: the next try then reads them. */
  async confirm(transaction: OpenTransaction, environmentId: EnvironmentId, { content }: Outbox): Promise<void> {
    try {
      await confirmSubscriptions(transaction, environmentId, content)
    } catch (error) {
      this.#remembered.delete(environmentId)
      throw error
    }
  }
}

/** In the transaction of the write itself: a notification exists exactly when what it tells of does. */
export async function writeOutbox(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  outbox: Outbox,
  happenings: readonly Happening[],
  wakeDelivery: (environmentId: EnvironmentId) => void,
): Promise<void> {
  const deliveries = happenings.flatMap((happening) =>
    outbox.subscribers.match(happening.topic).map((subscriptionId) => ({
      subscriptionId,
      notificationId: happening.id,
      dueAt: happening.at,
      expiresAt: expiresAt(happening.at),
    })),
  )
  if (deliveries.length === 0) return
  const matched = new Set(deliveries.map(({ notificationId }) => notificationId))
  await Promise.all([
    insertNotifications(
      transaction,
      environmentId,
      happenings.filter(({ id }) => matched.has(id)),
    ),
    insertDeliveries(transaction, environmentId, deliveries),
  ])
  transaction.afterCommit(() => wakeDelivery(environmentId))
}
