import { BeyondBudget } from '../database/byte-budget.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { eachAtMost } from '../database/each-at-most.ts'
import { isTimeout, isUnreachable } from '../database/errors.ts'
import type { Part } from '../database/parts.ts'
import { ApiError } from '../errors.ts'
import type { Log } from '../log.ts'
import { Batcher, type BatchProgress } from './batcher.ts'
import { commitBatch } from './commit.ts'
import { CommitOrder, type Horizon } from './order.ts'
import { type BatchPlace, Precedence, PredecessorFailed } from './precedence.ts'
import { answer, byEnvironment, fail, MOST_WAIT_MS, refuseLate } from './tickets.ts'
import { BatchTurn } from './turn.ts'
import { type JobOrder, type Submission, type Submitted, WaitingJobs } from './waiting-jobs.ts'
import type { JobIdempotency, Work } from './work.ts'

export interface CommitQueueOptions {
  observe?: (jobs: number, seconds: number) => void
  /** For a sharded PostgreSQL: a batch holds one environment, and the batches of environments run concurrently. */
  oneEnvironmentPerBatch?: boolean
  /** Other workers use the cores while this one waits for PostgreSQL: a batch takes all jobs that wait. */
  hasWorkersBeside?: boolean
  /** What creation times are made by. */
  now?: (() => number) | undefined
  /** How long a job waits before its transaction begins. */
  mostWaitMs?: number | undefined
}

/** A job that waits for a lock must not delay hundreds of others, of any environment. */
const SHORT_LOCK_TIMEOUT_MS = 250
/** Parts of a failed batch that are retried concurrently. Each has a connection. */
const PARTS_AT_ONCE = 2

/**
 * All writes go through this queue: jobs of all environments, many to a transaction. The jobs of an environment keep their
 * order. A job is answered after its commit. The next transaction starts while the last one commits, and commits after it
 * (`precedence.ts`).
 *
 * The states of a job, from `submit` to its answer. Those of its batch are in `commit.ts`; when batches begin is in
 * `batcher.ts`. Each transaction is repeated after a conflict or a lost connection by `commitBatch`; "fails" means that this
 * did not help.
 *
 *   waiting ──▶ in a batch ──▶ in the part of its environment ──▶ alone
 *     ▲  │          │                      │      ▲   │             │
 *   held ┘          └──────────────────────┴──────┴───┴─────────────┴──▶ answered
 *
 * | state                  | transaction, lock timeout        | next state                                                |
 * | ---------------------- | -------------------------------- | --------------------------------------------------------- |
 * | waiting                | none                             | in a batch, when the batcher takes it (`waiting-jobs.ts`) |
 * | held                   | none                             | waiting, when the batches of its environment that are     |
 * |                        |                                  | slow, or tried again, are released                        |
 * | in a batch (`#flush`)  | all jobs; 250 ms if they are of  | answered after the commit, or refused after 15 s of       |
 * |                        | several environments, otherwise  | waiting. It fails: the part of its environment (several   |
 * |                        | that of the database             | environments), alone (one), or answered with the error    |
 * |                        |                                  | (a single job, an `ApiError`, an unreachable database).   |
 * |                        |                                  | A batch before it fails: in a batch again, after that one |
 * | in the part of its     | the jobs of one environment, two | answered after the commit. A timeout: the part once more, |
 * | environment            | parts at once; 250 ms            | when all others were tried, with the timeout of the       |
 * | (`#divide`)            |                                  | database. It fails otherwise, or again: as a batch of one |
 * |                        |                                  | environment                                               |
 * | alone (`#isolate`)     | this job, after those before it; | answered after the commit, or with the error              |
 * |                        | 250 ms                           |                                                           |
 *
 * So a job that makes a statement fail, or waits for a lock, fails alone. The part of an environment whose objects are too
 * large for one transaction is divided into smaller ones, which take its place.
 */
