import type { MostBytes } from '../database/byte-budget.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import type { ApiError } from '../errors.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Stamp } from './stamp.ts'

/**
 * The idempotency of a job: its key is kept by who submitted it (server/idempotency), and `run` carries out jobs with one.
 * The first try may leave out checks: after any failure of it the batch is run again.
 */
export interface JobIdempotency {
  readonly run: RunJobs
}

export interface KeyedJob {
  readonly job: unknown
  readonly idempotency: JobIdempotency | undefined
}

/**
 * Runs the jobs of a batch, some of which are carried out once. It gets the work, and may run jobs by it or answer them
 * without it. Results are in the order of the parts. All of a batch have the same `run`.
 */
export type RunJobs = (
  transaction: OpenTransaction,
  parts: readonly Part<KeyedJob>[],
  turn: Turn,
  work: (parts: readonly Part<unknown>[]) => Promise<unknown[]>,
) => Promise<unknown[]>

/** Whether a job of the batch is carried out once. */
export function hasKeys(work: Work<never, unknown>, parts: readonly Part<KeyedJob>[]): boolean {
  return (idempotencyOf(parts) ?? work.atomicJobs?.find(({ idempotency }) => idempotency)) !== undefined
}

/** Whether one statement can be all that the batch does: no answers are stored after it, and no other jobs follow. */
export function mayBeSingle(work: Work<never, unknown>, parts: readonly Part<KeyedJob>[]): boolean {
  return !work.atomicJobs && !idempotencyOf(parts)
}

/** Runs the jobs of a batch in its transaction. Returns the results in the order of the parts. */
export function runJobs(
  work: Work<never, unknown>,
  transaction: OpenTransaction,
  parts: readonly Part<KeyedJob>[],
  turn: Turn,
): Promise<unknown[]> {
  const run = (jobs: readonly Part<unknown>[]) => runWork(work, transaction, jobs as Part<never>[], turn)
  const idempotency = idempotencyOf(parts)
  return idempotency
    ? idempotency.run(transaction, parts, turn, run)
    : run(parts.map(({ environmentId, items }) => ({ environmentId, items: items.map(({ job }) => job) })))
}

function runWork(
  work: Work<never, unknown>,
  transaction: OpenTransaction,
  parts: readonly Part<never>[],
  turn: Turn,
): Promise<unknown[]> {
  const [first] = parts as [Part<never>]
  if (parts.length === 1 || !work.acrossEnvironments) return work(transaction, first.environmentId, first.items, turn)
  return work.acrossEnvironments(transaction, parts, turn)
}

function idempotencyOf(parts: readonly Part<KeyedJob>[]): JobIdempotency | undefined {
  for (const { items } of parts) for (const { idempotency } of items) if (idempotency) return idempotency
  return undefined
}

/**
 * What a batch of jobs does inside its transaction. It returns the result of each job, or the error of that job alone. It
 * runs again from the start when the transaction is retried, so it changes nothing but the database. Other effects go to
 * `afterCommit`.
 */
export interface Work<Job, Result> {
  (
    transaction: OpenTransaction,
    environmentId: EnvironmentId,
    jobs: readonly Job[],
    turn: Turn,
  ): Promise<(Result | ApiError)[]>
  /**
   * The same for jobs of several environments, answered in the order of the parts. A batch of work without it holds one
   * environment.
   */
  acrossEnvironments?: WorkAcross<Job, Result>
  /** Jobs that it carries out all or none. A batch of such work is always a transaction of several statements. */
  atomicJobs?: readonly KeyedJob[]
  /** Of a transaction that cannot be divided. */
  mostBytes?: MostBytes
  /** For a new batch: which of the waiting jobs of an environment can be in it. Without it all can. */
  mixture?: () => { accepts(job: Job): boolean }
}

export type WorkAcross<Job, Result> = (
  transaction: OpenTransaction,
  parts: readonly Part<Job>[],
  turn: Turn,
) => Promise<(Result | ApiError)[]>

/** Gives a batch its position in the order of commits, once everything is read and locked. */
export interface Turn {
  /** New objects get their time and ids from the stamp. `distinct` when users or groups can be created. */
  enter(distinct: boolean): MaybePromise<Stamp>
  /** Whether the batch is run for the first time. */
  readonly isFirstTry: boolean
  /** Resolves when work that begins now sees every user and group that the batches before it create, or all they write. */
  see(what: 'created' | 'everything'): Promise<void>
  /** The batch creates objects. */
  creates(): void
}

/** Work whose batches hold several environments. */
export function workAcross<Job, Result>(across: WorkAcross<Job, Result>): Work<Job, Result> {
  const work: Work<Job, Result> = (transaction, environmentId, items, turn) =>
    across(transaction, [{ environmentId, items }], turn)
  work.acrossEnvironments = across
  return work
}

/** What this batch has read was changed since, for instance by another node. The batch is retried. */
export class ChangedElsewhere extends Error {}
