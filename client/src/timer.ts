/** No timer of the platform takes longer, about 24 days: one that should, or that should never end, ends at once. */
const LONGEST_MS = 2 ** 31 - 1

/** `setTimeout` that takes any time. */
export function after(ms: number, run: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(run, Math.min(ms, LONGEST_MS))
}
