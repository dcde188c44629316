import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, OpenTransaction } from '../database/database.ts'
import { isAway, isDuplicate, isRetryable } from '../database/errors.ts'
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
  /** From when on the next batch may begin. */
  readonly next: () => void
  readonly lockTimeoutMs: number | undefined
}

/**
 * The connection broke under a single statement, which is sent again as it was; `finish` is for when it turns out to have
 * worked.
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

/** Commits a batch, and tries again what lost a race or was cut off. Answers the results in the order of the parts. */
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
      const expectsRetry = batch.turn.expectsRetry && !isAway(error)
      const lostRace = isRetryable(error) || error instanceof ChangedElsewhere || expectsRetry
      const mayReturn = (isAway(error) || error instanceof UnansweredCommit) && performance.now() < deadline
      if (!(lostRace && tries < MOST_TRIES) && !mayReturn) throw unanswered ? outcomeNotKnown() : error
      // What was certainly rolled back takes a later position and gets a later time: others were shown meanwhile.
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
    // What these jobs have locked, the next batch gets when this commit is through, and not before.
    batch.next()
    await committed
  } catch (error) {
    await transaction.abandon(error)
    if (!isAway(error)) throw error
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
 * The connection broke while COMMIT was under way, and both outcomes are possible. Asking PostgreSQL keeps an `add`
 * from counting twice, and a stored event from being answered with an error.
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
  return errors.unavailable('The database went away while the request was being stored; whether it was is not known.')
}
