import { limits } from '../../contract/limits.ts'
import type { CommitQueue } from '../batches/queue.ts'
import { type JobIdempotency, type KeyedJob, runJobs, type Work } from '../batches/work.ts'
import { BeyondBudget, type MostBytes } from '../database/byte-budget.ts'
import type { EnvironmentId } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { ApiError, errors } from '../errors.ts'

interface Collected extends KeyedJob {
  readonly work: Work<never, unknown>
  readonly outcome: PromiseWithResolvers<unknown>
}

/** Used instead of the commit queue: collects the jobs of a batch, which then run in one transaction. */
export class JobCollector implements Pick<CommitQueue, 'submit' | 'submitWith'> {
  readonly #collected: Collected[] = []

  submit<Job, Result>(work: Work<Job, Result>, _environmentId: EnvironmentId, job: Job): Promise<Result> {
    return this.#collect(work as Work<never, unknown>, job, undefined) as Promise<Result>
  }

  submitWith<Job>(
    idempotency: JobIdempotency,
    work: Work<Job, unknown>,
    _environmentId: EnvironmentId,
    job: Job,
  ): Promise<unknown> {
    return this.#collect(work as Work<never, unknown>, job, idempotency)
  }

  /** Carries out all jobs or none: one failed job fails all. */
  async commit(commits: CommitQueue, environmentId: EnvironmentId): Promise<void> {
    const collected = this.#collected
    try {
      const results = await commits.submit(atomicWork(collected), environmentId, undefined)
      for (const [index, { outcome }] of collected.entries()) outcome.resolve(results[index])
    } catch (error) {
      for (const { outcome } of collected) outcome.reject(error)
      throw error
    }
  }

  #collect(work: Work<never, unknown>, job: unknown, idempotency: JobIdempotency | undefined): Promise<unknown> {
    const outcome = Promise.withResolvers<unknown>()
    outcome.promise.catch(() => {})
    this.#collected.push({ work, job, idempotency, outcome })
    return outcome.promise
  }
}

/** A job of an atomic batch was refused. */
export class JobRefused extends ApiError {
  readonly index: number

  constructor(index: number, { code, message, headers, param }: ApiError) {
    super(code, message, headers, param)
    this.index = index
  }
}

/** Of what is written before its answers are known to be too many. What PostgreSQL writes of attributes is a little longer. */
const MOST_BYTES: MostBytes = { read: 2 * limits.batchAnswerBytes, written: limits.batchAnswerBytes }

function refuseTooLarge(error: unknown): never {
  throw error instanceof BeyondBudget ? errors.batchTooLarge() : error
}

/** A separate work for each batch, so that the queue runs it in a separate transaction and an error rolls back nothing else. */
function atomicWork(collected: readonly Collected[]): Work<undefined, unknown[]> {
  const [{ work: workOfAll }] = collected as [Collected]
  const work: Work<undefined, unknown[]> = async (transaction, environmentId, _jobs, turn) => {
    const results = await runJobs(workOfAll, transaction, ofOne(environmentId, collected), turn).catch(refuseTooLarge)
    results.forEach((result, index) => {
      if (result instanceof ApiError) throw new JobRefused(index, result)
    })
    if (answeredBytes(results) > limits.batchAnswerBytes) throw errors.answersTooLarge()
    return [results]
  }
  work.atomicJobs = collected
  work.mostBytes = MOST_BYTES
  return work
}

/** Of upserts and of answers that are stored under a key. Others are no longer than what was sent. */
function answeredBytes(results: readonly unknown[]): number {
  return (results as { attributesJson?: string; body?: string }[]).reduce(
    (sum, { attributesJson, body }) => sum + Buffer.byteLength(attributesJson ?? body ?? ''),
    0,
  )
}
