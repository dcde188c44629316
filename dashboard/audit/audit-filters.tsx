import { useQuery } from '@tanstack/react-query'
import { auditKinds } from '../../contract/dashboard/audit-kinds.ts'
import { keysQuery } from '../keys/queries.ts'
import { membersQuery } from '../members/queries.ts'
import { SearchField } from '../parts/search-field.tsx'
import { type Option, Select } from '../parts/select.tsx'
import { useEnvironment, useSession } from '../session/use-session.ts'
import type { AuditPageSearch } from './audit-search.ts'
import type { AuditEntry } from './queries.ts'

type Props = {
  search: AuditPageSearch
  onSearch: (search: AuditPageSearch, replace?: boolean) => void
  rows: readonly AuditEntry[]
}

const ANY = ''
const RANGES = [
  { value: ANY, label: 'At any time' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '365d', label: 'Last 365 days' },
]

export function AuditFilters({ search, onSearch, rows }: Props) {
  const { environments } = useSession()
  const change = (name: keyof AuditPageSearch) => (value: string) =>
    onSearch({ ...search, open: undefined, [name]: value || undefined })
  return (
    <div className="tools">
      <SearchField
        label="Id of what was changed"
        placeholder="Id of what changed"
        value={search.on ?? ''}
        onChange={(id) => onSearch({ ...search, open: undefined, on: id.trim() || undefined }, true)}
      />
      <Select
        label="Who"
        className="sm"
        value={search.who ?? ANY}
        options={useActors(search, rows)}
        onChange={change('who')}
      />
      <Select
        label="What"
        className="sm"
        value={search.action ?? ANY}
        options={actionsOf(search.action)}
        onChange={change('action')}
      />
      <Select
        label="Environment"
        className="sm"
        value={search.in ?? ANY}
        options={[
          { value: ANY, label: 'Every environment' },
          ...environments.map(({ slug, name }) => ({ value: slug, label: name })),
        ]}
        onChange={change('in')}
      />
      <Select label="When" className="sm" value={search.range ?? ANY} options={RANGES} onChange={change('range')} />
    </div>
  )
}

/** Members, the command line, and the keys of the environment. Another one is chosen from its entry. */
function useActors({ who, in: environment }: AuditPageSearch, rows: readonly AuditEntry[]): Option<string>[] {
  const { slug } = useEnvironment()
  const { data: members } = useQuery(membersQuery)
  const { data: keys } = useQuery(keysQuery(environment ?? slug))
  const known = [
    { value: ANY, label: 'Everybody' },
    ...(members?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    { value: 'command', label: 'Command line' },
    { value: 'key', label: 'Every API key' },
    ...(keys?.data ?? []).map(({ id, name, shown }) => ({ value: String(id), label: name || shown, note: 'API key' })),
  ]
  if (!who || known.some(({ value }) => value === who)) return known
  return [...known, { value: who, label: rows.find(({ actor_id }) => actor_id === who)?.actor_name ?? who }]
}

/** The kinds of what is changed. One action of a kind is chosen from its entry. */
function actionsOf(chosen: string | undefined): Option<string>[] {
  const known: Option<string>[] = [
    { value: ANY, label: 'Every change' },
    ...auditKinds.map((value) => ({ value, label: value })),
  ]
  return chosen && !known.some(({ value }) => value === chosen) ? [...known, { value: chosen, label: chosen }] : known
}
