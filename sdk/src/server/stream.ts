import type { StreamMessage } from '../../../contract/sdk/protocol.ts'
import { byMessages } from '../sessions/turn-by-messages.ts'
import { openChannel, requestTurn, type Turn } from '../sessions/turns.ts'
import { backoff, wait } from './backoff.ts'
import type { Calls } from './calls.ts'
import { LineReader } from './lines.ts'

export { byMessages }

/** The server sends something at least every 45 s. A stream that is silent for longer is dead. */
const SILENCE_MS = 60_000
/** A decision of this age needs no second one when the stream opens: the server tells then what it may have missed. */
const FRESH_MS = 3_000
/** Between two decisions by hints. A browser has 120 requests a minute for everything, and a back end may send more events. */
const BETWEEN_MS = 750

/** Who asks the server again, or takes down what is shown. */
type Hinted = () => { decideAnew(): Promise<void>; takeDown(): void } | null

/**
 * One stream per browser and user: the tab with the turn reads it and passes it on to the others. Without it everything works at
 * the next page.
 */
export class Stream {
  readonly #hinted: Hinted
  readonly #channel: BroadcastChannel | null
  readonly #abort = new AbortController()
  readonly #calls: Calls
  #turn: Turn | null = null
  #current: AbortController | null = null
  #freshUntil: number
  /** When the last hint led to a decision, and when the next one will, by `performance.now()`. */
  #askedAt = 0
  #asksAt = Number.POSITIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `decidedAt`: when the decision came that it is opened after, by `performance.now()`. */
  constructor(calls: Calls, user: string, hinted: Hinted, decidedAt: number) {
    this.#freshUntil = decidedAt + FRESH_MS
    this.#calls = calls
    this.#hinted = hinted
    const name = `usher stream ${calls.token} ${user}`
    this.#channel = openChannel(name)
    if (this.#channel)
      this.#channel.onmessage = ({ data }) => {
        // Also what something else of the page sends.
        if (typeof data?.type === 'string' && Number.isFinite(data.within_ms ?? 0))
          this.#received(data as StreamMessage)
      }
    const options = { signal: this.#abort.signal, lost: () => this.end() }
    void requestTurn(`${name} turn`, options, byMessages).then((turn) => {
      this.#turn = turn
      if (turn) void this.#run()
    })
  }

  end(): void {
    this.#leave()
    this.#channel?.close()
  }

  /** Begins again with the visitor token of now, which names another group. */
  restart(): void {
    this.#current?.abort()
  }

  /** Hints that come together are one. A tab that nobody sees asks when it comes to the front, unless it reads the stream. */
  #received(message: StreamMessage): void {
    const { within_ms, off } = { within_ms: 0, off: false, ...message }
    if (off) this.#hinted()?.takeDown()
    const now = performance.now()
    const at = Math.max(now + within_ms * Math.random(), this.#askedAt + BETWEEN_MS)
    if (at >= this.#asksAt) return
    clearTimeout(this.#timer)
    this.#asksAt = at
    this.#timer = setTimeout(() => {
      this.#asksAt = Number.POSITIVE_INFINITY
      if (document.visibilityState !== 'visible' && !this.#turn) return
      this.#askedAt = performance.now()
      void this.#hinted()?.decideAnew()
    }, at - now)
  }

  #leave(): void {
    this.#abort.abort()
    this.#current?.abort()
    this.#turn?.release()
  }

  /** Reads until it ends, and begins again, later with each failure. */
  async #run(): Promise<void> {
    for (let failures = 0; !this.#abort.signal.aborted; ) {
      const pause = await this.#read().catch(() => null)
      failures = pause === null ? failures + 1 : 0
      await wait(pause ?? backoff(failures))
    }
  }

  /** Until the stream ends. Answers how long to wait, or null after a failure. */
  async #read(): Promise<number | null> {
    const silence = new AbortController()
    const stop = () => silence.abort()
    this.#current = silence
    // Also a server that takes the request and answers nothing.
    let timer = setTimeout(stop, SILENCE_MS)
    try {
      return await this.#readUntil(silence.signal, () => {
        clearTimeout(timer)
        timer = setTimeout(stop, SILENCE_MS)
      })
    } finally {
      clearTimeout(timer)
      // What is left of an answer that is not read.
      stop()
    }
  }

  async #readUntil(signal: AbortSignal, heard: () => void): Promise<number | null> {
    const response = await window.fetch(`${this.#calls.endpoint}/sdk/stream`, {
      headers: this.#calls.headers(),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    })
    // The visitor token has expired: the page identifies itself when it decides.
    if (response.status === 401) this.#received({ type: 'hint', within_ms: 0 })
    if (!response.ok || !response.body) return null
    const reader = response.body.getReader()
    const lines = new LineReader()
    const decoder = new TextDecoder()
    let pause = 1_000 * Math.random()
    // What happened since the last decision, while there was no stream. The server may say so itself, at once.
    let isBehind = performance.now() > this.#freshUntil
    this.#freshUntil = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return pause
      heard()
      const messages = lines.read(decoder.decode(value, { stream: true }))
      if (isBehind && messages.length === 0) messages.push({ type: 'hint', within_ms: 0 })
      isBehind = false
      for (const message of messages) {
        if (message.type === 'replaced') this.#leave()
        else if (message.type === 'close') pause = message.within_ms * Math.random()
        else this.#pass(message)
      }
    }
  }

  #pass(message: StreamMessage): void {
    this.#received(message)
    try {
      this.#channel?.postMessage(message)
    } catch {
      // Closed meanwhile.
    }
  }
}
