import { middle } from '../format/shorten.ts'
import { Avatar } from '../parts/avatar.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { PeekLink } from '../shell/peek-link.tsx'
import { RowLink } from '../shell/row-link.tsx'
import type { Collection, ObjectRow } from './queries.ts'
import { Value } from './value.tsx'
import { attributeOf, emailOf, nameOf } from './words.ts'

/** The orders that the API has: all others cannot be chosen. */
export const ORDERABLE: Record<Collection, string[]> = {
  users: ['created_at', 'attributes.signed_up_at', 'attributes.last_seen_at', 'attributes.name'],
  groups: ['created_at', 'attributes.name'],
}

type Chosen = { name: string; type: string }

export function listColumns(kind: Collection, environment: string, chosen: Chosen[]): TableColumn<ObjectRow>[] {
  const sorts = (id: string) => ORDERABLE[kind].includes(id)
  return [
    {
      id: 'attributes.name',
      head: 'Name',
      sorts: true,
      cell: (row) => <Who kind={kind} environment={environment} row={row} />,
    },
    {
      id: 'id',
      head: 'Id',
      mono: true,
      cell: (row) => (
        <span className="t2" dir="auto">
          {middle(row.id)}
        </span>
      ),
    },
    ...chosen.map(
      ({ name, type }, index): TableColumn<ObjectRow> => ({
        id: `attributes.${name}`,
        head: name,
        mono: type === 'string',
        monoHead: true,
        ...(type === 'number' ? { align: 'end' as const } : {}),
        sorts: sorts(`attributes.${name}`),
        wide: index > 1,
        cell: (row) => <Value value={attributeOf(row.attributes, name)} type={type} name={name} plain />,
      }),
    ),
    {
      id: 'created_at',
      head: 'Created',
      align: 'end',
      sorts: true,
      cell: (row) => (
        <span className="t2">
          <Time at={row.created_at} plain />
        </span>
      ),
    },
  ]
}

function Who({ kind, environment, row }: { kind: Collection; environment: string; row: ObjectRow }) {
  const name = nameOf(row.attributes)
  const email = emailOf(row.attributes)
  const label = (
    <>
      <Avatar name={name} square={kind === 'groups'} />
      <span className="clip">
        <b className={name ? '' : 't3'} dir="auto">
          {name ?? 'No name'}
        </b>
        {email && <span dir="auto">{email}</span>}
      </span>
    </>
  )
  return (
    <>
      {kind === 'users' ? (
        <RowLink className="who" to="/$environment/users/$userId" params={{ environment, userId: row.id }}>
          {label}
        </RowLink>
      ) : (
        <RowLink className="who" to="/$environment/groups/$groupId" params={{ environment, groupId: row.id }}>
          {label}
        </RowLink>
      )}
      <PeekLink id={row.id} />
    </>
  )
}
