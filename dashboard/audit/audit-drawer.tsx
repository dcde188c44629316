import { Link } from '@tanstack/react-router'
import { CodeBox } from '../parts/code-box.tsx'
import { CopyId } from '../parts/copy.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { Absent, Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session/use-session.ts'
import { Target } from './audit-columns.tsx'
import type { AuditPageSearch } from './audit-search.ts'
import type { AuditEntry } from './queries.ts'

type Props = {
  entry: AuditEntry
  search: AuditPageSearch
  onClose: () => void
  /** Absent: it is not in the list. */
  onMove?: (step: 1 | -1) => void
}

export function AuditDrawer({ entry, search, onClose, onMove }: Props) {
  const { environments } = useSession()
  const nameOf = (slug: string | null) => environments.find((one) => one.slug === slug)?.name ?? slug
  return (
    <Drawer
      label="Audit entry"
      title={<span className="mono clip">{entry.action}</span>}
      onClose={onClose}
      {...(onMove ? { onMove } : {})}
    >
      <Facts>
        {[
          ['Who', <Who key="who" entry={entry} />],
          ['On which', <Target key="target" entry={entry} />],
          ['Id', <CopyId key="id" value={entry.target_id} />],
          ['When', <Time key="when" at={entry.at} as="milliseconds" />],
          ['From', entry.address ? <span className="mono">{entry.address}</span> : <Absent />],
          ['Environment', nameOf(entry.environment) ?? <Absent />],
          ['Request-Id', <RequestId key="request" entry={entry} />],
        ]}
      </Facts>
      <Alike entry={entry} search={search} />
      <Change title="Before" value={entry.before} />
      <Change title="After" value={entry.after} />
    </Drawer>
  )
}

/** Filters that this entry matches. */
function Alike({ entry, search }: { entry: AuditEntry; search: AuditPageSearch }) {
  const { open: _, ...kept } = search
  const filters: [string, AuditPageSearch][] = [
    [`Everything by ${entry.actor_name}`, { who: entry.actor_id ?? entry.actor_kind }],
    [`Every ${entry.action}`, { action: entry.action }],
    [
      `Everything on this ${entry.target_kind.replaceAll('_', ' ')}`,
      { action: entry.target_kind, on: entry.target_id },
    ],
  ]
  return (
    <ul className="alike">
      {filters.map(([label, filter]) => (
        <li key={label}>
          <Link className="link" to="." search={{ ...kept, ...filter }} resetScroll={false} dir="auto">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const Who = ({ entry }: { entry: AuditEntry }) => (
  <span dir="auto">
    {entry.actor_name}
    {entry.actor_kind === 'key' && <span className="t3"> API key</span>}
  </span>
)

/** A request of the public API can be found in Live; those of members are not kept. */
function RequestId({ entry: { actor_kind, environment, request_id } }: { entry: AuditEntry }) {
  if (request_id === null) return <Absent />
  if (actor_kind !== 'key' || environment === null) return <CopyId value={request_id} />
  return (
    <Link className="link mono" to="/$environment/requests/$requestId" params={{ environment, requestId: request_id }}>
      {request_id}
    </Link>
  )
}

function Change({ title, value }: { title: string; value: Record<string, unknown> | null }) {
  if (value === null) return null
  const text = JSON.stringify(value, null, 2)
  return (
    <CodeBox title={title} copy={{ value: text, label: `Copy what was ${title.toLowerCase()}` }}>
      <Json text={text} />
    </CodeBox>
  )
}
