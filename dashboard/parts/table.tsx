import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useMemo, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { rememberRow, useReturnedRow } from './last-row.ts'
import { moveInRows, useKeysIntoRows } from './row-keys.ts'
import type { TableColumn } from './table-column.ts'
import { cellClass, TableRow } from './table-row.tsx'

export type { TableColumn } from './table-column.ts'

type Props<Row> = {
  label: string
  rows: Row[]
  columns: TableColumn<Row>[]
  keyOf: (row: Row) => string
  /** `-created_at` or `created_at`. */
  order?: string | undefined
  onOrder?: (order: string) => void
  /** The row that is open in the drawer. */
  open?: string | undefined
  /** Old rows are dimmed until the new ones are there. */
  stale?: boolean
}

const features = tableFeatures({})
const VIRTUAL_FROM = 200
const ROW_HEIGHT = 40

/** The whole row is clickable through one link in its first cell. One tab stop; arrows move, Enter opens. */
export function Table<Row extends object>({ label, rows, columns, keyOf, order, onOrder, open, stale }: Props<Row>) {
  const [focused, setFocused] = useState(0)
  const body = useRef<HTMLTableSectionElement>(null)
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map((column) =>
      helper.display({ id: column.id, header: column.head, cell: ({ row }) => column.cell(row.original) }),
    )
  }, [columns])
  const table = useTable({ features, columns: definitions, data: rows, getRowId: keyOf })
  const list = table.getRowModel().rows
  const margin = placeOf(body.current)
  const virtual = useWindowVirtualizer({
    count: list.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    enabled: list.length > VIRTUAL_FROM,
    scrollMargin: margin,
  })
  useKeysIntoRows(body)
  useReturnedRow(
    body,
    useMemo(() => list.map(({ id }) => id), [list]),
    (index) => {
      setFocused(index)
      if (list.length > VIRTUAL_FROM) virtual.scrollToIndex(index)
    },
  )
  const onFocus = useCallback((index: number, key: string) => {
    setFocused(index)
    rememberRow(key)
  }, [])
  const items = list.length > VIRTUAL_FROM ? virtual.getVirtualItems() : undefined
  const from = items?.[0]?.index ?? 0
  const to = items ? (items.at(-1)?.index ?? 0) + 1 : list.length
  const above = items ? (items[0]?.start ?? 0) - margin : 0
  const below = items ? virtual.getTotalSize() - ((items.at(-1)?.end ?? 0) - margin) : 0
  return (
    <div className={stale ? 't-wrap stale' : 't-wrap'}>
      <table className="cards" aria-label={label} aria-rowcount={list.length + 1} aria-busy={stale}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={(event) => moveInRows(event)}>
          <Spacer height={above} columns={columns.length} />
          {list.slice(from, to).map((row, index) => (
            <TableRow
              key={row.id}
              row={row}
              columns={columns}
              index={from + index}
              isOpen={row.id === open}
              isStop={from + index === Math.min(focused, list.length - 1)}
              onFocus={onFocus}
            />
          ))}
          <Spacer height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

/** In pixels from the top of the document. */
function placeOf(body: HTMLElement | null): number {
  return body ? Math.round(body.getBoundingClientRect().top + scrollY) : 0
}

type HeadProps<Row> = {
  column: TableColumn<Row>
  order: string | undefined
  onOrder: ((order: string) => void) | undefined
}

function Head<Row>({ column, order, onOrder }: HeadProps<Row>) {
  const descending = order === `-${column.id}`
  const sorted = descending || order === column.id
  const sort = sorted ? (descending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" className={headClass(column)} aria-sort={sort}>
      {column.sorts && onOrder ? (
        <button type="button" onClick={() => onOrder(descending ? column.id : `-${column.id}`)}>
          {column.head}
          {sorted && <Icon name={descending ? 'arrowdown' : 'arrowup'} />}
        </button>
      ) : (
        <span className={column.isHeadHidden ? 'sr' : undefined}>{column.head}</span>
      )}
    </th>
  )
}

const headClass = <Row,>(column: TableColumn<Row>) => cellClass({ ...column, mono: column.monoHead ?? false })

/** Stands for the rows that are not drawn. */
const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className="spacer">
      <td colSpan={columns} style={{ height }} />
    </tr>
  ) : null
