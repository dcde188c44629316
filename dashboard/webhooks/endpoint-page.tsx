import { useQuery } from '@tanstack/react-query'
import { duration, roughly } from '../format/duration.ts'
import { bounded, count, percentFigure, THIN_SPACE } from '../format/number.ts'
import { CopyId } from '../parts/copy.tsx'
import { Figure, Figures } from '../parts/figures.tsx'
import { HourBlocks } from '../parts/hour-blocks.tsx'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { DeliveriesSection } from './deliveries-section.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointTools } from './endpoint-tools.tsx'
import { HealthLabel } from './health.tsx'
import { type DeliverySearch, type Endpoint, endpointQuery } from './queries.ts'
import { whyOf } from './why.ts'
import { placeOf, waitingSentence } from './words.ts'

type Props = {
  endpointId: string
  search: DeliverySearch
  onSearch: (search: DeliverySearch, replace?: boolean) => void
}

export function EndpointPage({ endpointId, search, onSearch }: Props) {
  const { slug } = useEnvironment()
  const query = useQuery(endpointQuery(slug, endpointId))
  const endpoint = query.data?.endpoint
  return (
    <>
      <Bar
        crumbs={[{ label: 'Webhooks', link: { to: '/$environment/webhooks', params: { environment: slug } } }]}
        current={endpoint ? placeOf(endpoint.url) : 'Endpoint'}
      />
      <Page
        title={
          <span className="break" dir="auto">
            {endpoint ? placeOf(endpoint.url) : 'Endpoint'}
          </span>
        }
        badge={endpoint && <HealthLabel badge health={endpoint.health} />}
        sub={endpoint && <Ids endpoint={endpoint} />}
        end={endpoint && <EndpointActions endpoint={endpoint} />}
      >
        <Loaded query={query} what="The endpoint" skeleton={<Bone width="100%" height={240} />}>
          {({ endpoint, states }) => (
            <>
              <Verdict endpoint={endpoint} />
              <EndpointFigures endpoint={endpoint} />
              <div className="grid g-end">
                <DeliveriesSection endpointId={endpoint.id} counts={states} search={search} onSearch={onSearch} />
                <EndpointTools endpoint={endpoint} />
              </div>
            </>
          )}
        </Loaded>
      </Page>
    </>
  )
}

const Ids = ({ endpoint }: { endpoint: Endpoint }) => (
  <p className="ids">
    <CopyId value={endpoint.id} />
    <span className="sep" />
    <span>version {endpoint.api_version}</span>
    <span className="sep" />
    <span>
      added <Time at={endpoint.created_at} />
    </span>
  </p>
)

function Verdict({ endpoint: { url, health } }: { endpoint: Endpoint }) {
  if (health.state !== 'failing') return null
  const why = whyOf(url, health)
  return (
    <div className="why">
      <Icon name="alert" />
      <div>
        <h2>{why.title}</h2>
        <p>
          {why.advice}{' '}
          {health.failing_since && (
            <>
              It has failed since <Time at={health.failing_since} />.{' '}
            </>
          )}
          {waitingSentence(health.waiting)}
        </p>
      </div>
    </div>
  )
}

function EndpointFigures({ endpoint: { health } }: { endpoint: Endpoint }) {
  const attempts = health.hours.reduce((sum, hour) => sum + hour.delivered + hour.failed, 0)
  const delivered = health.hours.reduce((sum, hour) => sum + hour.delivered, 0)
  return (
    <Figures>
      <Figure
        label="Delivered"
        figure={percentFigure(delivered, attempts)}
        {...(attempts > 0 ? { unit: `${THIN_SPACE}%` } : {})}
        note={attempts === 0 ? 'No attempts in 24 hours' : `${count(delivered)} of ${count(attempts)} attempts`}
      />
      <Figure
        label="95th percentile"
        figure={health.p95_ms === null ? '–' : duration(health.p95_ms)}
        note="Of the latest 200 attempts"
      />
      <Figure
        label="Waiting"
        figure={bounded(health.waiting)}
        note={
          health.oldest_waiting_at
            ? `Oldest ${roughly(Date.now() - Date.parse(health.oldest_waiting_at))}`
            : 'Up to date'
        }
      />
      <div className="figure">
        <p className="fig-l">Last 24 hours</p>
        <HourBlocks hours={health.hours} />
        <p className="fig-s">An hour each</p>
      </div>
    </Figures>
  )
}
