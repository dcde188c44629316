import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, OpenTransaction } from '../database/database.ts'
import { isDuplicate, isRetryable, isUnreachable } from '../database/errors.ts'
import type { Part } from '../database/parts.ts'
import type { TransactionId } from '../database/transaction.ts'
import { type ApiError, errors } from '../errors.ts'
import { type BatchPlace, PredecessorFailed } from './precedence.ts'
import type { BatchTurn } from './turn.ts'
import type { Submission } from './waiting-jobs.ts'
import { ChangedElsewhere, idempotencyOf, type Work } from './work.ts'

/** One batch: jobs of the same work, by environment. */
export interface Batch {
  readonly work: Work<never, unknown>
  readonly parts: readonly Part<Submission>[]
  readonly turn: BatchTurn
  readonly place: BatchPlace
  /** Called when the next batch may start. */
  readonly next: () => void
  /** Called when a try has failed. What was submitted after the batch waits for its next try. */
  readonly failed: () => void
  readonly lockTimeoutMs: number | undefined
}

/**
 * The connection broke during a one-statement transaction. It is sent again unchanged. If the first one was committed,
 * `finish` returns its results.
 */
class UnansweredCommit extends Error {
  readonly finish: () => unknown[]

  constructor(cause: unknown, finish: () => unknown[]) {
    super('the commit was not answered', { cause })
    this.finish = finish
  }
}

const MOST_TRIES = 10
const WAIT_FOR_DATABASE_MS = 8_000

/**
 * Commits a batch, and retries it after a conflict or a lost connection. Returns the results in the order of the parts.
 *
 * The states of one try. The order of writes depends on when `next` and `failed` are called.
 *
 * | state      | what happens in it                                            | next state                                   |
 * | ---------- | ------------------------------------------------------------- | -------------------------------------------- |
 * | working    | The work reads, locks and writes. It may `defer` statements   | waiting, if a batch before it has not        |
 * |            | that it does not wait for, or send all it has as a `single`   | committed; otherwise committing              |
 * |            | one. While a batch before it has not committed, BEGIN is sent |                                              |
 * |            | first (`start`), so that a single statement waits as well.    |                                              |
 * |            | `expectRetry`: this try skips a check that the next one makes |                                              |
 * | waiting    | When all is written, deferred statements too, the next batch  | committing, when all before it have          |
 * |            | may begin (`next`)                                            | committed; failed, when one of them fails    |
 * | committing | COMMIT is sent. The next batch may begin when all is written, | committed, failed or unanswered              |
 * |            | and at once after a single statement (`next`)                 |                                              |
 * | unanswered | The connection broke at COMMIT. PostgreSQL is asked for the   | committed; failed; thrown, when the outcome  |
 * |            | outcome. A single statement is sent again with the same ids:  | stays unknown                                |
 * |            | a duplicate says that the first was committed                 |                                              |
 * | failed     | Batches behind it are rolled back, and wait (`failed`)        | working again: at once after a conflict and  |
 * |            |                                                               | after `expectRetry`, 10 tries at most; after |
 * |            |                                                               | a pause when PostgreSQL is unreachable, for  |
 * |            |                                                               | 8 s. Otherwise thrown                        |
 * | committed  | Those behind it may commit                                    |                                              |
 */
export async function commitBatch(database: Database, batch: Batch): Promise<unknown[]> {
  const deadline = performance.now() + WAIT_FOR_DATABASE_MS
  let unanswered: UnansweredCommit | undefined
  for (let tries = 1; ; tries += 1) {
    batch.turn.beginTry()
    try {
      return await transact(database, batch)
    } catch (error) {
      batch.place.failed()
      batch.failed()
      if (error instanceof PredecessorFailed) throw error
      if (error instanceof UnansweredCommit) unanswered ??= error
      else if (unanswered && isDuplicate(error)) return unanswered.finish()
      const expectsRetry = batch.turn.expectsRetry && !isUnreachable(error)
      const lostRace = isRetryable(error) || error instanceof ChangedElsewhere || expectsRetry
      const mayReturn = (isUnreachable(error) || error instanceof UnansweredCommit) && performance.now() < deadline
      if (!(lostRace && tries < MOST_TRIES) && !mayReturn) throw unanswered ? outcomeNotKnown() : error
      // A batch that was certainly rolled back gets a later position and time: later batches may be visible already.
      if (!unanswered) void batch.turn.leave()
      if (!lostRace) await sleep(Math.min(50 * 2 ** tries, 1_000))
    }
  }
}

