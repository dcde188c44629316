import { duration } from '../format/duration.ts'
import { bounded, percent } from '../format/number.ts'
import { Absent } from '../parts/facts.tsx'
import { HourBlocks } from '../parts/hour-blocks.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { RowLink } from '../shell/row-link.tsx'
import { HealthLabel } from './health.tsx'
import type { Endpoint } from './queries.ts'
import { placeOf } from './words.ts'

const TOPICS = 3

export const endpointColumns = (environment: string): TableColumn<Endpoint>[] => [
  {
    id: 'url',
    head: 'Endpoint',
    cell: ({ id, url }) => (
      <RowLink className="who" to="/$environment/webhooks/$endpointId" params={{ environment, endpointId: id }}>
        <span className="clip mono strong" dir="auto">
          {placeOf(url)}
        </span>
      </RowLink>
    ),
  },
  { id: 'topics', head: 'Topics', wide: true, width: 'broad', cell: ({ topics }) => <Topics topics={topics} /> },
  { id: 'state', head: 'State', cell: ({ health }) => <HealthLabel health={health} /> },
  { id: 'hours', head: 'Last 24 hours', cell: ({ health }) => <HourBlocks hours={health.hours} /> },
  {
    id: 'delivered',
    head: 'Delivered',
    align: 'end',
    cell: ({ health }) => (health.delivered_share === null ? <Absent /> : percent(health.delivered_share, 1)),
  },
  {
    id: 'p95',
    head: '95th percentile',
    align: 'end',
    wide: true,
    cell: ({ health }) => (health.p95_ms === null ? <Absent /> : duration(health.p95_ms)),
  },
  {
    id: 'waiting',
    head: 'Waiting',
    align: 'end',
    cell: ({ health: { waiting } }) => bounded(waiting),
  },
]

function Topics({ topics }: { topics: string[] }) {
  return (
    <span className="tags shrink">
      {topics.slice(0, TOPICS).map((topic) => (
        <span key={topic} className="tag clip" dir="auto">
          {topic}
        </span>
      ))}
      {topics.length > TOPICS && <span className="t3">+{topics.length - TOPICS}</span>}
    </span>
  )
}
