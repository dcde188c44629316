import type { EnvironmentId, Transaction } from '../database/database.ts'
import { isDuplicate } from '../database/errors.ts'
import { ApiError, errors } from '../errors.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { deleteAnswers, findAnswers, insertAnswers, type NewAnswer } from './queries.ts'

/** A request that may come again: the key that the client gave it, and a hash of all that it asks for. */
export interface IdempotencyKey {
  readonly key: string
  readonly fingerprint: Buffer
}

/** How the result of a job with a key is answered. It is made in the transaction, and kept with it. */
export interface Once<Result> extends IdempotencyKey {
  answer(result: Result, db: Transaction): MaybePromise<string>
}

export interface OnceAnswer {
  readonly body: string
  /** Whether an earlier request has got this answer. */
  readonly isReplay: boolean
}

/** The same key was stored by another transaction meanwhile: begin again, and find its answer. */
export class AnsweredElsewhere extends Error {}

interface Item {
  readonly job: unknown
  readonly once: Once<unknown> | undefined
}

/** What an item gets: its own result, that of an item with the same key, an answer that is stored, or a failure. */
type Outcome = { readonly of: number } | { readonly result: OnceAnswer | ApiError }

interface DeferringTransaction extends Transaction {
  defer(statements: Promise<unknown>): void
}

/**
 * Runs the jobs whose key is new, and those without one, and stores the answers of the former in the same transaction.
 * A key that another transaction is storing makes this one wait, and then begin again.
 */
export async function runOnce(
  transaction: DeferringTransaction,
  environmentId: EnvironmentId,
  items: readonly Item[],
  work: (jobs: unknown[]) => Promise<unknown[]>,
): Promise<unknown[]> {
  const { outcomes, fresh } = await divide(transaction, environmentId, items)
  const results = fresh.length > 0 ? await work(fresh.map(({ job }) => job)) : []
  const answers = await Promise.all(fresh.map(({ once }, index) => answerOf(once, results[index], transaction)))
  const stored = fresh.flatMap(({ once }, index): NewAnswer[] => {
    const answer = answers[index]
    return once && isAnswer(answer) ? [{ key: once.key, fingerprint: once.fingerprint, body: answer.body }] : []
  })
  if (stored.length > 0) transaction.defer(storeAnswers(transaction, environmentId, stored))
  const seen = new Set<number>()
  return outcomes.map((outcome) => {
    if ('result' in outcome) return outcome.result
    const answer = answers[outcome.of]
    const isRepeated = seen.size === seen.add(outcome.of).size
    return isRepeated && isAnswer(answer) ? { ...answer, isReplay: true } : answer
  })
}

async function divide(transaction: Transaction, environmentId: EnvironmentId, items: readonly Item[]) {
  const keys = [...new Set(items.flatMap(({ once }) => (once ? [once.key] : [])))]
  const found = await findAnswers(transaction, environmentId, keys)
  const expired = found.filter(({ isExpired }) => isExpired).map(({ key }) => key)
  if (expired.length > 0) await deleteAnswers(transaction, environmentId, expired)
  const known = new Map(found.filter(({ isExpired }) => !isExpired).map((answer) => [answer.key, answer]))
  const fresh: Item[] = []
  const first = new Map<string, { fingerprint: Buffer; index: number }>()
  const outcomes = items.map((item): Outcome => {
    const { once } = item
    const answer = once && known.get(once.key)
    if (answer) return { result: replay(once, answer) }
    const same = once && first.get(once.key)
    if (same) return isSame(once, same) ? { of: same.index } : { result: errors.idempotencyKeyReused() }
    const index = fresh.push(item) - 1
    if (once) first.set(once.key, { fingerprint: once.fingerprint, index })
    return { of: index }
  })
  return { outcomes, fresh }
}

/** The stored answer, when it belongs to the same request. */
export function replay(once: IdempotencyKey, answer: { fingerprint: Buffer; body: string }): OnceAnswer | ApiError {
  return isSame(once, answer) ? { body: answer.body, isReplay: true } : errors.idempotencyKeyReused()
}

function isSame(once: IdempotencyKey, { fingerprint }: { fingerprint: Buffer }): boolean {
  return once.fingerprint.equals(fingerprint)
}

async function answerOf(once: Once<unknown> | undefined, result: unknown, db: Transaction): Promise<unknown> {
  if (!once || result instanceof ApiError) return result
  return { body: await once.answer(result, db), isReplay: false } satisfies OnceAnswer
}

function isAnswer(answer: unknown): answer is OnceAnswer {
  return typeof answer === 'object' && answer !== null && 'isReplay' in answer
}

async function storeAnswers(db: Transaction, environmentId: EnvironmentId, answers: NewAnswer[]): Promise<void> {
  try {
    await insertAnswers(db, environmentId, answers)
  } catch (error) {
    throw isDuplicate(error) ? new AnsweredElsewhere() : error
  }
}
