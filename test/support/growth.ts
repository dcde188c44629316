const LEAST_ROUNDS = 2
const MOST_ROUNDS = 15

/**
 * How many times the processor time of the first work the second one takes. A busy machine stretches measurements, never all
 * of them: the more there are, the nearer the least of each is to the truth. More are made while the growth is above `most`.
 */
export function growthOf(small: () => void, large: () => void, most: number): number {
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    smallMs = Math.min(smallMs, fastest(small, 3))
    largeMs = Math.min(largeMs, fastest(large, 3))
    if (round >= LEAST_ROUNDS && largeMs / smallMs <= most) break
  }
  return largeMs / smallMs
}

/**
 * In milliseconds of processor time, of this many tries. By the clock, a work that is longer than its turn on a shared core
 * would count the turns of others, too, and a short one would not.
 */
export function fastest(work: () => void, tries: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries; count += 1) {
    const begun = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, Math.max(1, user + system) / 1000)
  }
  return least
}
