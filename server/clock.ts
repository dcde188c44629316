let lastSecond = Number.NaN
let lastText = ''

/**
 * A whole number of milliseconds since 1970 in ISO 8601. Thousands of requests share a second, so the text of all but the
 * milliseconds is cached.
 */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / 1_000)
  if (second !== lastSecond) {
    lastText = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length)
    lastSecond = second
  }
  return `${lastText}${String(ms - second * 1_000).padStart(3, '0')}Z`
}
