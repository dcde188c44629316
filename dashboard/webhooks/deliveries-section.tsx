import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DeliveryStateName } from '../../contract/deliveries.ts'
import { duration } from '../format/duration.ts'
import { bounded } from '../format/number.ts'
import { Empty } from '../parts/blank.tsx'
import { Absent } from '../parts/facts.tsx'
import { HttpStatus } from '../parts/http-status.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { Section } from '../parts/panel.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { RowLink } from '../shell/row-link.tsx'
import { DeliveryStateLabel, STATES } from './delivery-state.tsx'
import { type DeliveryRow, deliveriesQuery, type EndpointPage } from './queries.ts'

type Props = {
  endpointId: string
  counts: EndpointPage['states']
  state: DeliveryStateName | undefined
  onState: (state: DeliveryStateName | undefined) => void
}

export const DELIVERY_STATES = [
  'waiting',
  'sending',
  'retrying',
  'held',
  'on_hold',
  'given_up',
  'delivered',
] as const satisfies readonly DeliveryStateName[]

export function DeliveriesSection({ endpointId, counts, state, onState }: Props) {
  const { slug } = useEnvironment()
  const list = useInfiniteQuery({ ...deliveriesQuery(slug, endpointId, state), refetchInterval: 5000 })
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data])
  const columns = useMemo(() => deliveryColumns(slug, endpointId), [slug, endpointId])
  return (
    <Section title="Deliveries">
      <div className="state-tabs" role="group" aria-label="State">
        <Tab on={state === undefined} onSelect={() => onState(undefined)}>
          All
        </Tab>
        {DELIVERY_STATES.map((one) => (
          <Tab key={one} on={state === one} onSelect={() => onState(one)}>
            {STATES[one].word} <span className="t3">{bounded(counts[one])}</span>
          </Tab>
        ))}
      </div>
      <Loaded query={list} what="The deliveries" skeleton={<SkeletonRows rows={6} />}>
        {() =>
          rows.length === 0 && !list.hasNextPage ? (
            <Empty title={state ? `Nothing is ${STATES[state].word.toLowerCase()}` : 'No deliveries yet'}>
              {state
                ? 'Look at another state, or at all.'
                : 'Each notification for this endpoint is shown here. Send a test to see one.'}
            </Empty>
          ) : (
            <>
              <Table label="Deliveries" rows={rows} columns={columns} keyOf={(row) => row.notification_id} />
              <ListEnd shown={rows.length} list={list} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

const Tab = ({ on, onSelect, children }: { on: boolean; onSelect: () => void; children: React.ReactNode }) => (
  <button type="button" aria-pressed={on} className={on ? 'on' : ''} onClick={onSelect}>
    {children}
  </button>
)

const deliveryColumns = (environment: string, endpointId: string): TableColumn<DeliveryRow>[] => [
  {
    id: 'topic',
    head: 'Topic',
    cell: (row) => (
      <RowLink
        className="who"
        to="/$environment/webhooks/$endpointId/$notificationId"
        params={{ environment, endpointId, notificationId: row.notification_id }}
      >
        <span className="clip mono strong" dir="auto">
          {row.topic ?? 'deleted'}
        </span>
      </RowLink>
    ),
  },
  { id: 'state', head: 'State', cell: (row) => <DeliveryStateLabel state={row.state} /> },
  { id: 'answer', head: 'Answer', cell: (row) => <Answer row={row} /> },
  { id: 'attempts', head: 'Attempts', align: 'end', wide: true, cell: (row) => row.attempts },
  {
    id: 'took',
    head: 'Took',
    align: 'end',
    wide: true,
    cell: (row) => (row.last_total_ms === null ? <Absent /> : duration(row.last_total_ms)),
  },
  {
    id: 'at',
    head: 'Happened',
    align: 'end',
    cell: (row) => (
      <span className="t2">
        <Time at={row.created_at} as="seconds" plain />
      </span>
    ),
  },
]

function Answer({ row }: { row: DeliveryRow }) {
  if (row.last_status !== null) return <HttpStatus code={row.last_status} />
  return row.last_failure ? <span className="clip t2">{row.last_failure}</span> : <Absent />
}
