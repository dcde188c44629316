/**
 * An endpoint is failing from its first failure until its next success. It is down after at least 20 failures in a row
 * over at least an hour: retries bridge a shorter outage. Plain functions on plain data.
 */
const FAILURES = 20
const OVER_MS = 3_600_000

export interface EndpointHealth {
  /** Failed attempts since the last success. */
  failures: number
  /** When the first of them was. */
  failingSince: string | null
  isDown: boolean
}

export interface AttemptResult {
  ok: boolean
  at: string
}

export const HEALTHY: EndpointHealth = { failures: 0, failingSince: null, isDown: false }

/** The health after these attempts, in their order. */
export function healthAfter(health: EndpointHealth, results: readonly AttemptResult[]): EndpointHealth {
  return results.reduce((current, result) => (result.ok ? HEALTHY : afterFailure(current, result.at)), health)
}

function afterFailure({ failures, failingSince, isDown }: EndpointHealth, at: string): EndpointHealth {
  const since = failingSince ?? at
  const isLongEnough = Date.parse(at) - Date.parse(since) >= OVER_MS
  return {
    failures: failures + 1,
    failingSince: since,
    isDown: isDown || (failures + 1 >= FAILURES && isLongEnough),
  }
}
