import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { count } from '../format/number.ts'
import { Empty } from '../parts/blank.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { present } from '../search.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { RowLink } from '../shell/row-link.tsx'
import { useAddress } from '../shell/use-address.ts'
import { FirstStepsLink } from '../start/first-steps-link.tsx'
import { changeEventDefinition } from './changes.ts'
import { daysColumn, descriptionColumn, type Editing, LastSeen, nameColumn } from './definition-columns.tsx'
import type { DefinitionPageSearch } from './definition-search.ts'
import { DefinitionsPage } from './definitions-page.tsx'
import { type EventDefinition, eventDefinitionsQuery } from './queries.ts'

export function EventsPage() {
  const { slug, name } = useEnvironment()
  const [{ scope: _, ...asked }] = useAddress<DefinitionPageSearch>()
  const reason = useReason('updateEventDefinition')
  const columns = useMemo(() => eventColumns(slug, reason), [slug, reason])
  return (
    <DefinitionsPage
      title="Events"
      sub={`The event names that ${name} has received. Give each a display name and a description.`}
      list={useInfiniteQuery(eventDefinitionsQuery(slug, present(asked)))}
      columns={columns}
      empty={
        asked.q ? (
          <Empty title="Nothing matches">No event begins with “{asked.q}”.</Empty>
        ) : (
          <Empty title="No events yet" action={<FirstStepsLink />}>
            A name appears here with its first POST&nbsp;/events.
          </Empty>
        )
      }
    />
  )
}

function eventColumns(environment: string, reason: string | undefined): TableColumn<EventDefinition>[] {
  const editing: Editing = { reason, save: (id, edit) => changeEventDefinition(environment, id, edit) }
  return [
    nameColumn('Event', editing, ({ id, name }) => (
      <RowLink
        className="mono t3 clip"
        to="/$environment/events/$definitionId"
        params={{ environment, definitionId: id }}
      >
        {name}
      </RowLink>
    )),
    descriptionColumn(editing),
    daysColumn('Last 14 days'),
    { id: 'total', head: 'In 14 days', align: 'end', cell: (definition) => count(definition.total_14_days) },
    {
      id: 'received',
      head: 'Received in all',
      align: 'end',
      wide: true,
      cell: (definition) => count(definition.received),
    },
    { id: 'seen', head: 'Last received', cell: (definition) => <LastSeen at={definition.last_seen_at} /> },
    {
      id: 'created_at',
      head: 'First received',
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
