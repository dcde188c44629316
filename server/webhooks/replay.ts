import { TopicIndex } from '../../contract/topics.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { timeOfId } from '../ids.ts'
import { insertDeliveries, type NewDeliveries } from '../outbox/queries.ts'
import { findSubscription } from '../subscriptions/queries.ts'
import { findNotificationPage } from './command-queries.ts'
import { announceDue } from './delivery/node-messages.ts'

const PAGE = 1_000

export interface ReplayRequest {
  subscriptionId: string
  since: Date
  until?: Date | undefined
  dryRun?: boolean
  /** It stops after this long and returns where to continue. */
  mostMs?: number
}

export interface ReplayResult {
  /** Notifications of the time range whose topics the subscription receives. */
  matching: number
  /** Deliveries written; the rest was waiting already. */
  written: number
  /** Where to continue, when it stopped before the end. */
  nextSince?: Date
}

/** A page of notifications, as it was read and written. */
export interface ReplayPage {
  matching: number
  written: number
  lastId: string | undefined
  isLast: boolean
}

/** Writes the deliveries of a page. A page that an earlier request has written comes back as that request read it. */
export type WritePage = (deliveries: readonly NewDeliveries[], page: Omit<ReplayPage, 'written'>) => Promise<ReplayPage>

/** Sends the notifications of a time range to a subscription again, whether or not they were delivered before. */
export async function replayDeliveries(
  database: Database,
  environmentId: EnvironmentId,
  { subscriptionId, since, until = new Date(), dryRun = false, mostMs = Number.POSITIVE_INFINITY }: ReplayRequest,
  writePage: WritePage = async (deliveries, page) => ({
    ...page,
    written: await insertDeliveries(database, ofOne(environmentId, deliveries)),
  }),
): Promise<ReplayResult | undefined> {
  const subscription = await findSubscription(database, environmentId, subscriptionId)
  if (!subscription) return undefined
  const index = new TopicIndex([[subscriptionId, subscription.topics]])
  const startedAt = performance.now()
  const result: ReplayResult = { matching: 0, written: 0 }
  let after: string | undefined
  for (;;) {
    const found = await findNotificationPage(database, environmentId, { since, until, after, limit: PAGE })
    const matching = found.filter(({ topic }) => index.match(topic).length > 0)
    const read = { matching: matching.length, lastId: found.at(-1)?.id, isLast: found.length < PAGE }
    const deliveries = matching.map(({ id }) => ({ subscriptionIds: [subscriptionId], notificationId: id }))
    const page = dryRun ? { ...read, written: 0 } : await writePage(deliveries, read)
    result.matching += page.matching
    result.written += page.written
    after = page.lastId
    if (page.isLast) break
    if (performance.now() - startedAt < mostMs) continue
    result.nextSince = new Date(timeOfId(after as string))
    break
  }
  if (result.written > 0) await announceDue(database, environmentId)
  return result
}