async function transact(database: Database, batch: Batch): Promise<unknown[]> {
  const [{ environmentId }] = batch.parts as [Part<Submission>]
  if (database.isDistributed) await database.anchor(environmentId)
  const transaction = await database.begin(batch.lockTimeoutMs)
  let results: unknown[]
  let transactionId: TransactionId | undefined
  try {
    // A statement alone is committed as soon as it is done.
    if (!batch.place.isNext) transaction.start()
    results = await run(transaction, batch)
    transaction.mark(environmentId)
    transactionId = await transaction.id
    if (!batch.place.isNext) await waitForTurn(transaction, batch)
  } catch (error) {
    await transaction.abandon(error)
    throw error
  }
  try {
    await commit(transaction, batch)
  } catch (error) {
    await transaction.abandon(error)
    if (!isUnreachable(error)) throw error
    const finish = () => {
      transaction.committed()
      return results
    }
    if (!transactionId) throw new UnansweredCommit(error, finish)
    batch.place.failed()
    batch.failed()
    if (!(await wasCommitted(database, transactionId))) throw error
    return finish()
  }
  batch.place.committed()
  return results
}

/** The next batch may read what this one has written, and gets the locked rows, when this one has committed. */
async function waitForTurn(transaction: OpenTransaction, { place, next }: Batch): Promise<void> {
  await transaction.written()
  next()
  await place.untilNext()
}

/** COMMIT is sent together with the last statements. The next batch begins when all of them have succeeded. */
async function commit(transaction: OpenTransaction, { next }: Batch): Promise<void> {
  const committed = transaction.commit()
  transaction.written().then(next, () => {})
  await committed
}

function run(transaction: OpenTransaction, { work, parts, turn }: Batch): Promise<unknown[]> {
  const runParts = (jobs: readonly Part<unknown>[]) => runWork(work, transaction, jobs as Part<never>[], turn)
  const idempotency = idempotencyOf(parts)
  return idempotency
    ? idempotency.run(transaction, parts, turn, runParts)
    : runParts(parts.map(({ environmentId, items }) => ({ environmentId, items: items.map(({ job }) => job) })))
}

function runWork(
  work: Work<never, unknown>,
  transaction: OpenTransaction,
  parts: readonly Part<never>[],
  turn: BatchTurn,
): Promise<unknown[]> {
  const [first] = parts as [Part<never>]
  if (parts.length === 1 || !work.acrossEnvironments) return work(transaction, first.environmentId, first.items, turn)
  return work.acrossEnvironments(transaction, parts, turn)
}

/**
 * The connection broke during COMMIT, and both outcomes are possible. Asking PostgreSQL prevents that an `add` is applied
 * twice, or a stored event is answered with an error.
 */
async function wasCommitted(database: Database, transactionId: TransactionId): Promise<boolean> {
  const deadline = performance.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    const outcome = await database.outcome(transactionId).catch(() => 'unreachable' as const)
    if (outcome === 'committed' || outcome === 'aborted') return outcome === 'committed'
    if (outcome === 'forgotten' || performance.now() > deadline) throw outcomeNotKnown()
    await sleep(100)
  }
}

function outcomeNotKnown(): ApiError {
  return errors.unavailable(
    'The database became unreachable during the commit. It is not known whether the request was stored.',
  )
}
