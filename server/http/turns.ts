/** So many are begun at least before PostgreSQL hears of the first of them. */
const LEAST_AT_ONCE = 32

/**
 * Holds back what arrives until the turn of the event loop is over, and begins it then, one right after the other. Where
 * the work is a chain of awaits, the first step is done for all, then the second, and so on: the code of a step is in the
 * processor's cache for all but the first. Measured with 64 connections: 151 µs of CPU for an event when each was begun
 * as it came, 126 µs this way.
 *
 * When many arrive in one turn only half of them are begun at once, so that PostgreSQL works on these while the others are
 * read: clients that were answered together ask together again, and all of them would wait for one transaction after the
 * other. Measured with wrk, which answers faster than a client in JavaScript: 0.82 of the yardstick for events when all 64
 * are begun, 0.96 with 32 at a time; and of 1,024 connections, 8,900 a second with 32 at a time, 9,700 with half of them.
 */
export function inTurns<Item>(begin: (item: Item) => void): (item: Item) => void {
  const arrived: Item[] = []
  const beginSome = () => {
    const items = arrived.splice(0, Math.max(LEAST_AT_ONCE, arrived.length / 2))
    if (arrived.length > 0) setImmediate(beginSome)
    for (const item of items) begin(item)
  }
  return (item) => {
    if (arrived.length === 0) setImmediate(beginSome)
    arrived.push(item)
  }
}
