import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { ListEnd } from '../parts/list-end.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Loaded } from '../shell/loaded.tsx'

type Props<Row> = {
  label: string
  list: UseInfiniteQueryResult<InfiniteData<{ data: Row[]; next: string | null }>>
  columns: TableColumn<Row>[]
  order: string
  onOrder: (order: string) => void
  empty: ReactNode
}

export function DefinitionList<Row extends { id: string }>({
  label,
  list,
  columns,
  order,
  onOrder,
  empty,
}: Props<Row>) {
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data])
  return (
    <Loaded query={list} what="The list" skeleton={<SkeletonRows columns={columns.length} />}>
      {() =>
        rows.length === 0 ? (
          empty
        ) : (
          <>
            <Table
              label={label}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              order={order}
              onOrder={onOrder}
              stale={list.isPlaceholderData}
            />
            <ListEnd
              shown={rows.length}
              hasMore={list.hasNextPage}
              loading={list.isFetchingNextPage}
              error={list.isFetchNextPageError ? list.error : null}
              onMore={() => void list.fetchNextPage()}
            />
          </>
        )
      }
    </Loaded>
  )
}
