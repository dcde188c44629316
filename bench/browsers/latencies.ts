/** Latencies in a histogram of fixed size: buckets of 5 % from 0.05 ms on. */
const LEAST_MS = 0.05
const GROWTH = Math.log(1.05)
const BUCKETS = 300

export class Latencies {
  readonly #counts = new Uint32Array(BUCKETS)
  count = 0

  add(ms: number): void {
    const exact = Math.ceil(Math.log(Math.max(ms, LEAST_MS) / LEAST_MS) / GROWTH)
    const bucket = Math.min(exact, BUCKETS - 1)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.count += 1
  }

  /** The upper bound of the bucket, in milliseconds; 0 without a latency. */
  percentile(share: number): number {
    let left = this.count * share
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count
      if (left <= 0 && this.count > 0) return LEAST_MS * Math.exp(bucket * GROWTH)
    }
    return 0
  }

  reset(): void {
    this.#counts.fill(0)
    this.count = 0
  }
}
