import type { FromHub, ToHub } from './hub-messages.ts'
import { HubStream } from './hub-stream.ts'

/** A tab in the background may be allowed one timer per minute. */
const FORGOTTEN_AFTER_MS = 150_000
const SWEEP_MS = 30_000

type Watcher = { url: string; heardAt: number }

/**
 * One stream per environment for all tabs of a browser: over HTTP/1.1 a browser has six connections to a server, and a
 * stream for each tab would take them all. It runs in a shared worker, or in the tab itself where there is none.
 */
export class Hub {
  readonly #watchers = new Map<MessagePort, Watcher>()
  readonly #streams = new Map<string, HubStream>()

  constructor() {
    setInterval(() => this.#sweep(), SWEEP_MS)
  }

  connect(port: MessagePort): void {
    port.onmessage = ({ data }: MessageEvent<ToHub>) => {
      if (data.type === 'leave') return this.#leave(port)
      this.#watch(port, data.url)
      say(port, { type: 'watching' })
    }
  }

  /** A member has signed in or out. */
  restart(): void {
    for (const stream of this.#streams.values()) stream.restart()
  }

  #watch(port: MessagePort, url: string): void {
    const isNew = this.#watchers.get(port)?.url !== url
    this.#watchers.set(port, { url, heardAt: Date.now() })
    if (!isNew) return
    this.#closeUnwatched()
    const stream = this.#streams.get(url) ?? new HubStream(url, (message) => this.#post(url, message))
    this.#streams.set(url, stream)
    for (const message of stream.soFar) say(port, message)
  }

  #leave(port: MessagePort): void {
    this.#watchers.delete(port)
    this.#closeUnwatched()
  }

  #closeUnwatched(): void {
    const watched = new Set([...this.#watchers.values()].map(({ url }) => url))
    for (const [url, stream] of this.#streams) {
      if (watched.has(url)) continue
      stream.close()
      this.#streams.delete(url)
    }
  }

  #post(url: string, message: FromHub): void {
    for (const [port, watcher] of this.#watchers) if (watcher.url === url) say(port, message)
  }

  /** A crashed tab has not unregistered. */
  #sweep(): void {
    const since = Date.now() - FORGOTTEN_AFTER_MS
    for (const [port, { heardAt }] of this.#watchers) if (heardAt < since) this.#watchers.delete(port)
    this.#closeUnwatched()
  }
}

const say = (port: MessagePort, message: FromHub): void => port.postMessage(message)
