import { Link } from '@tanstack/react-router'
import { duration } from '../format/duration.ts'
import { percent } from '../format/number.ts'
import { HourBlocks } from '../parts/hour-blocks.tsx'
import { Panel } from '../parts/panel.tsx'
import { StateShape } from '../parts/state.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { HEALTH } from '../webhooks/health.tsx'
import { placeOf } from '../webhooks/words.ts'
import type { HomeData } from './queries.ts'

const MOST = 4

export function EndpointsPanel({ endpoints }: { endpoints: HomeData['endpoints'] }) {
  const { slug } = useEnvironment()
  const failingFirst = [...endpoints].sort((a, b) => rank(a) - rank(b))
  return (
    <Panel title="Webhook endpoints" end="Delivered · 95th percentile">
      <ul className="rows r-end">
        {failingFirst.slice(0, MOST).map(({ id, url, health, disabled }) => (
          <li key={id}>
            <Link to="/$environment/webhooks/$endpointId" params={{ environment: slug, endpointId: id }}>
              <span className={`state ${HEALTH[health.state].tone}`}>
                <StateShape shape={HEALTH[health.state].shape} />
                <span className="sr">{HEALTH[health.state].word}</span>
              </span>
              <span className="clip mono" dir="auto">
                {placeOf(url)}
              </span>
              <HourBlocks hours={health.hours} />
              <span className="n">{disabled ? 'Disabled' : percentOf(health.delivered_share)}</span>
              <span className="n t3 p95">{health.p95_ms === null ? '–' : duration(health.p95_ms)}</span>
            </Link>
          </li>
        ))}
        {endpoints.length === 0 && (
          <li className="none">
            <p className="t2">
              No webhooks yet.{' '}
              <Link
                className="link"
                to="/$environment/webhooks"
                params={{ environment: slug }}
                search={{ create: 'endpoint' }}
              >
                Add an endpoint
              </Link>
              , and Usher tells it about users and events as they happen.
            </p>
          </li>
        )}
      </ul>
    </Panel>
  )
}

const rank = ({ health }: { health: { state: string } }) => ['failing', 'ok', 'idle', 'disabled'].indexOf(health.state)
const percentOf = (share: number | null) => (share === null ? '–' : percent(share, 1))
