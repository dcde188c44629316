import { type Dispatcher, Pool } from 'undici'
import { failureText } from '../../../contract/delivery-failures.ts'
import { type Attempt, AttemptHandler, type AttemptHandlerOptions } from './attempt.ts'
import { type AttemptOptions, clientOptions, TimedClient } from './client.ts'
import { Dialer, type DialOptions } from './dial.ts'

export type { Attempt } from './attempt.ts'

export interface SenderOptions extends DialOptions, AttemptHandlerOptions {
  userAgent: string
}

/** The most concurrent sends to one URL. Further ones wait for a socket, within their own time-out. */
const SOCKETS_PER_URL = 64

/**
 * A connection is vetted when it is opened, and trusted while it is open: its peer cannot change. It is closed after a
 * minute at the latest, so that changes of the name are followed, and after a few idle seconds.
 */
const OLDEST_SOCKET_MS = 60_000

/**
 * Sockets belong to a URL, not to a host: of two subscriptions on one host, the one that hangs must not use up the sockets of
 * the other.
 */
interface Target {
  url: URL
  path: string
  pool: Pool
}

/** POSTs to URLs that are not trusted, and returns the outcome. Never throws. */
export class Sender {
  readonly #options: SenderOptions
  readonly #dialer: Dialer
  readonly #targets = new Map<string, Target>()
  #closed = false

  constructor(options: SenderOptions) {
    this.#options = options
    this.#dialer = new Dialer(options)
  }

  async send(url: string, headers: Record<string, string>, body: Buffer | string): Promise<Attempt> {
    if (this.#closed) return refused(failureText('sender_closed'))
    if (!/^https?:/i.test(url) || !URL.canParse(url)) return refused(failureText('url_invalid'))
    const target = this.#targets.get(url) ?? this.#open(url)
    const startedAt = performance.now()
    const request: Dispatcher.DispatchOptions = {
      path: target.path,
      method: 'POST',
      headers: { ...headers, 'user-agent': this.#options.userAgent },
      body,
    }
    const first = await this.#attempt(target.pool, request, startedAt)
    return first === 'stale' ? this.#sendAgain(target, request, startedAt) : first
  }

  /** Waits for the sends under way. The total time-out bounds this. */
  async close(): Promise<void> {
    this.#closed = true
    const targets = [...this.#targets.values()]
    this.#targets.clear()
    await Promise.all(targets.map(({ pool }) => pool.close()))
  }

  /**
   * A receiver may close an idle connection just when we use it. This is not a failed attempt: the request is sent again. The
   * receiver may have read it; delivery is at least once.
   */
  async #sendAgain(target: Target, request: Dispatcher.DispatchOptions, startedAt: number): Promise<Attempt> {
    const client = new TimedClient(target.url, clientOptions, this.#dialer)
    const attempt = await this.#attempt(client, request, startedAt)
    client.close(() => {})
    return attempt === 'stale' ? refused(failureText('connection_closed')) : attempt
  }

  #attempt(via: Dispatcher, request: Dispatcher.DispatchOptions, startedAt: number): Promise<Attempt | 'stale'> {
    return new Promise((resolve) => {
      const attemptHandler = new AttemptHandler(startedAt, this.#options, resolve)
      const options: AttemptOptions = { ...request, attemptHandler }
      via.dispatch(options, attemptHandler)
    })
  }

  #open(text: string): Target {
    const url = new URL(text)
    const pool = new Pool(url.origin, {
      ...clientOptions,
      connections: SOCKETS_PER_URL,
      clientTtl: OLDEST_SOCKET_MS,
      factory: (_, options) => new TimedClient(url, options, this.#dialer),
    })
    const target = { url, path: url.pathname + url.search, pool }
    this.#targets.set(text, target)
    const forgetIfUnused = () => setImmediate(() => this.#forgetIfUnused(text, target))
    pool.on('disconnect', forgetIfUnused).on('connectionError', forgetIfUnused)
    return target
  }

  #forgetIfUnused(text: string, { pool }: Target): void {
    const { connected, size } = pool.stats
    if (connected > 0 || size > 0 || pool.closed) return
    this.#targets.delete(text)
    pool.close(() => {})
  }
}

function refused(failure: string): Attempt {
  return { ok: false, failure, timing: { totalMs: 0 }, responseText: '' }
}
