import type { Definitions } from './attributes.ts'
import { backoffMs, untilAborted, wait } from './backoff.ts'
import { webCrypto } from './crypto.ts'
import { type ApiError, UsherError } from './errors.ts'
import { type Entry, EventQueue } from './event-queue.ts'
import type { TrackEvent } from './requests.ts'
import { sendEvents } from './send-events.ts'
import { after } from './timer.ts'
import type { Transport } from './transport.ts'

/**
 * Why an event was dropped. `full`: the buffer had no room. `refused`: the server refused it, `error` says why.
 * `closed`: it was tracked after `close()`. `unsent`: `close()` ran out of time.
 */
export type DropReason = 'full' | 'refused' | 'closed' | 'unsent'

export interface DroppedEvent<D extends Definitions = Definitions> {
  event: TrackEvent<D>
  reason: DropReason
  error?: ApiError
}

export interface EventBufferOptions<D extends Definitions = Definitions> {
  /** Events of one request. 500 unless given, at most 1,000. */
  maxBatch?: number
  /** How long an event waits for others. 1,000 ms unless given. */
  intervalMs?: number
  /** Events in memory, those being sent included. 10,000 unless given. */
  maxEvents?: number
  /** Characters of these events in memory. 16 million unless given. */
  maxCharacters?: number
  /** Called with every dropped event. */
  onDrop?: (dropped: DroppedEvent<D>) => void
}

/** The longest pause while the server cannot be reached. */
const MOST_PAUSE_MS = 30_000

/** Collects events and sends them in batches. Every event has an idempotency key, so that a retry stores it once. */
export class EventBuffer<D extends Definitions = Definitions> {
  readonly #transport: Transport
  readonly #queue: EventQueue
  readonly #options: Required<Omit<EventBufferOptions<D>, 'onDrop'>> & Pick<EventBufferOptions<D>, 'onDrop'>
  #name: string | undefined
  #count = 0
  #dropped = 0
  #failures = 0
  #isClosed = false
  /** The end of `close()`: aborts the request under way. */
  readonly #deadline = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined

  constructor(transport: Transport, options: EventBufferOptions<D>) {
    const { maxBatch = 500, intervalMs = 1_000, maxEvents = 10_000, maxCharacters = 16_000_000, onDrop } = options
    if (!(maxBatch >= 1 && maxBatch <= 1_000)) throw new UsherError('maxBatch: must be a number from 1 to 1,000')
    this.#transport = transport
    this.#queue = new EventQueue(maxEvents, maxCharacters)
    this.#options = { maxBatch, intervalMs, maxEvents, maxCharacters, ...(onDrop && { onDrop }) }
  }

  /** Events that are not stored yet. */
  get pending(): number {
    return this.#queue.held
  }

  /** Dropped events. */
  get dropped(): number {
    return this.#dropped
  }

  /** Adds an event and returns at once; false when it was dropped. Its time is now unless given. */
  track(event: TrackEvent<D>): boolean {
    const json = JSON.stringify({ ...event, time: event.time ?? new Date().toISOString() })
    if (this.#isClosed) return this.#drop([json], 'closed')
    if (!this.#queue.add({ number: this.#count++, json })) return this.#drop([json], 'full')
    if (this.#queue.waiting >= this.#options.maxBatch) void this.#send().catch(() => {})
    else this.#sendLater(this.#options.intervalMs)
    return true
  }

  /** Sends all waiting events. Rejects when the server cannot accept them now, or when the signal aborts; the events stay in the buffer. */
  async flush({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    while (this.#queue.held > 0) {
      signal?.throwIfAborted()
      await untilAborted(this.#send(), signal)
    }
  }

  /**
   * Sends all waiting events and accepts no more. After `timeoutMs`, or when the signal aborts, the rest is dropped. Call it
   * before the process ends.
   */
  async close({ timeoutMs = 10_000, signal: given }: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const end = () => this.#deadline.abort()
    const timer = after(timeoutMs, end)
    if (given?.aborted) end()
    given?.addEventListener('abort', end, { once: true })
    const { signal } = this.#deadline
    while (this.#queue.held > 0 && !signal.aborted) {
      const isSent = await this.#send().then(
        () => true,
        () => false,
      )
      if (!isSent) await wait(backoffMs(this.#failures, undefined), signal).catch(() => {})
    }
    clearTimeout(timer)
    given?.removeEventListener('abort', end)
    this.#settle(this.#queue.takeAll(), 'unsent')
  }

  #sendLater(ms: number): void {
    if (this.#timer !== undefined || this.#sending !== undefined) return
    this.#timer = after(ms, () => {
      this.#timer = undefined
      void this.#send().catch(() => {})
    })
    // The timer does not keep a process alive. `close()` waits for the events.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  /** One batch at a time, until nothing waits. */
  async #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
      if (this.#queue.waiting > 0 && !this.#isClosed) this.#sendLater(this.#pauseMs())
    })
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#name ??= (globalThis.crypto ?? (await webCrypto())).randomUUID()
    while (this.#queue.waiting > 0) await this.#sendBatch(this.#name, this.#queue.take(this.#options.maxBatch))
  }

  async #sendBatch(name: string, batch: readonly Entry[]): Promise<void> {
    const { stored, refused, again, problem } = await sendEvents(this.#transport, name, batch, this.#deadline.signal)
    this.#queue.settle(stored)
    for (const { entry, error } of refused) this.#settle([entry], 'refused', error)
    this.#queue.putBack(again)
    this.#failures = problem === undefined ? 0 : this.#failures + 1
    if (problem !== undefined) throw problem
  }

  #pauseMs(): number {
    return this.#failures === 0 ? 0 : Math.min(MOST_PAUSE_MS, 4 * backoffMs(this.#failures, undefined))
  }

  #settle(entries: readonly Entry[], reason: DropReason, error?: ApiError): void {
    this.#queue.settle(entries)
    this.#drop(
      entries.map(({ json }) => json),
      reason,
      error,
    )
  }

  #drop(events: readonly string[], reason: DropReason, error?: ApiError): false {
    this.#dropped += events.length
    const { onDrop } = this.#options
    // Called asynchronously: an error of the callback must not stop the buffer.
    if (onDrop)
      for (const json of events)
        queueMicrotask(() => onDrop({ event: JSON.parse(json) as TrackEvent<D>, reason, ...(error && { error }) }))
    return false
  }
}
