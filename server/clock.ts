let lastMs = 0
let lastText = ''

/** A time in ISO 8601. Hundreds of requests share a millisecond, and the text of it is made once. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms
    lastText = new Date(ms).toISOString()
  }
  return lastText
}
