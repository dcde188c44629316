import type { ReactNode } from 'react'
import { SearchField } from '../parts/search-field.tsx'
import { Select } from '../parts/select.tsx'
import type { LiveSearch, OUTCOMES } from './live-search.ts'
import type { LiveRequest } from './queries.ts'

type Props = {
  search: LiveSearch
  onSearch: (search: LiveSearch, replace?: boolean) => void
  rows: readonly LiveRequest[]
  children: ReactNode
}

const STATUS = [
  { value: '', label: 'Every status' },
  { value: '2xx', label: '2xx', note: 'accepted' },
  { value: '4xx', label: '4xx', note: 'rejected' },
  { value: '5xx', label: '5xx', note: 'failed' },
]

export function FeedTools({ search, onSearch, rows, children }: Props) {
  function find(text: string) {
    const id = /^req_\w+$/.exec(text.trim())?.[0]
    onSearch({ ...search, q: text || undefined, ...(id ? { open: id } : {}) }, true)
  }
  return (
    <div className="tools">
      <SearchField
        label="Search requests"
        placeholder="Event, user, Request-Id"
        value={search.q ?? ''}
        onChange={find}
      />
      {search.view !== 'events' && (
        <Select
          label="Status"
          className="sm"
          value={search.status ?? ''}
          options={STATUS}
          onChange={(status) =>
            onSearch({ ...search, status: (status || undefined) as (typeof OUTCOMES)[number] | undefined })
          }
        />
      )}
      <Select
        label="Key"
        className="sm"
        value={search.key ?? ''}
        options={[{ value: '', label: 'Every key' }, ...keysOf(rows)]}
        onChange={(key) => onSearch({ ...search, key: key || undefined })}
      />
      <div className="end">{children}</div>
    </div>
  )
}

/** The keys among the rows that are kept. */
function keysOf(rows: readonly LiveRequest[]): { value: string; label: string }[] {
  const names = new Map<string, string>()
  for (const { key_id, key_name } of rows) if (key_id !== null) names.set(String(key_id), key_name ?? `Key ${key_id}`)
  return [...names].map(([value, label]) => ({ value, label }))
}
