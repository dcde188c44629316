import type { Rejection, Verdict } from '../../../contract/dashboard/home.ts'
import type { EndpointSummary } from '../../../contract/dashboard/webhooks.ts'

/** The input of the verdict: the last ten minutes, and what else may need attention. */
export interface VerdictInput {
  now: number
  hasData: boolean
  lastRequestAt: string | null
  /** Of the last ten minutes. */
  total: number
  rateLimited: number
  /** Without requests over the rate limit. */
  rejected: number
  topRejection: Rejection | undefined
  endpoints: readonly EndpointSummary[]
  finding: string | undefined
}

const SILENT_MS = 15 * 60 * 1000
const WARN_SHARE = 0.05
const BAD_SHARE = 0.5

const nothing = {
  since: null,
  code: null,
  field: null,
  share: null,
  count: null,
  endpoint_id: null,
  endpoint_url: null,
  other_endpoints: null,
  status: null,
  waiting: null,
  finding: null,
}

/** The first verdict whose condition holds. A plain function on plain data. */
export function verdictOf(input: VerdictInput): Verdict {
  return (
    empty(input) ??
    silent(input) ??
    rejected(input) ??
    rateLimited(input) ??
    failing(input) ??
    system(input) ?? { ...nothing, level: 'ok', kind: 'well' }
  )
}

function empty({ hasData, lastRequestAt, total }: VerdictInput): Verdict | undefined {
  if (hasData || lastRequestAt !== null || total > 0) return undefined
  return { ...nothing, level: 'ok', kind: 'empty' }
}

function silent({ now, lastRequestAt }: VerdictInput): Verdict | undefined {
  if (lastRequestAt === null || now - Date.parse(lastRequestAt) <= SILENT_MS) return undefined
  return { ...nothing, level: 'bad', kind: 'silent', since: lastRequestAt }
}

function rejected({ total, rejected, topRejection }: VerdictInput): Verdict | undefined {
  const share = total === 0 ? 0 : rejected / total
  if (share <= WARN_SHARE) return undefined
  const { code = null, field = null } = topRejection ?? {}
  return {
    ...nothing,
    level: share > BAD_SHARE ? 'bad' : 'warn',
    kind: 'rejected',
    share,
    code,
    field,
    count: rejected,
  }
}

function rateLimited({ rateLimited }: VerdictInput): Verdict | undefined {
  return rateLimited === 0 ? undefined : { ...nothing, level: 'warn', kind: 'rate_limited', count: rateLimited }
}

/** Names the endpoint that has failed the longest. */
function failing({ endpoints }: VerdictInput): Verdict | undefined {
  const all = endpoints.filter(({ health }) => health.state === 'failing')
  const [worst] = all.sort((a, b) => (String(a.health.failing_since) < String(b.health.failing_since) ? -1 : 1))
  if (!worst) return undefined
  return {
    ...nothing,
    level: 'warn',
    kind: 'endpoint_failing',
    since: worst.health.failing_since,
    endpoint_id: worst.id,
    endpoint_url: worst.url,
    other_endpoints: all.length - 1,
    status: worst.health.last_status,
    waiting: worst.health.waiting,
  }
}

function system({ finding }: VerdictInput): Verdict | undefined {
  return finding === undefined ? undefined : { ...nothing, level: 'warn', kind: 'system', finding }
}
