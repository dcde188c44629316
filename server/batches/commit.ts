import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, OpenTransaction } from '../database/database.ts'
import { isDuplicate, isRetryable, isUnreachable } from '../database/errors.ts'
import type { Part } from '../database/parts.ts'
import type { TransactionId } from '../database/transaction.ts'
import { type ApiError, errors } from '../errors.ts'
import type { BatchTurn } from './turn.ts'
import type { Submission } from './waiting-jobs.ts'
import { ChangedElsewhere, companionOf, type Work } from './work.ts'

/** One batch: jobs of the same work, by environment. */
export interface Batch {
  readonly work: Work<never, unknown>
  readonly parts: readonly Part<Submission>[]
  readonly turn: BatchTurn
  /** Called when the next batch may start. */
  readonly next: () => void
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

/** Commits a batch, and retries it after a conflict or a lost connection. Returns the results in the order of the parts. */
export async function commitBatch(database: Database, batch: Batch): Promise<unknown[]> {
  const deadline = performance.now() + WAIT_FOR_DATABASE_MS
  let unanswered: UnansweredCommit | undefined
  for (let tries = 1; ; tries += 1) {
    batch.turn.beginTry()
    try {
      return await transact(database, batch)
    } catch (error) {
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
    results = await run(transaction, batch)
    transaction.mark(environmentId)
    transactionId = await transaction.id
  } catch (error) {
    await transaction.abandon(error)
    throw error
  }
  try {
    const committed = transaction.commit()
    // The next batch gets the locked rows only after this commit.
    batch.next()
    await committed
  } catch (error) {
    await transaction.abandon(error)
    if (!isUnreachable(error)) throw error
    const finish = () => {
      transaction.committed()
      return results
    }
    if (!transactionId) throw new UnansweredCommit(error, finish)
    if (!(await wasCommitted(database, transactionId))) throw error
    return finish()
  }
  return results
}

function run(transaction: OpenTransaction, { work, parts, turn }: Batch): Promise<unknown[]> {
  const runParts = (jobs: readonly Part<unknown>[]) => runWork(work, transaction, jobs as Part<never>[], turn)
  const companion = companionOf(parts)
  return companion
    ? companion.run(transaction, parts, turn, runParts)
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
