import { limits } from '../../contract/limits.ts'
import { type ApiError, errors } from '../errors.ts'
import type { ParsedOperation } from './parse.ts'

/**
 * How much an operation may answer beyond what was sent: an upsert answers all attributes of its object. Events and deletions
 * answer no more than they were sent.
 */
function mostBytes({ name }: ParsedOperation): number {
  return name === 'upsertUser' || name === 'upsertGroup' ? limits.attributesBytes : 0
}

/**
 * The bytes of the answers of one batch. Its operations begin in their order, each when there is room for the longest answer
 * that it may have, so a small request cannot make the process hold a thousand large objects.
 */
export class AnswerRoom {
  #answered = 0
  /** The most that the operations under way may answer. */
  #reserved = 0
  #refusal: ApiError | undefined
  #onAnswer: () => void = () => {}

  /** Whether an answer of an operation under way has to come first. */
  mustWait(operation: ParsedOperation): boolean {
    const most = mostBytes(operation)
    return this.#reserved > 0 && most > 0 && this.#answered + this.#reserved + most > limits.batchAnswerBytes
  }

  /** Resolves with the next answer. */
  nextAnswer(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve
    })
  }

  /** Refuses an operation without room, and all behind it, which may be about the same object. */
  enter(operation: ParsedOperation): ApiError | undefined {
    const most = mostBytes(operation)
    if (most > 0 && this.#answered + most > limits.batchAnswerBytes) this.#refusal ??= errors.noRoomForAnswer()
    if (!this.#refusal) this.#reserved += most
    return this.#refusal
  }

  /** An operation that has entered is answered. */
  leave(operation: ParsedOperation, bytes: number): void {
    this.#reserved -= mostBytes(operation)
    this.#answered += bytes
    this.#onAnswer()
  }
}
