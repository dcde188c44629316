import { isTemporary } from './backoff.ts'
import { ApiError, apiError, type UsherError } from './errors.ts'
import type { Entry } from './event-queue.ts'
import type { Transport } from './transport.ts'

/** What the server answers for each event. */
interface Result {
  status: number
  body: unknown
}

/** The outcome of a batch of events. */
export interface Outcome {
  stored: Entry[]
  refused: { entry: Entry; error: ApiError }[]
  /** Events to retry: their outcome is unknown, or the rate limit was reached. */
  again: readonly Entry[]
  problem?: unknown
}

/** Each event has its own key: it is stored once, in whatever batch it is retried. */
export async function sendEvents(
  transport: Transport,
  name: string,
  batch: readonly Entry[],
  signal: AbortSignal,
): Promise<Outcome> {
  const operations = batch.map(
    ({ number, json }) => `{"method":"POST","path":"/events","idempotency_key":"${name}-${number}","body":${json}}`,
  )
  try {
    const json = `{"operations":[${operations.join(',')}]}`
    const { results } = await transport.request<{ results: Result[] }>(
      { method: 'POST', path: '/batch', json },
      { signal },
    )
    return sort(batch, results)
  } catch (error) {
    // A batch that is refused as a whole is not retried. Other failures are temporary.
    if (!(error instanceof ApiError) || isTemporary(error.status))
      return { stored: [], refused: [], again: batch, problem: error }
    return { stored: [], refused: batch.map((entry) => ({ entry, error })), again: [] }
  }
}

function sort(batch: readonly Entry[], results: readonly Result[]): Outcome {
  const stored: Entry[] = []
  const refused: Outcome['refused'] = []
  const again: Entry[] = []
  let problem: UsherError | undefined
  for (const [index, entry] of batch.entries()) {
    const result = results[index]
    if (result?.status === 200) {
      stored.push(entry)
      continue
    }
    const error = errorOf(result)
    if (!isTemporary(error.status)) refused.push({ entry, error })
    else {
      again.push(entry)
      problem = error
    }
  }
  return { stored, refused, again, ...(problem && { problem }) }
}

function errorOf(result: Result | undefined): ApiError {
  const { error } = (result?.body ?? {}) as { error?: Record<string, string> }
  return apiError({
    status: result?.status ?? 500,
    code: error?.code ?? 'unknown',
    message: error?.message ?? 'The answer has no result for this event.',
    param: error?.param,
    requestId: error?.request_id,
    docUrl: error?.doc_url,
    retryAfterMs: undefined,
  })
}
