import type { CommitQueue } from './batches/queue.ts'
import type { Work } from './batches/work.ts'
import type { Database, EnvironmentId, Queryable } from './database/database.ts'
import { ofOne } from './database/parts.ts'
import { ApiError } from './errors.ts'
import type { Reply } from './http/reply.ts'
import { findAnswers } from './idempotency/queries.ts'
import { type IdempotencyKey, type OnceAnswer, replay, submitOnce } from './idempotency/run-once.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** What a write needs to know of its request. */
export interface WriteCall {
  grant: { environmentId: EnvironmentId }
  requestKey: IdempotencyKey | undefined
}

interface Stores {
  commits: Pick<CommitQueue, 'submit' | 'submitWith'>
  database: Database
}

type Render<Result> = (result: Result, db: Queryable) => MaybePromise<string>

/** Carries out a write and answers it. A repeat of a request with a key gets the stored answer of the first. */
export function answerWrite<Job, Result>(
  { commits, database }: Stores,
  work: Work<Job, Result>,
  { grant: { environmentId }, requestKey }: WriteCall,
  job: Job,
  render: Render<Result>,
): Promise<string | Reply> {
  if (!requestKey) return commits.submit(work, environmentId, job).then((result) => render(result, database))
  return submitOnce(commits, work, environmentId, job, { ...requestKey, answer: render }).then(replyOf)
}

/** Answers a request that has nothing (more) to write. Under a key the answer is stored, as that of any other. */
export async function answerWithoutWrite(stores: Stores, call: WriteCall, answer: string): Promise<string | Reply> {
  return call.requestKey ? await answerWrite(stores, keepAnswers, call, answer, (text) => text) : answer
}

const keepAnswers: Work<string, string> = async (_transaction, _environmentId, answers) => [...answers]

/**
 * The stored answer of an earlier request with this key. For requests whose checks depend on state that can change: a
 * repeat must not fail when the first request succeeded.
 */
export async function earlierAnswerOf(
  { database }: Pick<Stores, 'database'>,
  { grant: { environmentId }, requestKey }: WriteCall,
): Promise<string | Reply | undefined> {
  if (!requestKey) return undefined
  const [[found] = []] = await findAnswers(database, ofOne(environmentId, [requestKey.key]))
  if (!found || found.isExpired) return undefined
  const answer = replay(requestKey, found)
  if (answer instanceof ApiError) throw answer
  return replyOf(answer)
}

export function replyOf({ body, isReplay }: OnceAnswer): string | Reply {
  return isReplay ? { isReplay, body } : body
}
