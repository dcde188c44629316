import type { CommitQueue } from '../batches/queue.ts'
import type { Work } from '../batches/work.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { ApiError } from '../errors.ts'
import type { Reply } from '../http/reply.ts'
import { findAnswers } from '../idempotency/queries.ts'
import { type IdempotencyKey, type OnceAnswer, replay, submitOnce } from '../idempotency/run-once.ts'
import { after, type MaybePromise } from '../maybe-promise.ts'
import type { SealedColumn } from '../secrets/sealed-column.ts'
import type { SharedSecrets } from '../secrets/shared-secrets.ts'
import { subjectOf } from './subject.ts'

/** What a write needs to know of its request. */
export interface WriteCall {
  grant: { environmentId: EnvironmentId }
  requestKey: RequestKey | undefined
}

/** `isSecret` says that the answer has a secret: it is stored sealed. */
type RequestKey = IdempotencyKey & { readonly isSecret?: boolean }

interface Stores {
  commits: Pick<CommitQueue, 'submit' | 'submitWith'>
  database: Database
  secrets: SharedSecrets
}

/** Makes the answer out of what is stored of it. */
type Show = (stored: string) => MaybePromise<string>

const asStored: Show = (stored) => stored

/**
 * Carries out a write and answers it. A repeat of a request with a key gets the stored answer of the first. `render` makes
 * what is stored, and `show` the answer of it, of a repeat too.
 */
export function answerWrite<Job, Result>(
  { commits, secrets }: Stores,
  work: Work<Job, Result>,
  { grant: { environmentId }, requestKey }: WriteCall,
  job: Job,
  render: (result: Result) => string,
  show = asStored,
): Promise<string | Reply> {
  if (!requestKey) return commits.submit(work, environmentId, job).then((result) => show(render(result)))
  const answer = (result: Result) => {
    const text = render(result)
    return requestKey.isSecret ? secrets.seal(text, placeOf(environmentId, requestKey.key)) : text
  }
  return submitOnce(commits, work, environmentId, job, { ...requestKey, ...subjectOf(job), answer }).then((stored) =>
    reveal(secrets, environmentId, requestKey, stored, show),
  )
}

function reveal(
  secrets: SharedSecrets,
  environmentId: EnvironmentId,
  key: RequestKey,
  { body, isReplay }: OnceAnswer,
  show: Show,
): MaybePromise<string | Reply> {
  const text = key.isSecret ? secrets.open(body, placeOf(environmentId, key.key)) : body
  return after(show(text), (shown) => replyOf({ body: shown, isReplay }))
}

function placeOf(environmentId: EnvironmentId, key: string): string {
  return `answer ${environmentId} ${key}`
}

export const sealedAnswers: SealedColumn = {
  table: 'idempotency_keys',
  column: 'body',
  type: 'text',
  id: 'key',
  idType: 'text',
  place: placeOf,
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
  { database, secrets }: Pick<Stores, 'database' | 'secrets'>,
  { grant: { environmentId }, requestKey }: WriteCall,
  show = asStored,
): Promise<string | Reply | undefined> {
  if (!requestKey) return undefined
  const [[found] = []] = await findAnswers(database, ofOne(environmentId, [requestKey.key]))
  if (!found || found.isExpired) return undefined
  const answer = replay(requestKey, found)
  if (answer instanceof ApiError) throw answer
  return await reveal(secrets, environmentId, requestKey, answer, show)
}

/**
 * A write that state may refuse before it is submitted. The stored answer is looked up only then: few requests are repeats.
 */
export async function orEarlierAnswer(
  stores: Pick<Stores, 'database' | 'secrets'>,
  call: WriteCall,
  write: () => Promise<string | Reply>,
  show?: Show,
): Promise<string | Reply> {
  try {
    return await write()
  } catch (error) {
    const earlier = error instanceof ApiError && error.status < 500 && (await earlierAnswerOf(stores, call, show))
    if (!earlier) throw error
    return earlier
  }
}

export function replyOf({ body, isReplay }: OnceAnswer): string | Reply {
  return isReplay ? { isReplay, body } : body
}
