import type { Work } from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction, Reader } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { errors } from '../errors.ts'
import { insertDeliveries, type NewDeliveries } from '../outbox/queries.ts'
import { type DeliveryView, findDelivery, type SubscriptionState } from './deliveries/deliveries.ts'
import type { ReplayPage } from './replay.ts'
import { makeDue } from './retry.ts'
import { writeTest } from './test-notification.ts'

/**
 * Retries, tests and replays as jobs of the commit queue: with an Idempotency-Key the answer is stored in the
 * transaction of the job, and a repeat does nothing again.
 */

export interface RetryJob {
  subscription: SubscriptionState
  notificationId: string
}

export interface ReplayJob {
  deliveries: readonly NewDeliveries[]
  page: Omit<ReplayPage, 'written'>
}

export interface OperatorWorks {
  retry: Work<RetryJob, DeliveryView>
  /** Takes the id of a subscription, and returns that of the notification. */
  test: Work<string, string>
  replay: Work<ReplayJob, ReplayPage>
}

export function operatorWorks(wake: (environmentId: EnvironmentId) => void): OperatorWorks {
  /** One job after the other: few people do this at the same time. */
  const eachOf =
    <Job, Result>(run: Run<Job, Result>): Work<Job, Result> =>
    async (transaction, environmentId, jobs) => {
      const results: Awaited<ReturnType<Run<Job, Result>>>[] = []
      for (const job of jobs) results.push(await run(transaction, environmentId, job))
      transaction.afterCommit(() => wake(environmentId))
      return results
    }
  return {
    retry: eachOf(retryOne),
    test: eachOf(testOne),
    replay: eachOf(replayOne),
  }
}

type Run<Job, Result> = (
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  job: Job,
) => Promise<Result | ReturnType<typeof errors.notFound>>

const retryOne: Run<RetryJob, DeliveryView> = async (transaction, environmentId, { subscription, notificationId }) => {
  const result = await makeDue(transaction, environmentId, subscription.id, notificationId)
  const view =
    result === 'not found'
      ? undefined
      : await findDelivery(readerOf(transaction), environmentId, subscription, notificationId)
  return view ?? errors.notFound('Webhook delivery', notificationId)
}

const testOne: Run<string, string> = async (transaction, environmentId, subscriptionId) =>
  (await writeTest(transaction, environmentId, subscriptionId)) ??
  errors.notFound('Webhook subscription', subscriptionId)

const replayOne: Run<ReplayJob, ReplayPage> = async (transaction, environmentId, { deliveries, page }) => ({
  ...page,
  written: await insertDeliveries(transaction, ofOne(environmentId, deliveries)),
})

/** Statements of a transaction are all prepared; the few rows of one delivery need no special plan. */
function readerOf(transaction: OpenTransaction): Reader {
  const query: Reader['query'] = (text, values) => transaction.query(text, values)
  return { isDistributed: transaction.isDistributed, query, queryUnprepared: query }
}
