import type { BoundedCount } from '../../../contract/dashboard/fields.ts'
import { TopicIndex } from '../../../contract/topics.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { ofOne } from '../../database/parts.ts'
import type { Log } from '../../log.ts'
import { insertDeliveries } from '../../outbox/queries.ts'
import { countNotificationPage, findNotificationPage } from '../../webhooks/command-queries.ts'
import { announceDue } from '../../webhooks/delivery/node-messages.ts'
import { advanceReplay, endReplay } from './replay-queries.ts'

const PORTION = 500
/** A statement of 20 ms. Between two of them a count sees that nobody waits for it. */
const COUNTED_PORTION = 20_000
const MOST_COUNTED = 100_000

export interface ReplayOf {
  environmentId: EnvironmentId
  subscriptionId: string
  topics: readonly string[]
  since: Date
  until: Date
}

/** Portions of the notifications of the range whose topics the endpoint receives, oldest first. */
async function* portions(
  database: Database,
  { environmentId, subscriptionId, topics, since, until }: ReplayOf,
): AsyncGenerator<string[]> {
  const index = new TopicIndex([[subscriptionId, [...topics]]])
  for (let after: string | undefined; ; ) {
    const page = await findNotificationPage(database, environmentId, { since, until, after, limit: PORTION })
    yield page.filter(({ topic }) => index.match(topic).length > 0).map(({ id }) => id)
    after = page.at(-1)?.id
    if (page.length < PORTION) return
  }
}

/** How many notifications a replay would send again. There may be millions of others: PostgreSQL counts them by their topics. */
export async function countReplay(
  database: Database,
  { environmentId, subscriptionId, topics, since, until }: ReplayOf,
  signal?: AbortSignal,
): Promise<BoundedCount> {
  const index = new TopicIndex([[subscriptionId, [...topics]]])
  let count = 0
  for (let after: string | undefined; !signal?.aborted; ) {
    const limit = COUNTED_PORTION
    const page = await countNotificationPage(database, environmentId, { since, until, after, limit })
    for (const one of page) if (index.match(one.topic).length > 0) count += one.count
    if (count > MOST_COUNTED) return { count: MOST_COUNTED, is_more: true }
    if (page.reduce((sum, one) => sum + one.count, 0) < limit) break
    after = page
      .map(({ last }) => last)
      .sort()
      .at(-1)
  }
  return { count, is_more: false }
}

/** Writes the deliveries, a portion at a time. After each portion it checks for a cancellation. */
export async function runReplay(database: Database, log: Log, id: string, replay: ReplayOf): Promise<void> {
  const { environmentId, subscriptionId } = replay
  try {
    for await (const ids of portions(database, replay)) {
      const deliveries = ids.map((notificationId) => ({ subscriptionIds: [subscriptionId], notificationId }))
      const written = ids.length > 0 ? await insertDeliveries(database, ofOne(environmentId, deliveries)) : 0
      if (written > 0) await announceDue(database, environmentId)
      const progress = { done: ids.length, written, at: new Date().toISOString() }
      if (!(await advanceReplay(database, environmentId, subscriptionId, id, progress))) return
    }
    await endReplay(database, environmentId, subscriptionId, id, 'finished')
  } catch (error) {
    log.warn({ err: error, environmentId, replay: id }, 'a replay stopped')
  }
}
