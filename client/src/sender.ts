import { TimeoutError } from './errors.ts'
import { after } from './timer.ts'

/** One request over the wire. */
export interface WireRequest {
  method: string
  /** The address of the server, and the path with its query. */
  baseUrl: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  timeoutMs: number
  signal: AbortSignal | undefined
}

export interface WireAnswer {
  status: number
  header(name: string): string | null
  text: string
}

/** Sends a request once. Rejects with a `TimeoutError`, the reason of the signal, or the error of the runtime. */
export type Sender = (request: WireRequest) => Promise<WireAnswer>

export function lateError({ method, path, timeoutMs }: WireRequest): TimeoutError {
  return new TimeoutError(`${method} ${path.split('?', 1)[0]}: no answer within ${timeoutMs} ms`)
}

/** Sends by `fetch`. Redirects are not followed, so that the key is not sent to another server. */
export function fetchSender(fetch: typeof globalThis.fetch): Sender {
  return async (request) => {
    const { method, baseUrl, path, headers, body, timeoutMs, signal } = request
    const controller = new AbortController()
    const onAbort = () => controller.abort(signal?.reason)
    const timer = after(timeoutMs, () => controller.abort(lateError(request)))
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const response = await fetch(baseUrl + path, {
        ...{ method, headers, body: body ?? null, redirect: 'manual', signal: controller.signal },
      })
      const text = await response.text()
      return { status: response.status, header: (name) => response.headers.get(name), text }
    } catch (error) {
      // Not every `fetch` rejects with the reason of its signal.
      throw controller.signal.aborted ? controller.signal.reason : error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }
}
