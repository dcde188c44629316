import { setTimeout as sleep } from 'node:timers/promises'
import { BeyondBudget, type MostBytes } from '../database/byte-budget.ts'
import type { Database, EnvironmentId, OpenTransaction } from '../database/database.ts'
import { isDuplicate, isRetryable, isUnreachable } from '../database/errors.ts'
import type { Part } from '../database/parts.ts'
import type { TransactionId } from '../database/transaction.ts'
import { type ApiError, errors } from '../errors.ts'
import { type BatchPlace, PredecessorFailed } from './precedence.ts'
import type { BatchTurn } from './turn.ts'
import type { Submission } from './waiting-jobs.ts'
import { ChangedElsewhere, hasKeys, mayBeSingle, runJobs, type Work } from './work.ts'

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
 * The states of a batch on its way to its commit. `enter` is what the other batches are told when the state begins, and
 * `to` where it may go from there. The order of writes depends on both, so nothing else tells them, and a step that is not
 * in this table fails.
 */
const STATES = {
  /**
   * The work reads, locks and writes. It may `defer` statements that it does not wait for, or send all it has as a `single`
   * one. While a batch before it has not committed, a single statement is held, so that it waits as well.
   */
  working: { to: ['waiting', 'committing', 'failed'], enter: ({ turn }) => turn.beginTry() },
  /**
   * All is written, deferred statements too, or a single one is sent, which waits for no lock. The next batch may begin; this
   * one waits until those before it have committed.
   */
  waiting: { to: ['committing', 'failed'], enter: ({ next }) => next() },
  /**
   * COMMIT is sent, with the last statements. The next batch may begin when none of them can wait for a lock: that batch may
   * get the lock first, and commits after this one. What is left are a single statement, and those of `deferLocked`.
   */
  committing: { to: ['committed', 'unanswered', 'failed'], enter: nextWhenLocked },
  /**
   * The connection broke at COMMIT. PostgreSQL is asked for the outcome. A single statement is sent again with the same
   * ids: a duplicate says that the first was committed. Meanwhile those behind it are rolled back, and wait.
   */
  unanswered: { to: ['committed', 'failed', 'working'], enter: holdThoseBehind },
  /** Those behind it are rolled back, and wait until it is tried again (`againAfter`), or given up. */
  failed: { to: ['working', 'committed'], enter: holdThoseBehind },
  /** Those behind it may commit. */
  committed: { to: [], enter: ({ place }) => place.committed() },
} as const satisfies Record<
  string,
  { to: readonly string[]; enter: (batch: Batch, locked: Promise<unknown> | undefined) => void }
>

type State = keyof typeof STATES

function nextWhenLocked({ next }: Batch, locked: Promise<unknown> | undefined): void {
  if (locked) locked.then(next, () => {})
  else next()
}

function holdThoseBehind({ place, failed }: Batch): void {
  place.failed()
  failed()
}

/**
 * The attributes that a batch reads and writes (docs/decisions/233-batches-divided-by-bytes.md). Jobs are at most 500, but
 * each can be about objects of 256 KiB: 500 users of that size took 0.7 GB in one transaction.
 */
const MOST_BYTES: MostBytes = { read: 16 * 1024 * 1024, written: 16 * 1024 * 1024 }

/** A job alone has no limit but its own: 100 groups and memberships. */
function mostBytes(work: Work<never, unknown>, parts: readonly Part<Submission>[]): MostBytes | undefined {
  if (work.mostBytes) return work.mostBytes
  return parts.length > 1 || (parts[0]?.items.length ?? 0) > 1 ? MOST_BYTES : undefined
}

const MOST_TRIES = 10
const WAIT_FOR_DATABASE_MS = 8_000

