import type { ReactNode } from 'react'
import { EditableText } from '../parts/editable-text.tsx'
import { Absent } from '../parts/facts.tsx'
import { Spark } from '../parts/spark.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

export type Definition = {
  id: string
  name: string
  display_name: string
  description: string
  created_at: string
  last_seen_at: string | null
}
export type Edit = { display_name?: string; description?: string }

export type Editing = {
  save: (id: string, edit: Edit) => Promise<void>
  /** Why it cannot be edited. */
  reason: string | undefined
}

/** The display name, which can be edited, over the name as it is stored, which is the link. */
export function nameColumn<Row extends Definition>(
  head: string,
  { save, reason }: Editing,
  link: (row: Row) => ReactNode,
): TableColumn<Row> {
  return {
    id: 'display_name',
    head,
    sorts: true,
    cell: (row) => (
      <div className="two-lines">
        <EditableText
          strong
          label={`display name of ${row.name}`}
          placeholder={row.name}
          value={row.display_name}
          reason={reason}
          onSave={(display_name) => save(row.id, { display_name })}
        />
        {link(row)}
      </div>
    ),
  }
}

export function descriptionColumn<Row extends Definition>({ save, reason }: Editing): TableColumn<Row> {
  return {
    id: 'description',
    head: 'Description',
    wide: true,
    cell: (row) => (
      <EditableText
        label={`description of ${row.name}`}
        placeholder={reason ? '–' : 'Add a description'}
        value={row.description}
        reason={reason}
        onSave={(description) => save(row.id, { description })}
      />
    ),
  }
}

export const daysColumn = <Row extends { days: { values: number[] } }>(head: string): TableColumn<Row> => ({
  id: 'days',
  head,
  cell: ({ days }) => <Spark values={days.values} />,
})

export const LastSeen = ({ at }: { at: string | null }) => (at ? <Time at={at} as="activity" plain /> : <Absent />)
