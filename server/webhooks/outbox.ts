import { TopicIndex } from '../../contract/topics.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { expiresAt } from './delivery/schedule.ts'
import { findActiveSubscriptions, insertDeliveries, insertNotifications } from './queries.ts'

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

/** The subscriptions at this moment, ready to be asked who wants a topic. */
export type Outbox = TopicIndex<string>

export async function readOutbox(transaction: OpenTransaction, environmentId: EnvironmentId): Promise<Outbox> {
  const subscriptions = await findActiveSubscriptions(transaction, environmentId)
  return new TopicIndex(subscriptions.map(({ id, topics }) => [id, topics]))
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
    outbox.match(happening.topic).map((subscriptionId) => ({
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
