import { Link } from '@tanstack/react-router'
import { count } from '../format/number.ts'
import { Panel } from '../parts/panel.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { HomeData } from './queries.ts'

export function MostTracked({ tracked: { data, names } }: { tracked: HomeData['most_tracked'] }) {
  const { slug } = useEnvironment()
  const params = { environment: slug }
  const highest = Math.max(1, ...data.map((event) => event.count))
  return (
    <Panel
      title="Most tracked today"
      end={
        names > 0 && (
          <Link className="link" to="/$environment/events" params={params}>
            All {count(names)}
          </Link>
        )
      }
    >
      <ul className="rows r-top">
        {data.map((event) => (
          <li key={event.name}>
            <Link to="/$environment/events" params={params} search={{ q: event.name }}>
              <span className="clip mono" dir="auto">
                {event.name}
              </span>
              <span className="meter" aria-hidden="true">
                <i style={{ width: `${(100 * event.count) / highest}%` }} />
              </span>
              <span className="n">{count(event.count)}</span>
            </Link>
          </li>
        ))}
        {data.length === 0 && (
          <li className="none">
            <p className="t2">No event today.</p>
          </li>
        )}
      </ul>
    </Panel>
  )
}