/** Commits a batch, and retries it after a conflict or a lost connection. Returns the results in the order of the parts. */
export function commitBatch(database: Database, batch: Batch): Promise<unknown[]> {
  return new BatchCommit(database, batch).run()
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

class BatchCommit {
  readonly #database: Database
  readonly #batch: Batch
  readonly #deadline = performance.now() + WAIT_FOR_DATABASE_MS
  #state: State | undefined
  #tries = 0
  #unanswered: UnansweredCommit | undefined

  constructor(database: Database, batch: Batch) {
    this.#database = database
    this.#batch = batch
  }

  async run(): Promise<unknown[]> {
    for (;;) {
      this.#tries += 1
      this.#enter('working')
      try {
        return await this.#try()
      } catch (error) {
        const again = this.#againAfter(error)
        if (error instanceof UnansweredCommit) this.#unanswered ??= error
        else this.#enter('failed')
        if (this.#unanswered && isDuplicate(error)) return this.#finish(this.#unanswered)
        if (again === 'never') throw this.#unanswered ? outcomeNotKnown() : error
        // A batch that was certainly rolled back gets a later position and time: later batches may be visible already.
        if (!this.#unanswered) void this.#batch.turn.leave()
        if (again === 'after a pause') await sleep(Math.min(50 * 2 ** this.#tries, 1_000))
      }
    }
  }

  #enter(state: State, locked?: Promise<unknown>): void {
    const from = this.#state
    const isAllowed = from === undefined || (STATES[from].to as readonly State[]).includes(state)
    if (!isAllowed) throw new Error(`a batch that is ${from} cannot be ${state}`)
    this.#state = state
    STATES[state].enter(this.#batch, locked)
  }

  async #try(): Promise<unknown[]> {
    const { work, parts, lockTimeoutMs } = this.#batch
    const [{ environmentId }] = parts as [Part<Submission>]
    if (this.#database.isDistributed) await this.#database.anchor(environmentId)
    const transaction = await this.#database.begin(lockTimeoutMs, mostBytes(work, parts))
    const { results, id } = await this.#write(transaction, environmentId)
    await this.#commit(transaction, results, id)
    return results
  }

  /** Resolves when the batch can be committed: all is sent, and all batches before it have committed. */
  async #write(transaction: OpenTransaction, environmentId: EnvironmentId) {
    const { work, parts, turn, place } = this.#batch
    try {
      // A statement alone is otherwise committed as soon as it is done.
      if (!mayBeSingle(work, parts)) transaction.start()
      else if (!place.isNext) transaction.hold()
      const results = await runJobs(work, transaction, parts, turn)
      transaction.mark(environmentId)
      const id = transaction.id && (await transaction.id)
      if (!place.isNext) {
        await transaction.written()
        this.#enter('waiting')
        await place.untilNext()
      }
      return { results, id }
    } catch (error) {
      await transaction.abandon(error)
      throw error
    }
  }

  async #commit(transaction: OpenTransaction, results: unknown[], id: TransactionId | undefined): Promise<void> {
    try {
      const committed = transaction.commit()
      this.#enter('committing', transaction.locked())
      await committed
    } catch (error) {
      await transaction.abandon(error)
      if (!isUnreachable(error)) throw error
      this.#enter('unanswered')
      const finish = () => {
        transaction.committed()
        return results
      }
      if (!id) throw new UnansweredCommit(error, finish)
      if (!(await wasCommitted(this.#database, id))) throw error
      finish()
    }
    this.#enter('committed')
  }

  #finish({ finish }: UnansweredCommit): unknown[] {
    this.#enter('committed')
    return finish()
  }

  /**
   * At once after a conflict, and after any failure of a first try that has made no look-up of keys: ten tries at most.
   * After a pause while PostgreSQL is unreachable, for 8 s. Never when the outcome of COMMIT stays unknown, and when the
   * batch has to be divided.
   */
  #againAfter(error: unknown): 'at once' | 'after a pause' | 'never' {
    if (error instanceof PredecessorFailed || error instanceof BeyondBudget) return 'never'
    const { work, parts, turn } = this.#batch
    if (isUnreachable(error) || error instanceof UnansweredCommit)
      return performance.now() < this.#deadline ? 'after a pause' : 'never'
    const isUnchecked = turn.isFirstTry && hasKeys(work, parts) && this.#state !== 'unanswered'
    const lostRace = isRetryable(error) || error instanceof ChangedElsewhere || isUnchecked
    return lostRace && this.#tries < MOST_TRIES ? 'at once' : 'never'
  }
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
