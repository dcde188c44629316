import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { attributeDefinitionsQuery } from '../definitions/queries.ts'
import { count } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { useAddress } from '../shell/use-address.ts'
import { chosenColumns, rememberColumns } from './chosen-columns.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { ExportRow } from './export-row.tsx'
import { FilterNote } from './filter-note.tsx'
import { ListBody } from './list-body.tsx'
import { listColumns } from './list-columns.tsx'
import type { ListPageSearch } from './list-search.ts'
import { PeekDrawer } from './peek-drawer.tsx'
import { type Collection, listQuery } from './queries.ts'
import { useExport } from './use-export.ts'
import { WORDS } from './words.ts'

const ConditionPanel = lazy(async () => ({ default: (await import('./condition-panel.tsx')).ConditionPanel }))

/** Users or groups: search, a condition, columns, and the table to the edges. */
export function ListPage({ kind }: { kind: Collection }) {
  const [search, onSearch] = useAddress<ListPageSearch>()
  const environment = useEnvironment()
  const words = WORDS[kind]
  const { q, condition, order_by, columns: inAddress } = search
  const asked = { ...(q ? { q } : {}), ...(condition ? { condition } : {}), ...(order_by ? { order_by } : {}) }
  const start = useStart(JSON.stringify(asked), search.from)
  const list = useInfiniteQuery(listQuery(kind, environment.slug, asked, start))
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data])
  const definitions = useInfiniteQuery(attributeDefinitionsQuery(environment.slug, { scope: words.scope }))
  const known = useMemo(
    () =>
      (definitions.data?.pages ?? []).flatMap((page) =>
        page.data.map(({ name, data_type, days }) => ({ name, type: data_type, uses: sum(days.values) })),
      ),
    [definitions.data],
  )
  const chosen = chosenColumns(kind, environment.slug, inAddress, known)
  const key = chosen.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the chosen columns
  const typed = useMemo(() => chosen.map((name) => ({ name, type: typeOf(known, name) })), [key, known])
  const columns = useMemo(() => listColumns(kind, environment.slug, typed), [kind, environment.slug, typed])
  const total = list.data?.pages[0]?.total
  const exporting = useExport(kind, environment.slug, asked, typed)
  const [filtering, setFiltering] = useState(false)
  return (
    <>
      <Bar current={words.title} />
      <div className={search.open ? 'with-drawer' : undefined}>
        <Page
          wide
          title={words.title}
          sub={<p className="num">{howMany(total, environment.name)}</p>}
          end={<Actions kind={kind} onExport={exporting.start} />}
        >
          <div className="tools">
            <SearchField
              label={`Search ${words.many}`}
              placeholder={words.search}
              value={q ?? ''}
              onChange={(text) => onSearch({ ...search, q: text || undefined, from: undefined }, true)}
            />
            {!condition && !filtering && (
              <button type="button" className="chip add" data-hotkey="f" onClick={() => setFiltering(true)}>
                <Icon name="plus" />
                Filter
              </button>
            )}
            <div className="end">
              <ColumnChooser
                known={known.map(({ name }) => name)}
                chosen={chosen}
                onChange={(next) => {
                  rememberColumns(kind, environment.slug, next)
                  onSearch({ ...search, columns: next.join(',') }, true)
                }}
              />
            </div>
          </div>
          {(condition || filtering) && (
            <Suspense fallback={<div className="condition-panel" />}>
              <ConditionPanel
                kind={kind}
                condition={condition ? JSON.parse(condition) : undefined}
                onChange={(next) => {
                  setFiltering(true)
                  onSearch({ ...search, condition: next && JSON.stringify(next), from: undefined }, true)
                }}
                onClose={() => {
                  setFiltering(false)
                  onSearch({ ...search, condition: undefined, from: undefined })
                }}
              />
            </Suspense>
          )}
          <FilterNote kind={kind} pages={list.data?.pages ?? []} />
          <ExportRow kind={kind} running={exporting} total={total ?? null} />
          <ListBody
            kind={kind}
            list={list}
            rows={rows}
            columns={columns}
            search={search}
            start={start}
            onSearch={onSearch}
          />
        </Page>
        {search.open && (
          <PeekDrawer
            kind={kind}
            id={search.open}
            onClose={() => onSearch({ ...search, open: undefined })}
            onMove={(step) => onSearch({ ...search, open: neighbour(rows, search.open, step) }, true)}
          />
        )}
      </div>
    </>
  )
}

/** `total` is null when a search is not counted, and undefined until the list is loaded. */
function howMany(total: number | null | undefined, environment: string): string {
  if (total === undefined) return `In ${environment}`
  return total === null ? `Those that match in ${environment}` : `${count(total)} in ${environment}`
}

/** Where the list begins: the address says so when the page is opened; scrolling writes it, but does not move the list. */
function useStart(asked: string, from: string | undefined): string {
  const [start, setStart] = useState({ asked, from: from ?? '' })
  if (start.asked === asked) return from === undefined ? begun(start, setStart) : start.from
  setStart({ asked, from: from ?? '' })
  return from ?? ''
}

/** "Show the newest" takes the position out of the address. */
function begun(
  start: { asked: string; from: string },
  setStart: (start: { asked: string; from: string }) => void,
): string {
  if (start.from !== '') setStart({ ...start, from: '' })
  return ''
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** The row before or after one; the one itself at an end. */
function neighbour(rows: { id: string }[], id: string | undefined, step: 1 | -1): string | undefined {
  return rows[rows.findIndex((row) => row.id === id) + step]?.id ?? id
}

const typeOf = (known: { name: string; type: string }[], name: string) =>
  known.find((one) => one.name === name)?.type ?? 'string'

function Actions({ kind, onExport }: { kind: Collection; onExport: () => void }) {
  const [creating, setCreating] = useState(false)
  const reason = useReason(kind === 'users' ? 'createUser' : 'createGroup')
  return (
    <>
      <Button icon="download" aria-label="Export what is shown" className="fold-label" onClick={onExport}>
        <span className="lbl">Export</span>
      </Button>
      <Button kind="primary" icon="plus" reason={reason} onClick={() => setCreating(true)}>
        Add {WORDS[kind].one}
      </Button>
      {creating && <CreateDialog kind={kind} onClose={() => setCreating(false)} />}
    </>
  )
}
