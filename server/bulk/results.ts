import { renderFailure, toApiError } from '../http/failures.ts'
import type { Reply } from '../http/reply.ts'
import type { OnceAnswer } from '../idempotency/run-once.ts'
import { replyOf } from '../writes/answer-write.ts'

/** A result of a batch as it is shown. `isReplay` is undefined when the operation failed. */
export interface OperationResult {
  status: number
  text: string
  isReplay: boolean | undefined
}

export async function resultOf(
  answer: Promise<OnceAnswer>,
  address: string,
  requestId: string,
): Promise<OperationResult> {
  try {
    return storedResult(await answer)
  } catch (error) {
    const failure = toApiError(error)
    return {
      status: failure.status,
      text: `{"status":${failure.status},"body":${renderFailure(failure, address, requestId)}}`,
      isReplay: undefined,
    }
  }
}

export function storedResult({ body, isReplay }: OnceAnswer): OperationResult {
  return { status: 200, text: `{"status":200,"body":${body}}`, isReplay }
}

/** Whether it is certain that nothing was stored. After a 5xx that may not be known. */
export function areRefused(results: readonly OperationResult[]): boolean {
  return results.every(({ status }) => status >= 400 && status < 500)
}

/** A replay when all stored results come from an earlier request. */
export function render(results: readonly OperationResult[]): string | Reply {
  const isReplay = results.some((result) => result.isReplay) && results.every((result) => result.isReplay !== false)
  return replyOf({ body: `{"object":"batch","results":[${results.map(({ text }) => text).join(',')}]}`, isReplay })
}
