import type { OpenTransaction } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import type { ApiError } from '../errors.ts'
import type { BatchState } from './batch-state.ts'
import type { Draft } from './state.ts'
import type { Touched } from './touched.ts'

/** The jobs of one kind in one environment, and what the batch has read and will write there. */
export interface KindPart<Job> extends Part<Job> {
  readonly state: BatchState
}

/**
 * A kind of job, and how jobs of it are carried out in one batch with jobs of all other kinds:
 *
 * | step    | for            | what it does                                                                         |
 * | ------- | -------------- | ------------------------------------------------------------------------------------ |
 * | `about` | each job       | names the objects that it is about, before the batch is made (`mixture.ts`)          |
 * | `touch` | each job       | names what it reads or changes: users and groups are locked, in the order of all     |
 * |         |                | writes, and loaded into the state                                                    |
 * | `load`  | the kind, once | reads rows of its own into the states. Its statements are sent after those locks, in |
 * |         |                | the same round trip                                                                  |
 * | `apply` | each job       | changes the draft and the state in memory, in the order of the jobs. A job that      |
 * |         |                | returns an error changes nothing, and the others continue                            |
 * | `store` | the kind, once | writes the rows of its own that differ. It is awaited before COMMIT is sent          |
 *
 * Users, groups, memberships, events, notifications, definitions and entries of the audit log are stored for all kinds
 * together (`store.ts`): a kind changes them in the state. The batch is run again after a conflict, so nothing but the
 * database and the state is changed. Other effects go to `afterCommit` of the transaction.
 */
export interface JobKind<Job, Result> {
  /** Such as `user u_1`. */
  about(job: Job): string[]
  /** A removal and another job about one object are not in one batch. */
  readonly isRemoval?: boolean
  /**
   * What it has to see of the batches before its own, which may not have committed yet. Users and groups that exist are
   * locked by those, and waited for. Nothing makes a statement wait for rows that are created: users and groups, or also
   * the events, of which no lock tells.
   */
  readonly sees?: 'created' | 'everything'
  touch?(job: Job, touched: Touched): void
  load?(transaction: OpenTransaction, parts: readonly KindPart<Job>[]): Promise<unknown>
  apply(state: BatchState, draft: Draft, job: Job): Result | ApiError
  store?(transaction: OpenTransaction, parts: readonly KindPart<Job>[]): Promise<unknown>
}
