import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../session/use-session.ts'
import { endpointsQuery, failingCount } from '../webhooks/queries.ts'

const WATCH_MS = 30_000

/** Shown on Webhooks, and on the phone's More, only while an endpoint fails. */
export function FailingCount() {
  const { slug } = useEnvironment()
  const { data } = useQuery({ ...endpointsQuery(slug), refetchInterval: WATCH_MS, select: failingCount })
  if (!data) return null
  return (
    <span className="count">
      <span aria-hidden="true">{data}</span>
      <span className="sr">{data === 1 ? '1 endpoint is failing' : `${data} endpoints are failing`}</span>
    </span>
  )
}
