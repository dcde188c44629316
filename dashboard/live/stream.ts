import { useSyncExternalStore } from 'react'
import { addressOf } from '../api.ts'
import { checkSession } from '../session/queries.ts'
import { HubLink } from './hub-link.ts'
import type { FromHub } from './hub-messages.ts'
import type { LiveRequest } from './queries.ts'
import { KEPT_ROWS, Ring } from './ring.ts'

const PAINT_MS = 100
const RATE_WINDOW_MS = 10_000
/** Going from one page to the next keeps the connection. */
const LEAVE_AFTER_MS = 1000

export type LiveState = {
  rows: readonly LiveRequest[]
  connection: 'connecting' | 'open' | 'lost'
  /** Since when the feed has a gap, while the connection is lost. */
  gapSince: string | undefined
  /** Requests per second, over the last ten. */
  rate: number
}

const EMPTY: LiveState = { rows: [], connection: 'connecting', gapSince: undefined, rate: 0 }

/** What this tab shows of the current environment. React reads snapshots, at most ten a second. */
class Stream {
  readonly #listeners = new Set<() => void>()
  readonly #link: HubLink
  #ring = new Ring<LiveRequest>(KEPT_ROWS)
  #arrivals: { at: number; count: number }[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  state = EMPTY

  constructor(environment: string) {
    const url = new URL(addressOf('watchLive', { environment }), location.href).href
    this.#link = new HubLink(url, (message) => this.#take(message))
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#link.watch()
    return () => {
      this.#listeners.delete(listener)
      setTimeout(() => this.#listeners.size === 0 && this.#link.leave(), LEAVE_AFTER_MS)
    }
  }

  #take(message: FromHub): void {
    if (message.type === 'connection') {
      const { state, gapSince } = message.connection
      this.#publish({ connection: state, gapSince })
    } else if (message.type === 'refused') checkSession()
    else if (message.type === 'rows') this.#replace(message.rows)
    else if (message.type === 'added') this.#add(message.requests, message.arrived)
  }

  #replace(rows: readonly LiveRequest[]): void {
    this.#ring = new Ring(KEPT_ROWS)
    this.#arrivals = []
    this.#add(rows, 0)
  }

  #add(requests: readonly LiveRequest[], arrived: number): void {
    this.#ring.add(requests)
    this.#arrivals.push({ at: Date.now(), count: arrived })
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
