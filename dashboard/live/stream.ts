import { useSyncExternalStore } from 'react'
import type { Output } from '../../contract/dashboard/operations.ts'
import { addressOf } from '../api.ts'
import type { LiveRequest } from './queries.ts'
import { Ring } from './ring.ts'

export const KEPT_ROWS = 500
const PAINT_MS = 100
const RATE_WINDOW_MS = 10_000

export type LiveState = {
  rows: readonly LiveRequest[]
  connection: 'connecting' | 'open' | 'lost'
  /** Since when the feed has a gap, while the connection is lost. */
  gapSince: string | undefined
  /** Requests per second, over the last ten. */
  rate: number
}

const EMPTY: LiveState = { rows: [], connection: 'connecting', gapSince: undefined, rate: 0 }

/** One EventSource for the environment that is looked at. React reads snapshots, at most ten a second. */
class Stream {
  readonly #environment: string
  readonly #listeners = new Set<() => void>()
  readonly #ring = new Ring<LiveRequest>(KEPT_ROWS)
  #arrivals: { at: number; count: number }[] = []
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #first = true
  state = EMPTY

  constructor(environment: string) {
    this.#environment = environment
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#open()
    return () => {
      this.#listeners.delete(listener)
      // A moment later, so that going from one page to the next keeps the connection.
      setTimeout(() => this.#closeWhenAlone(), 1000)
    }
  }

  #open(): void {
    if (this.#source) return
    this.#source = new EventSource(addressOf('watchLive', { environment: this.#environment }))
    this.#source.onopen = () => this.#publish({ connection: 'open', gapSince: undefined })
    this.#source.onerror = () => this.#lost()
    this.#source.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Output<'watchLive'>)
  }

  #lost(): void {
    this.#first = true
    this.#publish({ connection: 'lost', gapSince: this.state.gapSince ?? new Date().toISOString() })
    if (this.#source?.readyState !== EventSource.CLOSED) return
    // The browser gives up after an answer that is no stream; a lost session is noticed by the other calls.
    this.#source = undefined
    setTimeout(() => this.#listeners.size > 0 && this.#open(), 3000)
  }

  #take({ requests, left_out }: Output<'watchLive'>): void {
    const added = this.#ring.add(requests)
    if (!this.#first) this.#arrivals.push({ at: Date.now(), count: added + left_out })
    // The first message holds what is remembered: it says nothing about the rate.
    this.#first = false
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#publish({})
    }, PAINT_MS)
  }

  #publish(change: Partial<LiveState>): void {
    const since = Date.now() - RATE_WINDOW_MS
    this.#arrivals = this.#arrivals.filter(({ at }) => at > since)
    const arrived = this.#arrivals.reduce((sum, { count }) => sum + count, 0)
    this.state = { ...this.state, rows: this.#ring.rows, rate: arrived / (RATE_WINDOW_MS / 1000), ...change }
    for (const listener of this.#listeners) listener()
  }

  #closeWhenAlone(): void {
    if (this.#listeners.size > 0) return
    this.#source?.close()
    this.#source = undefined
    this.#first = true
  }
}

let current: { environment: string; stream: Stream } | undefined

function streamOf(environment: string): Stream {
  if (current?.environment !== environment) current = { environment, stream: new Stream(environment) }
  return current.stream
}

export function useLive(environment: string): LiveState {
  const stream = streamOf(environment)
  return useSyncExternalStore(stream.subscribe, () => stream.state)
}
