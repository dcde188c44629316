import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { addressOf } from '../api.ts'
import { Empty } from '../parts/blank.tsx'
import { Button, buttonClass } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table } from '../parts/table.tsx'
import { useReason, useSession } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { auditColumns } from './audit-columns.tsx'
import { AuditDrawer } from './audit-drawer.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditPageSearch, askedOf } from './audit-search.ts'
import { auditEntryQuery, auditQuery } from './queries.ts'

type Props = { search: AuditPageSearch; onSearch: (search: AuditPageSearch, replace?: boolean) => void }

export function AuditPage({ search, onSearch }: Props) {
  const asked = askedOf(search)
  const list = useInfiniteQuery(auditQuery(asked))
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data])
  const { environments } = useSession()
  const mayRead = useReason('listAuditEntries') === undefined
  const columns = useMemo(() => {
    // A deleted environment has no name any more.
    const names = new Map(environments.map(({ slug, name }) => [slug, name]))
    return auditColumns((slug) => names.get(slug) ?? slug)
  }, [environments])
  const { open } = search
  const at = rows.findIndex(({ id }) => id === open)
  // A link to an entry opens it, also where the list has not come so far, or has it not.
  const apart = useQuery({
    ...auditEntryQuery(open ?? ''),
    enabled: open !== undefined && at < 0 && mayRead && list.isSuccess,
  })
  const entry = open === undefined ? undefined : (rows[at] ?? apart.data)
  return (
    <>
      <Bar current="Audit log" />
      <div className={entry ? 'with-drawer' : undefined}>
        <Page
          wide
          title="Audit log"
          sub={<p>Who changed what, from where, and when. Entries are never changed.</p>}
          end={
            mayRead && (
              <a className={buttonClass()} href={addressOf('exportAuditLog', asked)} download="audit-log.csv">
                <Icon name="download" />
                Export
              </a>
            )
          }
        >
          {mayRead && <AuditFilters search={search} onSearch={onSearch} rows={rows} />}
          <Loaded query={list} what="The list" skeleton={<SkeletonRows />}>
            {() =>
              rows.length === 0 ? (
                <NoEntries isFiltered={Object.keys(asked).length > 0} onClear={() => onSearch({})} />
              ) : (
                <>
                  <Table
                    label="Audit log"
                    rows={rows}
                    columns={columns}
                    keyOf={({ id }) => id}
                    open={open}
                    stale={list.isPlaceholderData}
                  />
                  <ListEnd shown={rows.length} list={list} />
                </>
              )
            }
          </Loaded>
        </Page>
        {entry && (
          <AuditDrawer
            entry={entry}
            search={search}
            onClose={() => onSearch({ ...search, open: undefined })}
            {...(at < 0
              ? {}
              : {
                  onMove: (step: 1 | -1) => rows[at + step] && onSearch({ ...search, open: rows[at + step]?.id }),
                })}
          />
        )}
      </div>
    </>
  )
}

function NoEntries({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return (
      <Empty title="No entries yet">
        Each change of content, segments, keys, members, webhooks and settings, and of users and groups by a member, is
        written here.
      </Empty>
    )
  return (
    <Empty title="Nothing matches" action={<Button onClick={onClear}>Clear filters</Button>}>
      No entry matches these filters.
    </Empty>
  )
}
