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
import { SearchField } from '../parts/search-field.tsx'
import { Select } from '../parts/select.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { RowLink } from '../shell/row-link.tsx'
import { DeliveryStateLabel, STATES } from './delivery-state.tsx'
import { DELIVERY_STATES } from './delivery-states.ts'
import { type DeliveryRow, type DeliverySearch, deliveriesQuery, type EndpointPage } from './queries.ts'

type Props = {
  endpointId: string
  counts: EndpointPage['states']
  search: DeliverySearch
  onSearch: (search: DeliverySearch, replace?: boolean) => void
}

const RANGES = [
  { value: '', label: 'At any time' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]

export function DeliveriesSection({ endpointId, counts, search, onSearch }: Props) {
  const { slug } = useEnvironment()
  const { state, about, range } = search
  const onState = (next: DeliveryStateName | undefined) => onSearch({ ...search, state: next })
  const refetchInterval = about ? false : 5000
  const list = useInfiniteQuery({ ...deliveriesQuery(slug, endpointId, search), refetchInterval })
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
      <div className="tools">
        <SearchField
          label="Id of a notification, user or group"
          placeholder="Notification, user or group id"
          value={about ?? ''}
          onChange={(text) => onSearch({ ...search, about: text.trim() || undefined }, true)}
        />
        <Select
          label="When"
          className="sm"
          value={range ?? ''}
          options={RANGES}
          onChange={(value) => onSearch({ ...search, range: (value || undefined) as DeliverySearch['range'] })}
        />
      </div>
      <Loaded query={list} what="The deliveries" skeleton={<SkeletonRows rows={6} />}>
        {() =>
          rows.length === 0 && !list.hasNextPage ? (
            <Empty title={titleOf(search)}>
              {state || about || range
                ? 'Look at another state, id or time, or at all.'
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

function titleOf({ state, about, range }: DeliverySearch): string {
  if (about || range) return 'Nothing matches'
  return state ? `Nothing is ${STATES[state].word.toLowerCase()}` : 'No deliveries yet'
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
  { id: 'about', head: 'About', cell: (row) => <About row={row} /> },
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

function About({ row: { user_id, group_id } }: { row: DeliveryRow }) {
  const id = user_id ?? group_id
  return id === null ? (
    <Absent />
  ) : (
    <span className="clip mono t2" dir="auto">
      {id}
    </span>
  )
}

function Answer({ row }: { row: DeliveryRow }) {
  if (row.last_status !== null) return <HttpStatus code={row.last_status} />
  return row.last_failure ? <span className="clip t2">{row.last_failure}</span> : <Absent />
}
