import type { CommitQueue } from '../batches/queue.ts'
import type { Work } from '../batches/work.ts'
import type { EnvironmentId } from '../database/database.ts'
import { itemsOf, ofOne, type Part } from '../database/parts.ts'
import { ApiError } from '../errors.ts'
import type { Once, OnceAnswer } from '../idempotency/run-once.ts'
import { runOnce } from '../idempotency/run-once.ts'

interface Collected {
  readonly work: Work<never, unknown>
  readonly job: unknown
  readonly once: Once<unknown> | undefined
  readonly outcome: PromiseWithResolvers<unknown>
}

/** Stands in for the commit queue: collects the jobs of a batch, which then run in one transaction. */
export class JobCollector implements Pick<CommitQueue, 'submit' | 'submitOnce'> {
  readonly #collected: Collected[] = []

  submit<Job, Result>(work: Work<Job, Result>, _environmentId: EnvironmentId, job: Job): Promise<Result> {
    return this.#collect(work as Work<never, unknown>, job, undefined) as Promise<Result>
  }

  submitOnce<Job, Result>(
    work: Work<Job, Result>,
    _environmentId: EnvironmentId,
    job: Job,
    once: Once<Result>,
  ): Promise<OnceAnswer> {
    return this.#collect(work as Work<never, unknown>, job, once as Once<unknown>) as Promise<OnceAnswer>
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

  #collect(work: Work<never, unknown>, job: unknown, once: Once<unknown> | undefined): Promise<unknown> {
    const outcome = Promise.withResolvers<unknown>()
    outcome.promise.catch(() => {})
    this.#collected.push({ work, job, once, outcome })
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

/** A separate work for each batch, so that the queue runs it in a separate transaction and an error rolls back nothing else. */
function atomicWork(collected: readonly Collected[]): Work<undefined, unknown[]> {
  const work = collected[0]?.work as Work<never, unknown>
  return async (transaction, environmentId, _jobs, turn) => {
    // A single statement would commit by itself.
    await transaction.query('select 1', [])
    const run = (parts: readonly Part<unknown>[]) => work(transaction, environmentId, itemsOf(parts) as never[], turn)
    const results = collected.some(({ once }) => once)
      ? await runOnce(transaction, ofOne(environmentId, collected), run)
      : await run(
          ofOne(
            environmentId,
            collected.map(({ job }) => job),
          ),
        )
    results.forEach((result, index) => {
      if (result instanceof ApiError) throw new JobRefused(index, result)
    })
    return [results]
  }
}
