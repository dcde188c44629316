import { sortedUnique } from '../arrays.ts'
import type { Transaction } from '../database/database.ts'
import { isDuplicate } from '../database/errors.ts'
import { itemsOf, type Part, partsOf } from '../database/parts.ts'
import { ApiError, errors } from '../errors.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { deleteAnswers, findAnswers, insertAnswers, type NewAnswer, type StoredAnswer } from './queries.ts'

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
 * A key that another transaction is storing makes this one wait, and then begin again. Results are in the order of the
 * parts.
 */
export async function runOnce(
  transaction: DeferringTransaction,
  parts: readonly Part<Item>[],
  work: (parts: readonly Part<unknown>[]) => Promise<unknown[]>,
): Promise<unknown[]> {
  const known = await findKnown(transaction, parts)
  const { outcomes, fresh } = divide(parts, known)
  const jobs = partsOf(fresh, ({ items }) => items.map(({ job }) => job))
  const results = jobs.length > 0 ? await work(jobs) : []
  const items = itemsOf(fresh)
  const answers = await Promise.all(items.map(({ once }, index) => answerOf(once, results[index], transaction)))
  storeAnswers(transaction, fresh, answers)
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
    const given = items.flatMap(({ once }) => (once ? [once.key] : []))
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
  const outcomes: Outcome[] = []
  let count = 0
  const fresh = parts.map(({ environmentId, items }, part) => {
    const first = new Map<string, { fingerprint: Buffer; index: number }>()
    const own: Item[] = []
    for (const item of items) {
      const outcome = outcomeOf(item.once, known[part], first)
      outcomes.push(outcome ?? { of: count })
      if (outcome) continue
      if (item.once) first.set(item.once.key, { fingerprint: item.once.fingerprint, index: count })
      own.push(item)
      count += 1
    }
    return { environmentId, items: own }
  })
  return { outcomes, fresh }
}

/** Of an item that is not to be run; `first` are those before it with the same key. */
function outcomeOf(
  once: Once<unknown> | undefined,
  known: KnownAnswers | undefined,
  first: ReadonlyMap<string, { fingerprint: Buffer; index: number }>,
): Outcome | undefined {
  if (!once) return undefined
  const answer = known?.get(once.key)
  if (answer) return { result: replay(once, answer) }
  const same = first.get(once.key)
  if (!same) return undefined
  return isSame(once, same) ? { of: same.index } : { result: errors.idempotencyKeyReused() }
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

/** `answers` are those of the items of all parts, one after the other. */
function storeAnswers(
  transaction: DeferringTransaction,
  fresh: readonly Part<Item>[],
  answers: readonly unknown[],
): void {
  let index = 0
  const stored = partsOf(fresh, ({ items }) =>
    items.flatMap(({ once }): NewAnswer[] => {
      const answer = answers[index++]
      return once && isAnswer(answer) ? [{ key: once.key, fingerprint: once.fingerprint, body: answer.body }] : []
    }),
  )
  if (stored.length > 0) transaction.defer(insertOrBeginAgain(transaction, stored))
}

async function insertOrBeginAgain(db: Transaction, answers: readonly Part<NewAnswer>[]): Promise<void> {
  try {
    await insertAnswers(db, answers)
  } catch (error) {
    throw isDuplicate(error) ? new AnsweredElsewhere() : error
  }
}