export class CommitQueue {
  readonly #database: Database
  readonly #log: Log
  readonly #observe: (jobs: number, seconds: number) => void
  readonly #order: CommitOrder
  readonly #precedence = new Precedence()
  /** One queue for all environments, which stays, or one for each that has jobs. */
  readonly #queues = new Map<EnvironmentId | 'all', JobQueue>()
  readonly #oneEnvironmentPerBatch: boolean
  readonly #takesAll: boolean
  readonly #mostWaitMs: number

  constructor(database: Database, log: Log, options: CommitQueueOptions = {}) {
    this.#database = database
    this.#log = log
    this.#order = new CommitOrder(options.now)
    this.#observe = options.observe ?? (() => {})
    this.#oneEnvironmentPerBatch = options.oneEnvironmentPerBatch ?? false
    this.#takesAll = options.hasWorkersBeside ?? false
    this.#mostWaitMs = options.mostWaitMs ?? MOST_WAIT_MS
  }

  submit<Job, Result>(
    work: Work<Job, Result>,
    environmentId: EnvironmentId,
    job: Job,
    order?: JobOrder,
  ): Promise<Result> {
    return this.#submit(work as Work<never, unknown>, environmentId, job, undefined, order) as Promise<Result>
  }

  /** The same for a job that is carried out once: its idempotency decides what the result is. */
  submitWith<Job>(
    idempotency: JobIdempotency,
    work: Work<Job, unknown>,
    environmentId: EnvironmentId,
    job: Job,
    order?: JobOrder,
  ): Promise<unknown> {
    return this.#submit(work as Work<never, unknown>, environmentId, job, idempotency, order)
  }

  /** How many jobs wait, over all environments. */
  get depth(): number {
    return this.#queues.values().reduce((sum, { waiting }) => sum + waiting.depth, 0)
  }

  /** What lists that are ordered by creation time may show, in a statement that is sent after this call. */
  horizon(environmentId: EnvironmentId): Horizon {
    return this.#order.horizon(environmentId)
  }

