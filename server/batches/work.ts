import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import type { ApiError } from '../errors.ts'
import type { Stamp } from './stamp.ts'

/**
 * What a batch of jobs does inside its transaction. It answers each job with its result, or with the error that this job
 * alone fails with. It is run again from the start when the transaction has to be, so it changes nothing but the
 * database; what else has to happen, it hands to `afterCommit`.
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
}

export type WorkAcross<Job, Result> = (
  transaction: OpenTransaction,
  parts: readonly Part<Job>[],
  turn: Turn,
) => Promise<(Result | ApiError)[]>

/** Takes the position of a batch in the order of commits, once everything is read and locked. */
export interface Turn {
  /** What is created gets its time and ids from the stamp; `distinct` when users or groups can be among it. */
  enter(distinct: boolean): Promise<Stamp>
}

/** Work whose batches hold several environments. */
export function workAcross<Job, Result>(across: WorkAcross<Job, Result>): Work<Job, Result> {
  const work: Work<Job, Result> = (transaction, environmentId, items, turn) =>
    across(transaction, [{ environmentId, items }], turn)
  work.acrossEnvironments = across
  return work
}

/** What this batch went by has changed meanwhile, on another node perhaps: begin again, and find it as it is now. */
export class ChangedElsewhere extends Error {}
