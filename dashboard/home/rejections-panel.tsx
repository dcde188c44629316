import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count } from '../format/number.ts'
import { requestErrorsQuery } from '../live/queries.ts'
import { messageOf } from '../live/reasons.ts'
import { HttpStatus } from '../parts/http-status.tsx'
import { Panel } from '../parts/panel.tsx'
import { Spark } from '../parts/spark.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { HomeData } from './queries.ts'

const MOST = 4

export function RejectionsPanel({ home }: { home: HomeData }) {
  const { slug } = useEnvironment()
  const { data, reasons } = home.rejections
  const params = { environment: slug }
  const { data: errors } = useQuery(requestErrorsQuery(slug))
  const hoursOf = (reason: { code: string; field: string }) =>
    pairs(errors?.data.find(({ code, field }) => code === reason.code && field === reason.field)?.hours.values ?? [])
  return (
    <Panel
      title="Why requests were rejected"
      end={
        reasons > 0 && (
          <Link className="link" to="/$environment/live" params={params} search={{ view: 'errors' }}>
            All {count(reasons)}
          </Link>
        )
      }
    >
      <ul className="rows r-err">
        {data.slice(0, MOST).map((reason) => (
          <li key={`${reason.status} ${reason.code} ${reason.field}`}>
            <Link to="/$environment/live" params={params} search={{ view: 'errors', open: reason.last_request_id }}>
              <HttpStatus code={reason.status} />
              <span className="clip">
                <span className="mono" dir="auto">
                  {reason.field || reason.code}
                </span>{' '}
                <span className="t2" dir="auto">
                  {messageOf(reason)}
                </span>
              </span>
              <Spark tone="warn" values={hoursOf(reason)} />
              <span className="n">{count(reason.count)}</span>
            </Link>
          </li>
        ))}
        {data.length === 0 && (
          <li className="none">
            <p className="t2">No request was rejected in this range.</p>
          </li>
        )}
      </ul>
    </Panel>
  )
}

/** A bar for every two of the last 24 hours. */
function pairs(hours: number[]): number[] {
  return Array.from({ length: 12 }, (_, index) => (hours[2 * index] ?? 0) + (hours[2 * index + 1] ?? 0))
}
