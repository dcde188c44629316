const FIRST_MS = 1_000
const LONGEST_MS = 60_000

/** How long to wait before the next try: doubled with each failure, and a random half of it, so that pages do not come together. */
export function backoff(failures: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10))
  return whole / 2 + (Math.random() * whole) / 2
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
