import { type Dispatcher, Pool } from 'undici'
import { type Attempt, AttemptHandler } from './attempt.ts'
import { type AttemptOptions, clientOptions, TimedClient } from './client.ts'
import { Dialer, type DialOptions } from './dial.ts'

export type { Attempt } from './attempt.ts'

export interface SenderOptions extends DialOptions {
  userAgent: string
  totalTimeoutMs: number
}

/** The most concurrent sends of one endpoint. Further ones wait for a socket, within their own time-out. */
export const SOCKETS_PER_ENDPOINT = 64

/**
 * A connection is vetted when it is opened, and trusted while it is open: its peer cannot change. It is closed after a
 * minute at the latest, so that changes of the name are followed, and after a few idle seconds.
 */
const OLDEST_SOCKET_MS = 60_000

/**
 * Sockets belong to an endpoint (a URL), not to a host: of two subscriptions on one host, the one that hangs must not
 * use up the sockets of the other.
 */
interface Endpoint {
  url: URL
  path: string
  pool: Pool
}

/** POSTs to endpoints that are not trusted, and returns the outcome. Never throws. */
export class Sender {
  readonly #options: SenderOptions
  readonly #dialer: Dialer
  readonly #endpoints = new Map<string, Endpoint>()
  #closed = false

  constructor(options: SenderOptions) {
    this.#options = options
    this.#dialer = new Dialer(options)
  }

  async send(url: string, headers: Record<string, string>, body: Buffer | string): Promise<Attempt> {
    if (this.#closed) return refused('the sender is closed')
    if (!/^https?:/i.test(url) || !URL.canParse(url)) return refused('the URL is not valid')
    const endpoint = this.#endpoints.get(url) ?? this.#open(url)
    const startedAt = performance.now()
    const request: Dispatcher.DispatchOptions = {
      path: endpoint.path,
      method: 'POST',
      headers: { ...headers, 'user-agent': this.#options.userAgent },
      body,
    }
    const first = await this.#attempt(endpoint.pool, request, startedAt)
    return first === 'stale' ? this.#sendAfresh(endpoint, request, startedAt) : first
  }

  /** Waits for the sends under way. The total time-out bounds this. */
  async close(): Promise<void> {
    this.#closed = true
    const endpoints = [...this.#endpoints.values()]
    this.#endpoints.clear()
    await Promise.all(endpoints.map(({ pool }) => pool.close()))
  }

  /**
   * A receiver may close an idle connection just when we use it. This is not a failed attempt: the request is sent again. The
   * receiver may have read it; delivery is at least once.
   */
  async #sendAfresh(endpoint: Endpoint, request: Dispatcher.DispatchOptions, startedAt: number): Promise<Attempt> {
    const client = new TimedClient(endpoint.url, clientOptions, this.#dialer)
    const attempt = await this.#attempt(client, request, startedAt)
    client.close(() => {})
    return attempt === 'stale' ? refused('the connection was closed before the response was complete') : attempt
  }

  #attempt(via: Dispatcher, request: Dispatcher.DispatchOptions, startedAt: number): Promise<Attempt | 'stale'> {
    return new Promise((resolve) => {
      const attemptHandler = new AttemptHandler(startedAt, this.#options.totalTimeoutMs, resolve)
      const options: AttemptOptions = { ...request, attemptHandler }
      via.dispatch(options, attemptHandler)
    })
  }

  #open(text: string): Endpoint {
    const url = new URL(text)
    const pool = new Pool(url.origin, {
      ...clientOptions,
      connections: SOCKETS_PER_ENDPOINT,
      clientTtl: OLDEST_SOCKET_MS,
      factory: (_, options) => new TimedClient(url, options, this.#dialer),
    })
    const endpoint = { url, path: url.pathname + url.search, pool }
    this.#endpoints.set(text, endpoint)
    const forgetIfUnused = () => setImmediate(() => this.#forgetIfUnused(text, endpoint))
    pool.on('disconnect', forgetIfUnused).on('connectionError', forgetIfUnused)
    return endpoint
  }

  #forgetIfUnused(text: string, { pool }: Endpoint): void {
    const { connected, size } = pool.stats
    if (connected > 0 || size > 0 || pool.closed) return
    this.#endpoints.delete(text)
    pool.close(() => {})
  }
}

function refused(failure: string): Attempt {
  return { ok: false, failure, timing: { totalMs: 0 }, responseText: '' }
}
