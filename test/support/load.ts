import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { Random } from '../fuzz/random.ts'
import type { Ledger } from './ledger.ts'
import { type Answer, call } from './process.ts'

export interface Target {
  url: string
  key: string
}

/** Longer than any answer may take. A request that waits longer was lost by the server. */
const HANG_MS = 20_000
/** Between two calls of a caller in `npm test`, so that a test that waits for something leaves the cores to others. */
const PAUSE_MS = 60
const NOT_KNOWN = /not known/
/** A stack, a statement or a path of the file system. */
const INSIDE = /\bat .+:\d+:\d+|select .* from|insert into|\/node_modules\/|\.ts\b/i

/** Clients that write, read and delete continuously until they are stopped, and record the answers. */
export function startLoad(target: () => Target, ledger: Ledger, callers: number, seed: number, name = '') {
  let running = true
  const pauseMs = inject('isLong') ? 0 : PAUSE_MS
  const loops = Array.from({ length: callers }, async (_, index) => {
    const caller = new Caller(target, ledger, `${name}${index}`, new Random(seed + index))
    while (running) {
      await caller.act()
      if (pauseMs > 0) await sleep(pauseMs)
    }
  })
  return {
    stop: async () => {
      running = false
      await Promise.all(loops)
    },
  }
}

class Caller {
  readonly #target: () => Target
  readonly #ledger: Ledger
  readonly #name: string
  readonly #random: Random
  readonly #removable: string[] = []
  #count = 0

  constructor(target: () => Target, ledger: Ledger, name: string, random: Random) {
    this.#target = target
    this.#ledger = ledger
    this.#name = name
    this.#random = random
  }

  async act(): Promise<void> {
    this.#count += 1
    const dice = this.#random.next()
    if (dice < 0.35) return await this.#upsert(`${this.#name}-${this.#count}`)
    if (dice < 0.65) return await this.#track(`${this.#name}-${this.#count}`)
    if (dice < 0.85) return await this.#add()
    const known = this.#removable.at(-1)
    if (known === undefined) return
    return dice < 0.93 ? await this.#read(known) : await this.#delete(known)
  }

  async #upsert(id: string): Promise<void> {
    const body = { id, attributes: { id }, groups: [{ id: `g${this.#count % 5}` }] }
    const answer = await this.#call('POST', '/users', body)
    if (answer?.status !== 200) return
    this.#ledger.users.add(id)
    this.#removable.push(id)
  }

  async #track(mark: string): Promise<void> {
    const answer = await this.#call('POST', '/events', { name: 'tick', user_id: 'counter', attributes: { mark } })
    if (answer?.status === 200) this.#ledger.events.set(mark, answer.body.id)
    else if (answer && !NOT_KNOWN.test(answer.body.error.message)) this.#ledger.refusedEvents.add(mark)
  }

  async #add(): Promise<void> {
    const body = { id: 'counter', attributes: { n: { add: 1 } } }
    const answer = await this.#call('POST', '/users', body)
    if (answer?.status === 200) this.#ledger.added += 1
    else if (!answer || NOT_KNOWN.test(answer.body.error.message)) this.#ledger.unknownAdds += 1
  }

  async #read(id: string): Promise<void> {
    const answer = await this.#call('GET', `/users/${id}`)
    if (answer?.status === 200 && answer.body.attributes.id !== id) this.#ledger.wrong.push(JSON.stringify(answer.body))
    if (answer?.status === 404) this.#ledger.wrong.push(`${id} was acknowledged, and is not there`)
  }

  async #delete(id: string): Promise<void> {
    this.#removable.pop()
    this.#ledger.users.delete(id)
    const answer = await this.#call('DELETE', `/users/${id}`)
    if (answer?.status === 200) this.#ledger.deleted.add(id)
  }

  /** Undefined when the connection broke: the outcome is unknown. */
  async #call(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const { statuses, wrong } = this.#ledger
    const begun = performance.now()
    try {
      const answer = await call(this.#target(), method, path, body, AbortSignal.timeout(HANG_MS))
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status === 200 && method !== 'GET') this.#ledger.acknowledged += 1
      const problem = problemOf(answer)
      if (problem) wrong.push(`${method} ${path}: ${problem}`)
      if (answer.status === 503) await sleep(50)
      return answer
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') wrong.push(`${method} ${path}: no answer`)
      else if (!(error instanceof TypeError)) throw error
      statuses[0] = (statuses[0] ?? 0) + 1
      // Nothing listens on the port: a starting server takes longer than the next try.
      if (performance.now() - begun < 20) await sleep(20)
      return undefined
    }
  }
}

function problemOf({ status, body, retryAfter }: Answer): string | undefined {
  if (status === 200) return undefined
  if (status === 404 && body.error?.code === 'not_found') return undefined
  const shown = `${status} ${JSON.stringify(body)}`
  if (status !== 503 || !retryAfter || typeof body.error?.request_id !== 'string') return shown
  return INSIDE.test(body.error.message) ? `tells of the inside: ${shown}` : undefined
}
