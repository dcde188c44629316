let lastMs = 0
let lastText = ''

/** A time in ISO 8601. Hundreds of requests share a millisecond, so its text is cached. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms
    lastText = new Date(ms).toISOString()
  }
  return lastText
}
