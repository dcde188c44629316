import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Empty } from '../parts/blank.tsx'
import { Button } from '../parts/button.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { FirstStepsLink } from '../start/first-steps-link.tsx'
import type { ListPageSearch } from './list-search.ts'
import type { Collection, ObjectRow } from './queries.ts'
import { useRestingPosition } from './resting-position.ts'
import { WORDS } from './words.ts'

type ListData = InfiniteData<{ data: ObjectRow[]; next: string | null; is_bounded: boolean }>

type Props = {
  kind: Collection
  list: UseInfiniteQueryResult<ListData>
  rows: ObjectRow[]
  columns: TableColumn<ObjectRow>[]
  search: ListPageSearch
  start: string
  onSearch: (search: ListPageSearch, replace?: boolean) => void
}

export function ListBody({ kind, list, rows, columns, search, start, onSearch }: Props) {
  const forgetPosition = useRestingPosition(list.data, start, (from) =>
    onSearch({ ...search, from: from || start || undefined }, true),
  )
  const showNewest = () => {
    forgetPosition()
    onSearch({ ...search, from: undefined })
  }
  return (
    <Loaded query={list} what="The list" skeleton={<SkeletonRows columns={columns.length} />}>
      {(data) =>
        rows.length === 0 && !list.hasNextPage ? (
          <Nothing kind={kind} search={search} onSearch={onSearch} />
        ) : (
          <>
            {start && (
              <p className="t-end">
                The list begins where you left it.
                <Button small onClick={showNewest}>
                  Show the newest
                </Button>
              </p>
            )}
            <Table
              label={WORDS[kind].title}
              rows={rows}
              columns={columns}
              keyOf={(row) => row.id}
              open={search.open}
              {...(search.q ? {} : orderOf(search, onSearch))}
              stale={list.isPlaceholderData}
            />
            <ListEnd shown={rows.length} list={list} byHand={data.pages.at(-1)?.is_bounded ?? false} />
          </>
        )
      }
    </Loaded>
  )
}

/** Search results have the order of the indexes: by id, by e-mail, by name. */
const orderOf = (search: ListPageSearch, onSearch: Props['onSearch']) => ({
  order: search.order_by ?? '-created_at',
  onOrder: (order_by: string) => onSearch({ ...search, order_by, from: undefined }),
})

function Nothing({ kind, search, onSearch }: Pick<Props, 'kind' | 'search' | 'onSearch'>) {
  const { one, many } = WORDS[kind]
  const asked = [search.q && `“${search.q}”`, search.condition && 'the filter'].filter(Boolean)
  if (asked.length === 0) {
    return (
      <Empty title={`No ${many} yet`} action={<FirstStepsLink />}>
        A {one} appears here as soon as your back end sends one with POST&nbsp;/{many}, or when you add one.
      </Empty>
    )
  }
  return (
    <Empty
      title="Nothing matches"
      action={<Button onClick={() => onSearch({ columns: search.columns })}>Clear search and filter</Button>}
    >
      No {one} matches {asked.join(' and ')}.
    </Empty>
  )
}
