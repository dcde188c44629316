/**
 * Whether an endpoint is failing: at least 20 failed attempts in a row, over at least an hour. A short outage does not
 * count: retries bridge it. Plain functions on plain data.
 */
const FAILURES = 20
const OVER_MS = 3_600_000

export interface EndpointHealth {
  /** Failed attempts since the last success. */
  failures: number
  /** The first of them. */
  failingSince: string | null
  isFailing: boolean
}

export interface AttemptResult {
  ok: boolean
  at: string
}

export const HEALTHY: EndpointHealth = { failures: 0, failingSince: null, isFailing: false }

/** The health after these attempts, in their order. */
export function healthAfter(health: EndpointHealth, results: readonly AttemptResult[]): EndpointHealth {
  return results.reduce((current, result) => (result.ok ? HEALTHY : afterFailure(current, result.at)), health)
}

function afterFailure({ failures, failingSince, isFailing }: EndpointHealth, at: string): EndpointHealth {
  const since = failingSince ?? at
  const isLongEnough = Date.parse(at) - Date.parse(since) >= OVER_MS
  return {
    failures: failures + 1,
    failingSince: since,
    isFailing: isFailing || (failures + 1 >= FAILURES && isLongEnough),
  }
}
