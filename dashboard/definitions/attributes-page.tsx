import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { TypeGlyph } from '../objects/type-glyph.tsx'
import { Empty } from '../parts/blank.tsx'
import { Absent } from '../parts/facts.tsx'
import { Segments } from '../parts/segments.tsx'
import { State } from '../parts/state.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { present } from '../search.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { RowLink } from '../shell/row-link.tsx'
import { useAddress } from '../shell/use-address.ts'
import { FirstStepsLink } from '../start/first-steps-link.tsx'
import { changeAttributeDefinition } from './changes.ts'
import { daysColumn, descriptionColumn, type Editing, LastSeen, nameColumn } from './definition-columns.tsx'
import type { DefinitionPageSearch } from './definition-search.ts'
import { DefinitionsPage } from './definitions-page.tsx'
import { type AttributeDefinition, attributeDefinitionsQuery } from './queries.ts'
import { SCOPE_WORDS } from './scopes.ts'

const VIEWS = [
  { value: 'all', label: 'All' },
  { value: 'user', label: 'Users' },
  { value: 'group', label: 'Groups' },
  { value: 'event', label: 'Events' },
  { value: 'group_membership', label: 'Memberships' },
] as const

export function AttributesPage() {
  const { slug, name } = useEnvironment()
  const [search, setSearch] = useAddress<DefinitionPageSearch>()
  const reason = useReason('updateAttributeDefinition')
  const columns = useMemo(() => attributeColumns(slug, reason), [slug, reason])
  return (
    <DefinitionsPage
      title="Attributes"
      sub={`The attributes of users, groups, events and memberships that ${name} has received.`}
      list={useInfiniteQuery(attributeDefinitionsQuery(slug, present(search)))}
      columns={columns}
      tools={
        <Segments
          label="Of"
          options={[...VIEWS]}
          value={search.scope ?? 'all'}
          onChange={(next) => setSearch({ ...search, scope: next === 'all' ? undefined : next })}
        />
      }
      empty={<NoAttributes {...search} />}
    />
  )
}

function NoAttributes({ q, scope }: DefinitionPageSearch) {
  const of = scope ? ` of ${SCOPE_WORDS[scope]}s` : ''
  if (q) {
    return (
      <Empty title="Nothing matches">
        No attribute{of} begins with “{q}”.
      </Empty>
    )
  }
  return (
    <Empty title={`No attributes${of} yet`} action={<FirstStepsLink />}>
      A name appears here with the first value that is sent for it.
    </Empty>
  )
}

function attributeColumns(environment: string, reason: string | undefined): TableColumn<AttributeDefinition>[] {
  const editing: Editing = { reason, save: (id, edit) => changeAttributeDefinition(environment, id, edit) }
  return [
    nameColumn('Attribute', editing, ({ id, name }) => (
      <RowLink
        className="mono t3 clip"
        to="/$environment/attributes/$definitionId"
        params={{ environment, definitionId: id }}
      >
        {name}
      </RowLink>
    )),
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
    descriptionColumn(editing),
    { ...daysColumn<AttributeDefinition>('Received in 14 days'), wide: true },
    {
      id: 'seen',
      head: 'Last received',
      align: 'end',
      cell: (definition) => <LastSeen at={definition.last_seen_at} />,
    },
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