  #submit(
    work: Work<never, unknown>,
    environmentId: EnvironmentId,
    job: unknown,
    idempotency: JobIdempotency | undefined,
    order: JobOrder | undefined,
  ): Promise<unknown> {
    const name = this.#oneEnvironmentPerBatch ? environmentId : 'all'
    const { batcher } = this.#queues.get(name) ?? this.#openQueue(name)
    return batcher.add({ environmentId, work, job, idempotency, order, submittedAt: performance.now() })
  }

  #openQueue(name: EnvironmentId | 'all'): JobQueue {
    const waiting = new WaitingJobs()
    const run = (batch: Submitted[], progress: BatchProgress<Submitted>) => this.#flush(batch, progress)
    const close = () => void this.#queues.delete(name)
    const onIdle = name === 'all' ? undefined : close
    const batcher = new Batcher<Submission, unknown>(run, waiting, { onIdle, takesAll: this.#takesAll })
    const queue = { waiting, batcher }
    this.#queues.set(name, queue)
    return queue
  }

  async #flush(tickets: Submitted[], progress: BatchProgress<Submitted>): Promise<void> {
    const place = this.#precedence.enter(environmentsOf(byEnvironment(tickets)))
    const { next, failed } = progress
    const finished = (part: readonly Submitted[]) => {
      place.finish(environmentsOf(byEnvironment(part)))
      progress.finished(part)
    }
    try {
      await this.#attempt(tickets, place, { next, failed, finished })
    } finally {
      place.finish()
    }
  }

  async #attempt(
    tickets: Submitted[],
    place: BatchPlace,
    progress: BatchProgress<Submitted>,
    lockTimeoutMs?: number,
  ): Promise<void> {
    const batch = refuseLate(tickets, this.#mostWaitMs)
    if (batch.length === 0) return
    const error = await this.#commit(batch, place, progress, lockTimeoutMs)
    if (error === undefined) return
    await place.untilAlone()
    if (error instanceof PredecessorFailed) await this.#attempt(batch, place, progress, lockTimeoutMs)
    else await this.#isolate(batch, error, progress)
  }

  /** Answers the whole batch and returns undefined, or answers nothing and returns the error. */
  async #commit(
    batch: Submitted[],
    place: BatchPlace,
    { next, failed }: BatchProgress<Submitted>,
    lockTimeoutMs?: number,
  ): Promise<unknown> {
    const started = performance.now()
    const parts = byEnvironment(batch)
    const [first] = batch as [Submitted]
    const turn = new BatchTurn(this.#order, environmentsOf(parts), place)
    const timeout = lockTimeoutMs ?? (parts.length > 1 ? SHORT_LOCK_TIMEOUT_MS : undefined)
    try {
      const { work } = first.item
      const submissions = parts.map(({ environmentId, items }) => ({
        environmentId,
        items: items.map(({ item }) => item),
      }))
      const results = await commitBatch(this.#database, {
        ...{ work, parts: submissions, turn, place, next, failed },
        lockTimeoutMs: timeout,
      })
      const left = turn.leave()
      if (left) await left
      answer(batch, results)
      return undefined
    } catch (error) {
      void turn.leave()
      return error
    } finally {
      this.#observe(batch.length, (performance.now() - started) / 1000)
    }
  }

  /** A statement failed or timed out because of one job, and it is not known which. */
  async #isolate(batch: Submitted[], error: unknown, progress: BatchProgress<Submitted>): Promise<void> {
    if (batch.length === 1 || error instanceof ApiError || isUnreachable(error)) {
      this.#fail(batch, error)
      return
    }
    const parts = byEnvironment(batch)
    if (parts.length > 1) await this.#divide(parts, progress)
    else if (error instanceof BeyondBudget)
      for (const part of inParts(batch, error.times)) await this.#attempt(part, ALONE, NO_PROGRESS)
    else for (const ticket of batch) await this.#attempt([ticket], ALONE, NO_PROGRESS, SHORT_LOCK_TIMEOUT_MS)
  }

  /**
   * Each environment is retried alone: first with the short lock timeout, then those that timed out again with the full
   * lock timeout.
   */
  async #divide(parts: readonly Part<Submitted>[], progress: BatchProgress<Submitted>): Promise<void> {
    const failed: { part: Submitted[]; error: unknown }[] = []
    await eachAtMost(PARTS_AT_ONCE, parts, async ({ items }) => {
      const part = [...items]
      const error = await this.#commit(part, ALONE, NO_PROGRESS, SHORT_LOCK_TIMEOUT_MS)
      if (error === undefined) progress.finished(part)
      else failed.push({ part, error })
    })
    await eachAtMost(PARTS_AT_ONCE, failed, async ({ part, error }) => {
      if (isTimeout(error)) await this.#attempt(part, ALONE, NO_PROGRESS)
      else await this.#isolate(part, error, NO_PROGRESS)
      progress.finished(part)
    })
  }

  #fail(batch: readonly Submitted[], error: unknown): void {
    const environmentId = batch[0]?.item.environmentId
    this.#log.warn({ err: error, environmentId, jobs: batch.length }, 'a write failed')
    for (const ticket of batch) fail(ticket, error)
  }
}

/** So many parts of a batch of one environment that each is likely to be within the budget. One that is not is divided again. */
function inParts(batch: readonly Submitted[], times: number): Submitted[][] {
  const size = Math.ceil(batch.length / Math.min(Math.ceil(times) + 1, batch.length))
  return Array.from({ length: Math.ceil(batch.length / size) }, (_, index) =>
    batch.slice(index * size, (index + 1) * size),
  )
}

function environmentsOf(parts: readonly Part<Submitted>[]): EnvironmentId[] {
  return parts.map(({ environmentId }) => environmentId)
}

interface JobQueue {
  readonly waiting: WaitingJobs
  readonly batcher: Batcher<Submission, unknown>
}

/** For parts of a batch: the next batch does not wait for them, so their progress is not reported. */
const NO_PROGRESS: BatchProgress<Submitted> = { next: () => {}, failed: () => {}, finished: () => {} }
/** They are tried when all batches before theirs are finished. */
const ALONE = new Precedence().enter([])
