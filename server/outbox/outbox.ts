import { TopicIndex } from '../../contract/topics.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { passId } from '../ids.ts'
import {
  findActiveSubscriptions,
  insertDeliveries,
  insertNotifications,
  type NewDeliveries,
  type Notification,
} from './queries.ts'
import { expiresAt } from './window.ts'

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
    const { subscriptions, boundary } = await findActiveSubscriptions(transaction, environmentId)
    if (boundary !== undefined) passId(boundary)
    const outbox = new Outbox(subscriptions)
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(environmentId, outbox)
    return outbox
  }

  /** For when they are not these any more: the next try then reads them. */
  forget(environmentId: EnvironmentId): void {
    this.#remembered.delete(environmentId)
  }
}

/** Notifications with their deliveries. */
export interface OutboxRows {
  notifications: readonly Notification[]
  deliveries: readonly NewDeliveries[]
}

/** The notifications that a subscription wants, and who gets each. */
export function matchSubscriptions({ subscribers }: Outbox, notifications: readonly Notification[]): OutboxRows {
  const deliveries = notifications.flatMap(({ id, topic, at }): NewDeliveries[] => {
    const subscriptionIds = subscribers.match(topic)
    if (subscriptionIds.length === 0) return []
    return [{ notificationId: id, subscriptionIds, dueAt: at, expiresAt: expiresAt(at) }]
  })
  const wanted = new Set(deliveries.map(({ notificationId }) => notificationId))
  return { notifications: notifications.filter(({ id }) => wanted.has(id)), deliveries }
}

/** In the transaction of the write itself: a notification exists exactly when what it tells of does. */
export async function writeOutbox(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  { notifications, deliveries }: OutboxRows,
): Promise<void> {
  if (deliveries.length === 0) return
  await Promise.all([
    insertNotifications(transaction, environmentId, notifications),
    insertDeliveries(transaction, environmentId, deliveries),
  ])
}
