import { setTimeout as sleep } from 'node:timers/promises'
import { PROTOCOL_VERSION } from '../contract/sdk/protocol.ts'
import type { Random } from '../test/fuzz/random.ts'
import { PageStream } from '../test/support/page-stream.ts'
import type { Target } from './call.ts'

const TIMEOUTS_MS = [100, 1_000, 5_000] as const
const PAUSE_MS = 50
/** How long a page waits for a stream to open. */
const STREAM_MS = 1_000
/** Not an answer to the call itself: it is sent again, to any node. */
const AGAIN = new Set([0, 429, 503])

export interface PageAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: each call has an answer of its own form
  body: any
}

/** A browser without a screen. Every call is sent again until it is answered, as the script does it. */
export class DrillPage {
  readonly #targets: readonly Target[]
  readonly #token: string
  readonly #random: Random
  readonly browserId: string
  #visitor = ''
  retries = 0
  /** The number of claims that were not answered in time. A node may still carry them out, at any time. */
  unansweredClaims = 0

  constructor(targets: readonly Target[], token: string, random: Random, browserId: string) {
    this.#targets = targets
    this.#token = token
    this.#random = random
    this.browserId = browserId
  }

  async identify(userId: string): Promise<PageAnswer> {
    const answer = await this.call('identify', {
      user_id: userId,
      browser_id: this.browserId,
      protocol: PROTOCOL_VERSION,
    })
    this.#visitor = answer.body.visitor
    return answer
  }

  async call(name: string, body: object): Promise<PageAnswer> {
    for (;;) {
      const answer = await this.#try(name, body)
      if (!AGAIN.has(answer.status)) return answer
      this.retries += 1
      if (name === 'claim' && answer.status === 0) this.unansweredClaims += 1
      await sleep(PAUSE_MS)
    }
  }

  /** At a random node; undefined when that node is down. */
  async openStream(): Promise<PageStream | undefined> {
    const controller = new AbortController()
    const opened = fetch(`${this.#random.pick(this.#targets).url}/sdk/stream`, {
      headers: this.#headers(),
      signal: controller.signal,
    })
    const timer = setTimeout(() => controller.abort(), STREAM_MS)
    const response = await opened.catch(() => undefined).finally(() => clearTimeout(timer))
    if (response?.ok) return new PageStream(response, controller)
    controller.abort()
    return undefined
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}`, 'usher-visitor': this.#visitor }
  }

  async #try(name: string, body: object): Promise<PageAnswer> {
    try {
      const response = await fetch(`${this.#random.pick(this.#targets).url}/sdk/${name}`, {
        method: 'POST',
        headers: { ...this.#headers(), 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(this.#random.pick(TIMEOUTS_MS)),
      })
      return { status: response.status, body: await response.json() }
    } catch (error) {
      if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return { status: 0, body: {} }
      throw error
    }
  }
}
