import type { Dispatcher } from 'undici'
import { failureText } from '../../../contract/delivery-failures.ts'
import type { DialTiming } from './dial.ts'
import { isConnectionLoss, PlainFailure, plainWords } from './failures.ts'
import { retryAfterSeconds } from './retry-after.ts'

export interface Attempt {
  ok: boolean
  status?: number
  /** The cause in plain words. */
  failure?: string
  retryAfterSeconds?: number
  timing: { nameMs?: number; connectMs?: number; tlsMs?: number; firstByteMs?: number; totalMs: number }
  /** The first 4 KB of the response. */
  responseText: string
}

/** The connection of a request. The first request on it gets the timing of its opening. */
export interface Carrier {
  takeDialTiming(): DialTiming | undefined
}

export interface AttemptHandlerOptions {
  totalTimeoutMs: number
  /** For a response that has no `Date`: milliseconds since 1970, by the clock of this machine unless given. */
  now?: () => number
}

const READ_BYTES = 16 * 1024
const KEEP_BYTES = 4 * 1024
const ENOUGH = new PlainFailure('enough of the response was read')
const LATE = new PlainFailure('the time is over')

/** Turns the callbacks of undici for one request into an Attempt. Settles once; later callbacks are ignored. */
export class AttemptHandler implements Dispatcher.DispatchHandler {
  carrier: Carrier | undefined
  readonly #startedAt: number
  readonly #options: AttemptHandlerOptions
  readonly #timer: NodeJS.Timeout
  readonly #settle: (attempt: Attempt | 'stale') => void
  #attempt: Attempt = { ok: false, timing: { totalMs: 0 }, responseText: '' }
  #controller: Dispatcher.DispatchController | undefined
  #chunks: Buffer[] = []
  #bytes = 0
  #reused = false
  #settled = false

  constructor(startedAt: number, options: AttemptHandlerOptions, settle: (attempt: Attempt | 'stale') => void) {
    this.#startedAt = startedAt
    this.#options = options
    this.#settle = settle
    // One timer for the whole attempt: undici's own time-outs count only idle time, and a slow trickle is never idle.
    this.#timer = setTimeout(() => this.#onTimeout(), options.totalTimeoutMs - (performance.now() - startedAt))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) controller.abort(LATE)
    const dialled = this.carrier?.takeDialTiming()
    this.#reused = dialled === undefined
    Object.assign(this.#attempt.timing, dialled)
  }

  onResponseStarted(): void {
    this.#attempt.timing.firstByteMs ??= performance.now() - this.#startedAt
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return
    this.#attempt.status = status
    const seconds = retryAfterSeconds(headers, this.#options.now ?? Date.now)
    if (seconds !== undefined) this.#attempt.retryAfterSeconds = seconds
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < KEEP_BYTES) this.#chunks.push(chunk.subarray(0, KEEP_BYTES - this.#bytes))
    this.#bytes += chunk.length
    if (this.#bytes < READ_BYTES) return
    this.#finish(undefined)
    controller.abort(ENOUGH)
  }

  onResponseEnd(): void {
    this.#finish(undefined)
  }

  onResponseError(_: unknown, error: Error): void {
    const stale = this.#reused && this.#attempt.timing.firstByteMs === undefined && isConnectionLoss(error)
    this.#finish(plainWords(error), stale)
  }

  #onTimeout(): void {
    const code = this.#attempt.status === undefined ? 'response_timeout' : 'response_unfinished'
    this.#finish(failureText(code, `${this.#options.totalTimeoutMs / 1000} s`))
    this.#controller?.abort(LATE)
  }

  #finish(broken: string | undefined, stale = false): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    this.#settle(stale ? 'stale' : this.#completed(broken))
  }

  #completed(broken: string | undefined): Attempt {
    const attempt = this.#attempt
    const failure = broken ?? failureOfStatus(attempt.status ?? 0)
    if (failure === undefined) attempt.ok = true
    else attempt.failure = failure
    attempt.timing.totalMs = performance.now() - this.#startedAt
    attempt.responseText = textOf(this.#chunks)
    return attempt
  }
}

/** Any 2xx acknowledges (contract, Delivery 3); redirects count as failures (S-RETRIES). */
function failureOfStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  return status >= 300 && status < 400 ? failureText('redirected') : failureText('not_acknowledged', status)
}

/** Valid UTF-8 without NUL, which PostgreSQL cannot store; a character that the cut splits is left out. */
function textOf(chunks: Buffer[]): string {
  if (chunks.length === 0) return ''
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '')
}
