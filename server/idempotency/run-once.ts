import type { CommitQueue } from '../batches/queue.ts'
import {
  ChangedElsewhere,
  type JobIdempotency,
  type KeyedJob,
  type RunJobs,
  type Turn,
  type Work,
} from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction, Transaction } from '../database/database.ts'
import { isDuplicate } from '../database/errors.ts'
import { sortedUnique } from '../database/lock-order.ts'
import { itemsOf, type Part, partsOf } from '../database/parts.ts'
import { ApiError, errors } from '../errors.ts'
import { deleteAnswers, findAnswers, insertAnswers, type NewAnswer, type StoredAnswer } from './queries.ts'

/** The key of a request that may be repeated, and a hash of its method, path and body. */
export interface IdempotencyKey {
  readonly key: string
  readonly fingerprint: string
}

/** Renders the answer of a job with a key. The answer is rendered and stored in the transaction of the job. */
export interface Once<Result> extends IdempotencyKey {
  answer(result: Result): string
  /** What the answer is about: the deletion of this user or group empties it. */
  readonly userId?: string | null
  readonly groupId?: string | null
}

export interface OnceAnswer {
  readonly body: string
  /** Whether this is the stored answer of an earlier request. */
  readonly isReplay: boolean
}

interface OnceIdempotency extends JobIdempotency {
  readonly once: Once<unknown>
}

interface Item extends KeyedJob {
  readonly idempotency: OnceIdempotency | undefined
}

/** The outcome of an item: its own result, that of an item with the same key, a stored answer, or a failure. */
type ItemOutcome = { readonly of: number } | { readonly result: OnceAnswer | ApiError }

/** Submits the job of a request with a key: a repeat is not carried out again, and gets the answer of the first. */
export function submitOnce<Job, Result>(
  commits: Pick<CommitQueue, 'submitWith'>,
  work: Work<Job, Result>,
  environmentId: EnvironmentId,
  job: Job,
  once: Once<Result>,
): Promise<OnceAnswer> {
  const idempotency: OnceIdempotency = { run: runOnce as RunJobs, once: once as Once<unknown> }
  return commits.submitWith(idempotency, work, environmentId, job) as Promise<OnceAnswer>
}

/**
 * Runs the jobs whose key is new, and those without one, and stores the answers of the former in the same transaction.
 * The first try assumes that every key is new, without a look-up, since nearly all are. A used key fails to be stored, or
 * its job fails because it was carried out before. Then the batch is retried with a look-up. A key that another
 * transaction is storing makes this one wait.
 */
async function runOnce(
  transaction: OpenTransaction,
  parts: readonly Part<Item>[],
  turn: Turn,
  work: (parts: readonly Part<unknown>[]) => Promise<unknown[]>,
): Promise<unknown[]> {
  const { isFirstTry } = turn
  const { outcomes, fresh } = divide(parts, isFirstTry ? [] : await findKnown(transaction, parts))
  const jobs = partsOf(fresh, ({ items }) => items.map(({ job }) => job))
  const results = jobs.length > 0 ? await work(jobs) : []
  const items = itemsOf(fresh)
  if (isFirstTry && items.some(({ idempotency }, index) => idempotency && results[index] instanceof ApiError))
    throw new ChangedElsewhere()
  const answers = items.map(({ idempotency }, index) => answerOf(idempotency, results[index]))
  storeAnswers(transaction, fresh, answers)
  return resultsOf(outcomes, answers)
}

/** Of several items with the same key, only the first is carried out. */
function resultsOf(outcomes: readonly ItemOutcome[], answers: readonly unknown[]): unknown[] {
  const seen = new Set<number>()
  return outcomes.map((outcome) => {
    if ('result' in outcome) return outcome.result
    const answer = answers[outcome.of]
    const isRepeated = seen.size === seen.add(outcome.of).size
    return isRepeated && isAnswer(answer) ? { ...answer, isReplay: true } : answer
  })
}

type KnownAnswers = Map<string, StoredAnswer>

