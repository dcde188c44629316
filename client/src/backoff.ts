/** Which failures are retried, and the delays of retries. */

const FIRST_MS = 250
const MOST_MS = 8_000
/** With a longer Retry-After the client does not wait, and throws the error. */
export const MOST_RETRY_AFTER_MS = 60_000

/** Temporary failures: a slow connection, an overloaded or restarting server, or a proxy that cannot reach it. */
const TEMPORARY = new Set([408, 429, 500, 502, 503, 504])

/** Whether a retry may succeed. */
export function isTemporary(status: number): boolean {
  return TEMPORARY.has(status)
}

/** Doubles with every attempt, and half of it is random, so that clients that failed together do not retry together. */
export function backoffMs(attempt: number, retryAfterMs: number | undefined, random = Math.random): number {
  const full = Math.min(MOST_MS, FIRST_MS * 2 ** attempt)
  const jittered = full / 2 + (random() * full) / 2
  return retryAfterMs === undefined ? jittered : retryAfterMs + jittered / 4
}

/** Seconds, or a date. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Waits for the promise, or rejects with the reason of the signal. The work goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work
  return await new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
