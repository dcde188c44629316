import type { CounterTally } from '../counters/tally.ts'
import type { Exchange } from '../http/exchange.ts'

/** In milliseconds. The script waits no longer than the last one. */
const BOUNDS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000] as const
const LONGEST = 15_000

/** A new visitor token, something that is not there, a claim that another browser has: the script goes on from them. */
const EXPECTED = new Set([401, 404, 409])

/** Counts the answer to a page of an allowed origin: its time, from the first byte of the call, or that the call was refused. */
export function countPageAnswer(tally: CounterTally, operation: string, exchange: Exchange): void {
  const { origin } = (exchange.grant ?? {}) as { origin?: string }
  // A stream is answered as long as the page is open.
  if (origin === undefined || operation === 'stream') return
  const status = exchange.response.statusCode
  if (status < 400) tally.add('page_answer', `${boundOf(exchange.elapsedMs)} ${origin}`)
  else if (!EXPECTED.has(status)) tally.add('page_error', `${exchange.failureCode || 'unknown'} ${origin}`)
}

function boundOf(ms: number): number {
  return BOUNDS.find((bound) => ms <= bound) ?? LONGEST
}
