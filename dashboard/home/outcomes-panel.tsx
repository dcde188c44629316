import { Link } from '@tanstack/react-router'
import { count, percent } from '../format/number.ts'
import { HttpStatus } from '../parts/http-status.tsx'
import { Panel } from '../parts/panel.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { HomeData } from './queries.ts'

type Outcome = HomeData['requests']['outcomes'][number]

const MOST = 5

const look = (status: number) => (status >= 500 ? 'bad' : status >= 300 ? 'warn' : 'ok')

/** The list is the legend of the bar. */
export function OutcomesPanel({ home }: { home: HomeData }) {
  const { slug } = useEnvironment()
  const { outcomes, total } = home.requests
  const sorted = [...outcomes].sort((a, b) => Number(a.status >= 300) - Number(b.status >= 300) || b.count - a.count)
  return (
    <Panel
      title="Requests by outcome"
      end={
        <Link className="link" to="/$environment/live" params={{ environment: slug }}>
          Open Live
        </Link>
      }
    >
      <div className="split" aria-hidden="true">
        {sorted.map((outcome) => (
          <i key={keyOf(outcome)} className={look(outcome.status)} style={{ flex: weight(outcome.count, total) }} />
        ))}
        {total === 0 && <i className="none" />}
      </div>
      <ul className="legend">
        {sorted.slice(0, MOST).map((outcome) => (
          <li key={keyOf(outcome)}>
            <span className={`sq ${look(outcome.status)}`} aria-hidden="true" />
            <HttpStatus code={outcome.status} />
            {outcome.code ? <span className="clip mono">{outcome.code}</span> : <span className="clip">Accepted</span>}
            <span className="n">{count(outcome.count)}</span>
            <span className="n t3">{percent(outcome.count, total)}</span>
          </li>
        ))}
        {total === 0 && <li className="none t3">No requests in this range.</li>}
      </ul>
    </Panel>
  )
}

const keyOf = ({ status, code }: Outcome) => `${status} ${code}`

/** A share that is small still has to be seen. */
const weight = (part: number, total: number) => Math.max(1.5, (100 * part) / Math.max(1, total))
