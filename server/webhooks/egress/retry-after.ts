/** `Retry-After` in seconds from now: a number of seconds or an HTTP date; anything else counts as absent. */
export function retryAfterSeconds(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  // All three date forms of HTTP begin with a week day. Without that check Date.parse takes '-5' for a year.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000))
}
