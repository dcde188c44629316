import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { TypeGlyph } from '../objects/type-glyph.tsx'
import { Empty } from '../parts/blank.tsx'
import { Absent } from '../parts/facts.tsx'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Segments } from '../parts/segments.tsx'
import { State } from '../parts/state.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { RowLink } from '../shell/row-link.tsx'
import { changeAttributeDefinition } from './changes.ts'
import { DaysCell, DescriptionCell, LastSeen, NameCell } from './definition-cells.tsx'
import { DefinitionList } from './definition-list.tsx'
import type { DefinitionPageSearch } from './definition-search.ts'
import { type AttributeDefinition, attributeDefinitionsQuery, type Scope } from './queries.ts'

type Props = { search: DefinitionPageSearch; onSearch: (search: DefinitionPageSearch, replace?: boolean) => void }

export const SCOPE_WORDS: Record<Scope, string> = {
  user: 'user',
  group: 'group',
  event: 'event',
  group_membership: 'membership',
}

const VIEWS = [
  { value: 'all', label: 'All' },
  { value: 'user', label: 'Users' },
  { value: 'group', label: 'Groups' },
  { value: 'event', label: 'Events' },
  { value: 'group_membership', label: 'Memberships' },
] as const

export function AttributesPage({ search, onSearch }: Props) {
  const { slug, name } = useEnvironment()
  const { q, order_by, scope } = search
  const list = useInfiniteQuery(
    attributeDefinitionsQuery(slug, {
      ...(q ? { q } : {}),
      ...(order_by ? { order_by } : {}),
      ...(scope ? { scope } : {}),
    }),
  )
  const reason = useReason('updateAttributeDefinition')
  const columns = useMemo(() => attributeColumns(slug, reason), [slug, reason])
  return (
    <>
      <Bar current="Attributes" />
      <Page
        wide
        title="Attributes"
        sub={<p>Attributes of users, groups, events and memberships that {name} has received.</p>}
      >
        <div className="tools">
          <SearchField
            label="Search attributes"
            placeholder="Name begins with…"
            value={q ?? ''}
            onChange={(text) => onSearch({ ...search, q: text || undefined }, true)}
          />
          <Segments
            label="Of"
            options={[...VIEWS]}
            value={scope ?? 'all'}
            onChange={(next) => onSearch({ ...search, scope: next === 'all' ? undefined : next })}
          />
        </div>
        <DefinitionList
          label="Attributes"
          list={list}
          columns={columns}
          order={order_by ?? 'display_name'}
          onOrder={(order) => onSearch({ ...search, order_by: order as DefinitionPageSearch['order_by'] })}
          empty={
            q || scope ? (
              <Empty title="Nothing matches">
                No attribute {scope ? `of ${SCOPE_WORDS[scope]}s ` : ''}begins with “{q ?? ''}”.
              </Empty>
            ) : (
              <Empty title="No attributes yet">A name appears here with the first value that is sent for it.</Empty>
            )
          }
        />
      </Page>
    </>
  )
}

function attributeColumns(environment: string, reason: string | undefined): TableColumn<AttributeDefinition>[] {
  const save = (definition: AttributeDefinition) => (edit: { display_name?: string; description?: string }) =>
    changeAttributeDefinition(environment, definition.id, edit)
  return [
    {
      id: 'display_name',
      head: 'Attribute',
      sorts: true,
      cell: (definition) => (
        <NameCell
          definition={definition}
          save={save(definition)}
          reason={reason}
          link={
            <RowLink
              className="mono t3 clip"
              to="/$environment/attributes/$definitionId"
              params={{ environment, definitionId: definition.id }}
            >
              {definition.name}
            </RowLink>
          }
        />
      ),
    },
    {
      id: 'type',
      head: 'Type',
      cell: (definition) => (
        <span className="yes">
          <TypeGlyph type={definition.data_type} />
          <span className="t2">{definition.data_type}</span>
        </span>
      ),
    },
    { id: 'scope', head: 'Of', cell: (definition) => <UsedOn definition={definition} /> },
    {
      id: 'conflicts',
      head: 'Conflicts',
      cell: (definition) => (definition.conflicts > 0 ? <Conflicts number={definition.conflicts} /> : <Absent />),
    },
    {
      id: 'description',
      head: 'Description',
      wide: true,
      cell: (definition) => <DescriptionCell definition={definition} save={save(definition)} reason={reason} />,
    },
    { id: 'days', head: 'Last 14 days', wide: true, cell: (definition) => <DaysCell definition={definition} /> },
    { id: 'seen', head: 'Last seen', align: 'end', cell: (definition) => <LastSeen at={definition.last_seen_at} /> },
  ]
}

const Conflicts = ({ number }: { number: number }) => (
  <State tone="warn" shape="half">
    {number === 1 ? '1 conflict' : `${number} conflicts`}
  </State>
)

function UsedOn({ definition: { scope, events, event_count } }: { definition: AttributeDefinition }) {
  if (scope !== 'event') return SCOPE_WORDS[scope]
  const [first] = events
  return (
    <span className="mono clip" dir="auto">
      {first ?? 'event'}
      {event_count > 1 && <span className="t3"> +{event_count - 1}</span>}
    </span>
  )
}
