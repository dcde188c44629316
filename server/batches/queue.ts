import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher, type Ticket } from '../batcher.ts'
import type { Database, EnvironmentId, OpenTransaction } from '../database/database.ts'
import { isAway, isDuplicate, isRetryable } from '../database/errors.ts'
import type { TransactionId } from '../database/transaction.ts'
import { ApiError, errors } from '../errors.ts'
import { AnsweredElsewhere, type Once, type OnceAnswer, runOnce } from '../idempotency/run-once.ts'
import type { Log } from '../log.ts'
import { CommitOrder, type Horizon, type Place } from './order.ts'
import type { Stamp } from './stamp.ts'

/**
 * What a batch of jobs does inside its transaction. It answers each job with its result, or with the error that this job
 * alone fails with. It is run again from the start when the transaction has to be, so it changes nothing but the
 * database; what else has to happen, it hands to `afterCommit`.
 */
export type Work<Job, Result> = (
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  jobs: readonly Job[],
  turn: Turn,
) => Promise<(Result | ApiError)[]>

/** Takes the place of a batch in the order of commits, once everything is read and locked. */
export interface Turn {
  /** What is created gets its time and ids from the stamp; `distinct` when users or groups can be among it. */
  enter(distinct: boolean): Promise<Stamp>
}

/** What this batch went by has changed meanwhile, on another node perhaps: begin again, and find it as it is now. */
export class ChangedElsewhere extends Error {}

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

interface Submission {
  work: Work<never, unknown>
  job: unknown
  once: Once<unknown> | undefined
  submittedAt: number
}
type Submitted = Ticket<Submission, unknown>

const MOST_JOBS = 500
const MOST_TRIES = 10
const WAIT_FOR_DATABASE_MS = 8_000
const MOST_WAIT_MS = 15_000
/** One job that waits for somebody's lock must not hold up hundreds that wait for nothing. */
const ISOLATED_LOCK_TIMEOUT_MS = 250

/**
 * The only way anything is written: jobs of one environment, in the order they came, many to a transaction. A job is
 * answered after its commit. The next transaction begins while the last one commits.
 */
export class CommitQueue {
  readonly #database: Database
  readonly #log: Log
  readonly #batchers = new Map<EnvironmentId, Batcher<Submission, unknown>>()
  readonly #orders = new Map<EnvironmentId, CommitOrder>()
  readonly #observe: (jobs: number, seconds: number) => void

  constructor(database: Database, log: Log, observe: (jobs: number, seconds: number) => void = () => {}) {
    this.#database = database
    this.#log = log
    this.#observe = observe
  }

  submit<Job, Result>(work: Work<Job, Result>, environmentId: EnvironmentId, job: Job): Promise<Result> {
    return this.#submit(work as Work<never, unknown>, environmentId, job, undefined) as Promise<Result>
  }

  /** The same for a request with a key: a repeat of it is not carried out again, and gets the answer of the first. */
  submitOnce<Job, Result>(
    work: Work<Job, Result>,
    environmentId: EnvironmentId,
    job: Job,
    once: Once<Result>,
  ): Promise<OnceAnswer> {
    return this.#submit(work as Work<never, unknown>, environmentId, job, once as Once<unknown>) as Promise<OnceAnswer>
  }

