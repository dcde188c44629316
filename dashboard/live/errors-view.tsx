import { useQuery } from '@tanstack/react-query'
import { count } from '../format/number.ts'
import { Empty } from '../parts/blank.tsx'
import { Absent } from '../parts/facts.tsx'
import { HttpStatus } from '../parts/http-status.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Spark } from '../parts/spark.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { RowLink } from '../shell/row-link.tsx'
import type { LiveSearch } from './live-search.ts'
import { type RequestError, requestErrorsQuery } from './queries.ts'
import { messageOf } from './reasons.ts'

type Props = { search: LiveSearch; onSearch: (search: LiveSearch) => void }

/** Why requests were refused in the last 24 hours: code, field, an example, how often, and with which key. */
export function ErrorsView({ search }: Props) {
  const { slug, name } = useEnvironment()
  const query = useQuery(requestErrorsQuery(slug))
  return (
    <div className="live-l scrolls">
      <div className="page wide">
        <Loaded query={query} what="The list" skeleton={<SkeletonRows />}>
          {({ data, total }) =>
            data.length === 0 ? (
              <Empty title="No request was rejected">Every request of the last 24 hours to {name} was accepted.</Empty>
            ) : (
              <>
                <p className="sub">
                  {count(total)} {total === 1 ? 'request was' : 'requests were'} rejected in the last 24 hours, for{' '}
                  {count(data.length)} {data.length === 1 ? 'reason' : 'reasons'}.
                </p>
                <Table
                  label="Errors of the last 24 hours"
                  rows={data}
                  columns={COLUMNS}
                  keyOf={keyOf}
                  open={openKey(data, search.open)}
                />
              </>
            )
          }
        </Loaded>
      </div>
    </div>
  )
}

const keyOf = ({ status, code, field }: RequestError) => `${status} ${code} ${field}`
const openKey = (data: RequestError[], open: string | undefined) => {
  const found = data.find(({ last_request_id }) => last_request_id === open)
  return found && keyOf(found)
}

const COLUMNS: TableColumn<RequestError>[] = [
  {
    id: 'reason',
    head: 'Reason',
    width: 'broad',
    cell: (error) => (
      <RowLink
        className="who"
        to="."
        search={(before) => ({ ...before, open: error.last_request_id })}
        resetScroll={false}
      >
        <HttpStatus code={error.status} />
        <span className="clip" dir="auto">
          <b className="mono">{error.field || error.code}</b>
          <span>{messageOf(error)}</span>
        </span>
      </RowLink>
    ),
  },
  { id: 'code', head: 'Code', mono: true, wide: true, cell: (error) => <span className="t2">{error.code}</span> },
  {
    id: 'hours',
    head: 'Last 24 hours',
    wide: true,
    cell: (error) => <Spark tone="warn" values={error.hours.values} />,
  },
  {
    id: 'key',
    head: 'Key',
    cell: ({ keys: [key, ...more] }) =>
      key ? (
        <span dir="auto">
          {key.name ?? <Absent />}
          {more.length > 0 && ` +${more.length}`}
        </span>
      ) : (
        <Absent />
      ),
  },
  { id: 'last', head: 'Last', cell: (error) => <Time at={error.last_at} as="activity" plain /> },
  { id: 'count', head: 'Requests', align: 'end', cell: (error) => count(error.count) },
]
