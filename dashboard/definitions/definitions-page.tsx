import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { ListEnd } from '../parts/list-end.tsx'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import type { DefinitionPageSearch } from './definition-search.ts'

type Props<Row> = {
  title: string
  sub: string
  list: UseInfiniteQueryResult<InfiniteData<{ data: Row[]; next: string | null }>>
  columns: TableColumn<Row>[]
  /** Beside the search. */
  tools?: ReactNode
  empty: ReactNode
}

/** Definitions of events or of attributes: search, and the table to the edges. */
export function DefinitionsPage<Row extends { id: string }>({ title, sub, list, columns, tools, empty }: Props<Row>) {
  const [search, setSearch] = useAddress<DefinitionPageSearch>()
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data])
  const table = (
    <>
      <Table
        label={title}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        order={search.order_by ?? 'display_name'}
        onOrder={(order) => setSearch({ ...search, order_by: order as DefinitionPageSearch['order_by'] })}
        stale={list.isPlaceholderData}
      />
      <ListEnd shown={rows.length} list={list} />
    </>
  )
  return (
    <>
      <Bar current={title} />
      <Page wide title={title} sub={<p>{sub}</p>}>
        <div className="tools">
          <SearchField
            label={`Search ${title.toLowerCase()}`}
            placeholder="Name begins with…"
            value={search.q ?? ''}
            onChange={(text) => setSearch({ ...search, q: text || undefined }, true)}
          />
          {tools}
        </div>
        <Loaded query={list} what="The list" skeleton={<SkeletonRows columns={columns.length} />}>
          {() => (rows.length === 0 ? empty : table)}
        </Loaded>
      </Page>
    </>
  )
}
