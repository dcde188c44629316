import { middle } from '../format/shorten.ts'
import { Absent } from '../parts/facts.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { RowLink } from '../shell/row-link.tsx'
import type { AuditEntry } from './queries.ts'

type NameOf = (slug: string) => string

export const auditColumns = (nameOf: NameOf): TableColumn<AuditEntry>[] => [
  {
    id: 'who',
    head: 'Who',
    width: 'slim',
    cell: (entry) => (
      <RowLink to="." search={(before) => ({ ...before, open: entry.id })} resetScroll={false} className="who">
        <b className="clip" dir="auto">
          {entry.actor_name}
        </b>
        {entry.actor_kind === 'key' && <span className="t3">API key</span>}
      </RowLink>
    ),
  },
  { id: 'what', head: 'What', mono: true, cell: (entry) => entry.action },
  { id: 'on', head: 'On which', width: 'broad', cell: (entry) => <Target entry={entry} /> },
  {
    id: 'environment',
    head: 'Environment',
    wide: true,
    cell: ({ environment }) => (environment ? <span dir="auto">{nameOf(environment)}</span> : <Absent />),
  },
  {
    id: 'from',
    head: 'From',
    mono: true,
    wide: true,
    cell: (entry) => (entry.address ? <span className="t2">{entry.address}</span> : <Absent />),
  },
  {
    id: 'when',
    head: 'When',
    align: 'end',
    cell: (entry) => (
      <span className="t2">
        <Time at={entry.at} as="seconds" plain />
      </span>
    ),
  },
]

export function Target({ entry }: { entry: AuditEntry }) {
  return (
    <span className="clip target" dir="auto">
      {entry.target_name ?? <span className="mono">{middle(entry.target_id)}</span>}{' '}
      <span className="t3">{entry.target_kind.replaceAll('_', ' ')}</span>
    </span>
  )
}
