import { Pool } from 'undici'
import { Latencies } from './latencies.ts'

export const callNames = ['identify', 'decide', 'claim', 'renew', 'progress', 'event', 'quiet'] as const
export type CallName = (typeof callNames)[number]

/** Statuses that a page expects: a refused claim is an answer too. */
const EXPECTED = new Set([200, 404, 409])
const CONNECTIONS = 64

export interface Sender {
  visitor: string
  address: string
}

/** The requests of all browsers and of the back end, over few connections, with the latency of each from when it was due. */
export class Calls {
  readonly #pool: Pool
  readonly #token: string
  readonly latencies = new Map<CallName, Latencies>(callNames.map((name) => [name, new Latencies()]))
  readonly failures = new Map<number, number>()

  constructor(origin: string, token: string) {
    this.#pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 })
    this.#token = token
  }

  /** The body of the answer; undefined after a failure or a refusal. */
  async post(name: CallName, body: object, { visitor, address }: Sender, dueAt: number): Promise<unknown> {
    return await this.#send(name, `/sdk/${name}`, JSON.stringify(body), dueAt, {
      authorization: `Bearer ${this.#token}`,
      origin: 'http://localhost:3000',
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
      ...(visitor !== '' && { 'usher-visitor': visitor }),
    })
  }

  /** As a back end, with an API key. */
  async api(name: CallName, path: string, body: object, key: string, dueAt: number): Promise<unknown> {
    return await this.#send(name, path, JSON.stringify(body), dueAt, { authorization: `Bearer ${key}` })
  }

  async #send(name: CallName, path: string, body: string, dueAt: number, headers: Record<string, string>) {
    const all = { ...headers, 'content-type': 'application/json' }
    const response = await this.#pool.request({ method: 'POST', path, headers: all, body }).catch(() => undefined)
    const text = await response?.body.text().catch(() => undefined)
    const status = text === undefined ? 0 : (response?.statusCode ?? 0)
    this.latencies.get(name)?.add(performance.now() - dueAt)
    if (!EXPECTED.has(status)) this.failures.set(status, (this.failures.get(status) ?? 0) + 1)
    return status === 200 ? JSON.parse(text as string) : undefined
  }

  /** Counts from here on. */
  reset(): void {
    for (const latencies of this.latencies.values()) latencies.reset()
    this.failures.clear()
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}
