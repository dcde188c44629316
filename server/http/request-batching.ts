import { tuning } from '../tuning.ts'

/**
 * Starts the requests of one turn of the event loop together, at the end of the turn. The first step runs for all of
 * them, then the second, and so on: the code of a step is in the processor's cache for all but the first. Measured with
 * 64 connections: 151 µs of CPU for an event when each was started on arrival, 126 µs this way.
 *
 * When many arrive in one turn only half of them are started at once, so that PostgreSQL works on these while the
 * others are parsed. Clients that were answered together send their next requests together, and would all wait for the
 * same transactions. Measured with wrk, which is faster than a client in JavaScript: 0.82 of the yardstick for events
 * when all 64 are begun, 0.96 with 32 at a time; with 1,024 connections, 8,900 a second with 32 at a time, 9,700 with
 * half of them.
 */
export function batchRequests<Item>(begin: (item: Item) => void): (item: Item) => void {
  const arrived: Item[] = []
  const beginSome = () => {
    const items = arrived.splice(0, Math.max(tuning.smallestRequestBatch, arrived.length / 2))
    if (arrived.length > 0) setImmediate(beginSome)
    for (const item of items) begin(item)
  }
  return (item) => {
    if (arrived.length === 0) setImmediate(beginSome)
    arrived.push(item)
  }
}
