import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { count } from '../format/number.ts'
import { Empty } from '../parts/blank.tsx'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { RowLink } from '../shell/row-link.tsx'
import { changeEventDefinition } from './changes.ts'
import { DaysCell, DescriptionCell, LastSeen, NameCell } from './definition-cells.tsx'
import { DefinitionList } from './definition-list.tsx'
import type { DefinitionPageSearch } from './definition-search.ts'
import { type EventDefinition, eventDefinitionsQuery } from './queries.ts'

type Props = { search: DefinitionPageSearch; onSearch: (search: DefinitionPageSearch, replace?: boolean) => void }

export function EventsPage({ search, onSearch }: Props) {
  const { slug, name } = useEnvironment()
  const { q, order_by } = search
  const list = useInfiniteQuery(eventDefinitionsQuery(slug, { ...(q ? { q } : {}), ...(order_by ? { order_by } : {}) }))
  const reason = useReason('updateEventDefinition')
  const columns = useMemo(() => eventColumns(slug, reason), [slug, reason])
  return (
    <>
      <Bar current="Events" />
      <Page wide title="Events" sub={<p>Event names that {name} has received. What they mean is written here.</p>}>
        <div className="tools">
          <SearchField
            label="Search events"
            placeholder="Name begins with…"
            value={q ?? ''}
            onChange={(text) => onSearch({ ...search, q: text || undefined }, true)}
          />
        </div>
        <DefinitionList
          label="Events"
          list={list}
          columns={columns}
          order={order_by ?? 'display_name'}
          onOrder={(order) => onSearch({ ...search, order_by: order as DefinitionPageSearch['order_by'] })}
          empty={
            q ? (
              <Empty title="Nothing matches">No event begins with “{q}”.</Empty>
            ) : (
              <Empty title="No events yet">A name appears here with its first POST /events.</Empty>
            )
          }
        />
      </Page>
    </>
  )
}

function eventColumns(environment: string, reason: string | undefined): TableColumn<EventDefinition>[] {
  const save = (definition: EventDefinition) => (edit: { display_name?: string; description?: string }) =>
    changeEventDefinition(environment, definition.id, edit)
  return [
    {
      id: 'display_name',
      head: 'Event',
      sorts: true,
      cell: (definition) => (
        <NameCell
          definition={definition}
          save={save(definition)}
          reason={reason}
          link={
            <RowLink
              className="mono t3 clip"
              to="/$environment/events/$definitionId"
              params={{ environment, definitionId: definition.id }}
            >
              {definition.name}
            </RowLink>
          }
        />
      ),
    },
    {
      id: 'description',
      head: 'Description',
      wide: true,
      cell: (definition) => <DescriptionCell definition={definition} save={save(definition)} reason={reason} />,
    },
    { id: 'days', head: 'Last 14 days', cell: (definition) => <DaysCell definition={definition} /> },
    { id: 'total', head: 'Events', align: 'end', cell: (definition) => count(definition.total_14_days) },
    { id: 'seen', head: 'Last seen', cell: (definition) => <LastSeen at={definition.last_seen_at} /> },
    {
      id: 'created_at',
      head: 'First seen',
      align: 'end',
      sorts: true,
      wide: true,
      cell: (definition) => (
        <span className="t2">
          <LastSeen at={definition.created_at} />
        </span>
      ),
    },
  ]
}
