type ResponseHeaders = Record<string, string | string[] | undefined>

/**
 * `Retry-After` in seconds from now: a number of seconds or an HTTP date; anything else counts as absent. A date counts from
 * the `Date` of the response, so a wrong clock of the receiver does not matter. Without it, it counts from `now`.
 */
export function retryAfterSeconds(headers: ResponseHeaders, now: () => number): number | undefined {
  const { 'retry-after': header, date } = headers
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const atMs = dateMs(text)
  return atMs === undefined ? undefined : Math.max(0, Math.ceil((atMs - (dateMs(date) ?? now())) / 1000))
}

/** All three date forms of HTTP begin with a week day. Without that check Date.parse takes '-5' for a year. */
function dateMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || !/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(header)) return undefined
  const ms = Date.parse(header)
  return Number.isNaN(ms) ? undefined : ms
}