/** The stored answers of each part by their key. Those that are too old are deleted. */
async function findKnown(transaction: Transaction, parts: readonly Part<Item>[]): Promise<KnownAnswers[]> {
  const keys = parts.map(({ environmentId, items }) => {
    const given = items.flatMap(({ idempotency }) => (idempotency ? [idempotency.once.key] : []))
    return { environmentId, items: sortedUnique(given) }
  })
  const found = await findAnswers(transaction, keys)
  const expired = partsOf(keys, (_, index) =>
    (found[index] ?? []).filter(({ isExpired }) => isExpired).map(({ key }) => key),
  )
  if (expired.length > 0) await deleteAnswers(transaction, expired)
  return found.map((answers) => {
    const valid = answers.filter(({ isExpired }) => !isExpired)
    return new Map(valid.map((answer) => [answer.key, answer]))
  })
}

function divide(parts: readonly Part<Item>[], known: readonly KnownAnswers[]) {
  const outcomes: ItemOutcome[] = []
  let count = 0
  const fresh = parts.map(({ environmentId, items }, part) => {
    const first = new Map<string, { fingerprint: string; index: number }>()
    const own: Item[] = []
    for (const item of items) {
      const once = item.idempotency?.once
      const outcome = outcomeOf(once, known[part], first)
      outcomes.push(outcome ?? { of: count })
      if (outcome) continue
      if (once) first.set(once.key, { fingerprint: once.fingerprint, index: count })
      own.push(item)
      count += 1
    }
    return { environmentId, items: own }
  })
  return { outcomes, fresh }
}

/** The outcome of an item that is not run; `first` has the earlier items with the same key. */
function outcomeOf(
  once: Once<unknown> | undefined,
  known: KnownAnswers | undefined,
  first: ReadonlyMap<string, { fingerprint: string; index: number }>,
): ItemOutcome | undefined {
  if (!once) return undefined
  const answer = known?.get(once.key)
  if (answer) return { result: replay(once, answer) }
  const same = first.get(once.key)
  if (!same) return undefined
  return isSame(once, same) ? { of: same.index } : { result: errors.idempotencyKeyReused() }
}

/** The stored answer, when it belongs to the same request. */
export function replay(once: IdempotencyKey, answer: { fingerprint: string; body: string }): OnceAnswer | ApiError {
  if (isSame(once, answer)) return { body: answer.body, isReplay: true }
  return answer.fingerprint === '' ? errors.answerErased() : errors.idempotencyKeyReused()
}

function isSame(once: IdempotencyKey, { fingerprint }: { fingerprint: string }): boolean {
  return once.fingerprint === fingerprint
}

function answerOf(idempotency: OnceIdempotency | undefined, result: unknown): unknown {
  if (!idempotency || result instanceof ApiError) return result
  return { body: idempotency.once.answer(result), isReplay: false } satisfies OnceAnswer
}

function isAnswer(answer: unknown): answer is OnceAnswer {
  return typeof answer === 'object' && answer !== null && 'isReplay' in answer
}

/** `answers` are those of the items of all parts, one after the other. */
function storeAnswers(transaction: OpenTransaction, fresh: readonly Part<Item>[], answers: readonly unknown[]): void {
  let index = 0
  const stored = partsOf(fresh, ({ items }) =>
    items.flatMap(({ idempotency }): NewAnswer[] => {
      const answer = answers[index++]
      if (!idempotency || !isAnswer(answer)) return []
      const { key, fingerprint, userId, groupId } = idempotency.once
      return [{ key, fingerprint, body: answer.body, userId: userId ?? '', groupId: groupId ?? '' }]
    }),
  )
  if (stored.length > 0) transaction.defer(insertOrRetry(transaction, stored))
}

async function insertOrRetry(db: Transaction, answers: readonly Part<NewAnswer>[]): Promise<void> {
  try {
    await insertAnswers(db, answers)
  } catch (error) {
    throw isDuplicate(error) ? new ChangedElsewhere() : error
  }
}