  #submit(
    work: Work<never, unknown>,
    environmentId: EnvironmentId,
    job: unknown,
    once: Once<unknown> | undefined,
  ): Promise<unknown> {
    return this.#batcher(environmentId).add({ work, job, once, submittedAt: performance.now() })
  }

  /** How many jobs wait, over all environments. */
  get depth(): number {
    return this.#batchers.values().reduce((sum, batcher) => sum + batcher.size, 0)
  }

  /** What lists that are ordered by creation time may show, in a statement that is sent after this call. */
  horizon(environmentId: EnvironmentId): Horizon {
    return this.#order(environmentId).horizon()
  }

  #order(environmentId: EnvironmentId): CommitOrder {
    const order = this.#orders.get(environmentId) ?? new CommitOrder()
    this.#orders.set(environmentId, order)
    return order
  }

  #batcher(environmentId: EnvironmentId): Batcher<Submission, unknown> {
    let batcher = this.#batchers.get(environmentId)
    if (!batcher) {
      batcher = new Batcher((batch, next) => this.#flush(environmentId, batch, next), sameWork)
      this.#batchers.set(environmentId, batcher)
    }
    return batcher
  }

  async #flush(
    environmentId: EnvironmentId,
    tickets: Submitted[],
    next: () => void,
    lockTimeoutMs?: number,
  ): Promise<void> {
    const started = performance.now()
    const turn = new BatchTurn(this.#order(environmentId))
    const batch = tickets.filter((ticket) => inTime(ticket, started))
    if (batch.length === 0) return
    try {
      const results = await this.#tryUntilDone(environmentId, batch, turn, next, lockTimeoutMs)
      await turn.leave()
      batch.forEach((ticket, index) => {
        const result = results[index]
        if (result instanceof ApiError) ticket.reject(result)
        else ticket.resolve(result)
      })
    } catch (error) {
      void turn.leave()
      await this.#isolate(environmentId, batch, error)
    } finally {
      this.#observe(batch.length, (performance.now() - started) / 1000)
    }
  }

  async #tryUntilDone(
    environmentId: EnvironmentId,
    batch: readonly Submitted[],
    turn: BatchTurn,
    next: () => void,
    lockTimeoutMs: number | undefined,
  ) {
    const deadline = performance.now() + WAIT_FOR_DATABASE_MS
    let unanswered: UnansweredCommit | undefined
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#transact(environmentId, batch, turn, next, lockTimeoutMs)
      } catch (error) {
        if (error instanceof UnansweredCommit) unanswered ??= error
        else if (unanswered && isDuplicate(error)) return unanswered.finish()
        const lostRace = isRetryable(error) || error instanceof ChangedElsewhere || error instanceof AnsweredElsewhere
        const mayReturn = (isAway(error) || error instanceof UnansweredCommit) && performance.now() < deadline
        if (!(lostRace && tries < MOST_TRIES) && !mayReturn) throw unanswered ? outcomeNotKnown() : error
        // What was certainly rolled back takes a later place and gets a later time: others were shown meanwhile.
        if (!unanswered) void turn.leave()
        if (!lostRace) await sleep(Math.min(50 * 2 ** tries, 1_000))
      }
    }
  }

  async #transact(
    environmentId: EnvironmentId,
    batch: readonly Submitted[],
    turn: BatchTurn,
    next: () => void,
    lockTimeoutMs: number | undefined,
  ) {
    const [first] = batch as [Submitted]
    const transaction = await this.#database.begin(lockTimeoutMs)
    let results: unknown[]
    let transactionId: TransactionId | undefined
    try {
      const work = (jobs: unknown[]) => first.item.work(transaction, environmentId, jobs as never[], turn)
      const items = batch.map(({ item }) => item)
      results = items.some(({ once }) => once)
        ? await runOnce(transaction, environmentId, items, work)
        : await work(items.map(({ job }) => job))
      transactionId = await transaction.id
    } catch (error) {
      await transaction.abandon(error)
      throw error
    }
    try {
      const committed = transaction.commit()
      // What these jobs have locked, the next batch gets when this commit is through, and not before.
      next()
      await committed
    } catch (error) {
      await transaction.abandon(error)
      if (!isAway(error)) throw error
      const finish = () => {
        transaction.committed()
        return results
      }
      if (!transactionId) throw new UnansweredCommit(error, finish)
      if (!(await this.#wasCommitted(transactionId))) throw error
      return finish()
    }
    return results
  }

  /**
   * The connection broke while COMMIT was under way, and both outcomes are possible. Asking PostgreSQL keeps an `add`
   * from counting twice, and a stored event from being answered with an error.
   */
  async #wasCommitted(transactionId: TransactionId): Promise<boolean> {
    const deadline = performance.now() + WAIT_FOR_DATABASE_MS
    for (;;) {
      const outcome = await this.#database.outcome(transactionId).catch(() => 'unreachable' as const)
      if (outcome === 'committed' || outcome === 'aborted') return outcome === 'committed'
      if (outcome === 'forgotten' || performance.now() > deadline) throw outcomeNotKnown()
      await sleep(100)
    }
  }

  /** A statement failed or waited too long for the sake of one job, and nobody knows which: each goes on alone. */
  async #isolate(environmentId: EnvironmentId, batch: Submitted[], error: unknown): Promise<void> {
    if (batch.length === 1 || error instanceof ApiError || isAway(error)) {
      this.#log.warn({ err: error, environmentId, jobs: batch.length }, 'a write failed')
      for (const ticket of batch) ticket.reject(error)
      return
    }
    for (const ticket of batch) await this.#flush(environmentId, [ticket], () => {}, ISOLATED_LOCK_TIMEOUT_MS)
  }
}

/** The turn of one batch over all its tries. */
class BatchTurn implements Turn {
  readonly #order: CommitOrder
  #place: Place | undefined

  constructor(order: CommitOrder) {
    this.#order = order
  }

  /** A batch whose statement was not answered keeps its place, and is sent again with the same ids. */
  async enter(distinct: boolean): Promise<Stamp> {
    this.#place ??= await this.#order.enter(distinct)
    this.#place.stamp.rewind()
    return this.#place.stamp
  }

  /** Resolves when the batch may be answered. */
  leave(): Promise<void> | undefined {
    const place = this.#place
    this.#place = undefined
    return place && this.#order.settle(place)
  }
}

function outcomeNotKnown(): ApiError {
  return errors.unavailable('The database went away while the request was being stored; whether it was is not known.')
}

function sameWork(waiting: readonly Submitted[]): number {
  const work = waiting[0]?.item.work
  let count = 1
  while (count < waiting.length && count < MOST_JOBS && waiting[count]?.item.work === work) count += 1
  return count
}

function inTime(ticket: Submitted, now: number): boolean {
  const late = now - ticket.item.submittedAt > MOST_WAIT_MS
  if (late) ticket.reject(errors.overloaded())
  return !late
}
