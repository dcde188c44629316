import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Empty } from '../parts/blank.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Table } from '../parts/table.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { ChangeAddress } from '../shell/use-address.ts'
import { contentColumns } from './content-columns.tsx'
import { type ContentSearch, SHOWN_STATES } from './content-search.ts'
import { KINDS, shownState, stateWord } from './kinds.tsx'
import type { ContentList, ContentRow } from './queries.ts'

type Props = { list: ContentList; search: ContentSearch; onSearch: ChangeAddress<ContentSearch> }

/** The filters and the table. All of it is loaded, so filters act at once. */
export function ContentBody({ list, search, onSearch }: Props) {
  const { slug } = useEnvironment()
  const isOff = list.guidance.is_off
  const columns = useMemo(() => contentColumns(slug, isOff), [slug, isOff])
  const rows = useMemo(() => list.data.filter((row) => fits(row, search, isOff)), [list.data, search, isOff])
  return (
    <>
      <div className="tools">
        <KindTabs rows={list.data} search={search} />
        <div className="end">
          <SearchField
            label="Search content"
            placeholder="Name contains…"
            value={search.q ?? ''}
            onChange={(q) => onSearch({ ...search, q: q || undefined }, true)}
          />
          <StateFilter search={search} onSearch={onSearch} />
        </div>
      </div>
      {rows.length === 0 ? (
        <Empty title="Nothing matches" action={<Button onClick={() => onSearch({})}>Clear filters</Button>}>
          {filterWords(search)}
        </Empty>
      ) : (
        <>
          <Table label="Content" rows={rows} columns={columns} keyOf={({ id }) => id} order="-edited_at" />
          <p className="note list-note">
            That is all: {rows.length}. Seen by and Completed count the runs of the version that is live.
          </p>
        </>
      )}
    </>
  )
}

function fits({ type, state, name }: ContentRow, search: ContentSearch, isOff: boolean): boolean {
  return (
    (search.kind === undefined || type === search.kind) &&
    (search.state === undefined || shownState(state, isOff) === search.state) &&
    name.toLowerCase().includes((search.q ?? '').toLowerCase())
  )
}

function filterWords({ kind, state, q }: ContentSearch): string {
  const parts = [
    ...(kind ? [`the kind is ${kind}`] : []),
    ...(state ? [`the state is ${stateWord(state).toLowerCase()}`] : []),
    ...(q ? [`the name contains “${q}”`] : []),
  ]
  return `There is no content where ${parts.join(' and ')}.`
}

function KindTabs({ rows, search }: { rows: ContentRow[]; search: ContentSearch }) {
  const { slug: environment } = useEnvironment()
  const tabs = [{ type: undefined, many: 'All' }, ...KINDS]
  return (
    <nav className="ftabs" aria-label="Kind">
      {tabs.map(({ type, many }) => (
        <Link
          key={many}
          to="/$environment/content"
          params={{ environment }}
          search={{ ...search, kind: type }}
          className={search.kind === type ? 'on' : ''}
          aria-current={search.kind === type ? 'true' : undefined}
          resetScroll={false}
        >
          {many} <span className="c">{type ? rows.filter((row) => row.type === type).length : rows.length}</span>
        </Link>
      ))}
    </nav>
  )
}

function StateFilter({ search, onSearch }: Pick<Props, 'search' | 'onSearch'>) {
  if (search.state)
    return (
      <span className="chip">
        <span>State</span>
        <b>{stateWord(search.state)}</b>
        <button
          type="button"
          aria-label="Remove the filter State"
          onClick={() => onSearch({ ...search, state: undefined })}
        >
          <Icon name="x" />
        </button>
      </span>
    )
  return (
    <Menu
      trigger={
        <button type="button" className="chip add">
          <Icon name="plus" />
          State
        </button>
      }
    >
      {SHOWN_STATES.map((state) => (
        <MenuItem key={state} onSelect={() => onSearch({ ...search, state })}>
          {stateWord(state)}
        </MenuItem>
      ))}
    </Menu>
  )
}
