import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { addressOf } from '../api.ts'
import { membersQuery } from '../members/queries.ts'
import { Empty } from '../parts/blank.tsx'
import { buttonClass } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { Page } from '../parts/page.tsx'
import { Select } from '../parts/select.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table } from '../parts/table.tsx'
import { useSession } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { auditColumns } from './audit-columns.tsx'
import { AuditDrawer } from './audit-drawer.tsx'
import { type AuditSearch, auditQuery } from './queries.ts'

export const AUDIT_RANGES = ['24h', '7d', '30d', '365d'] as const

export type AuditPageSearch = {
  member?: string | undefined
  action?: string | undefined
  in?: string | undefined
  range?: (typeof AUDIT_RANGES)[number] | undefined
  open?: string | undefined
}

type Props = { search: AuditPageSearch; onSearch: (search: AuditPageSearch) => void }

const ACTIONS = [
  'key',
  'definition',
  'endpoint',
  'delivery',
  'member',
  'invitation',
  'account',
  'environment',
  'user',
  'group',
  'event',
  'session',
]

export function AuditPage({ search, onSearch }: Props) {
  const asked: AuditSearch = {
    ...(search.member ? { member_id: search.member } : {}),
    ...(search.action ? { action: search.action } : {}),
    ...(search.in ? { environment: search.in } : {}),
    ...(search.range ? { since: sinceOf(search.range) } : {}),
  }
  const list = useInfiniteQuery(auditQuery(asked))
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data])
  const { environments } = useSession()
  const columns = useMemo(() => {
    // A deleted environment has no name any more.
    const names = new Map(environments.map(({ slug, name }) => [slug, name]))
    return auditColumns(search, (slug) => names.get(slug) ?? slug)
  }, [search, environments])
  const at = rows.findIndex(({ id }) => id === search.open)
  return (
    <>
      <Bar current="Audit log" />
      <div className={search.open ? 'with-drawer' : undefined}>
        <Page
          wide
          title="Audit log"
          sub={<p>Who changed what, from where, and when. Entries are never changed.</p>}
          end={
            <a className={buttonClass()} href={addressOf('exportAuditLog', asked)} download="audit-log.csv">
              <Icon name="download" />
              Export
            </a>
          }
        >
          <Filters search={search} onSearch={onSearch} />
          <Loaded query={list} what="The list" skeleton={<SkeletonRows />}>
            {() =>
              rows.length === 0 ? (
                <Empty title={Object.keys(asked).length > 0 ? 'Nothing matches' : 'No entries yet'}>
                  {Object.keys(asked).length > 0
                    ? 'No entry matches these filters.'
                    : 'Each change of a key, member, webhook or definition is written here.'}
                </Empty>
              ) : (
                <>
                  <Table
                    label="Audit log"
                    rows={rows}
                    columns={columns}
                    keyOf={({ id }) => id}
                    open={search.open}
                    stale={list.isPlaceholderData}
                  />
                  <ListEnd shown={rows.length} list={list} />
                </>
              )
            }
          </Loaded>
        </Page>
        {rows[at] && (
          <AuditDrawer
            entry={rows[at]}
            onClose={() => onSearch({ ...search, open: undefined })}
            onMove={(step) => rows[at + step] && onSearch({ ...search, open: rows[at + step]?.id })}
          />
        )}
      </div>
    </>
  )
}

const ANY = ''
const RANGES = [
  { value: ANY, label: 'At any time' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '365d', label: 'Last 365 days' },
]

/** From the beginning of an hour, so that the query does not change with every render. */
function sinceOf(range: NonNullable<AuditPageSearch['range']>): string {
  const hours = range.endsWith('h') ? Number.parseInt(range, 10) : 24 * Number.parseInt(range, 10)
  const hour = Math.floor(Date.now() / 3_600_000)
  return new Date((hour - hours) * 3_600_000).toISOString()
}

function Filters({ search, onSearch }: Props) {
  const { data } = useQuery(membersQuery)
  const { environments } = useSession()
  const change = (name: keyof AuditPageSearch) => (value: string) =>
    onSearch({ ...search, open: undefined, [name]: value || undefined })
  return (
    <div className="tools">
      <Select
        label="Member"
        className="sm"
        value={search.member ?? ANY}
        options={[
          { value: ANY, label: 'Everybody' },
          ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={change('member')}
      />
      <Select
        label="What"
        className="sm"
        value={search.action ?? ANY}
        options={[{ value: ANY, label: 'Every change' }, ...ACTIONS.map((value) => ({ value, label: value }))]}
        onChange={change('action')}
      />
      <Select
        label="Environment"
        className="sm"
        value={search.in ?? ANY}
        options={[
          { value: ANY, label: 'Every environment' },
          ...environments.map(({ slug, name }) => ({ value: slug, label: name })),
        ]}
        onChange={change('in')}
      />
      <Select label="When" className="sm" value={search.range ?? ANY} options={RANGES} onChange={change('range')} />
    </div>
  )
}
