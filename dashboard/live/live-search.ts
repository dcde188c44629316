import { one, present, text } from '../search.ts'
import type { LiveRequest } from './queries.ts'

export const VIEWS = ['requests', 'events', 'errors'] as const
export const OUTCOMES = ['2xx', '4xx', '5xx'] as const

export type LiveSearch = {
  view?: (typeof VIEWS)[number] | undefined
  q?: string | undefined
  status?: (typeof OUTCOMES)[number] | undefined
  key?: string | undefined
  open?: string | undefined
}

export function readLiveSearch(search: Record<string, unknown>): LiveSearch {
  return present({
    view: one(search.view, VIEWS),
    q: text(search.q),
    status: one(search.status, OUTCOMES),
    key: text(search.key),
    open: text(search.open),
  })
}

/** Event, user, group, path, status, code, field or Request-Id. */
export function matches(row: LiveRequest, { view, q, status, key }: LiveSearch): boolean {
  if (view === 'events' && (row.event_name === null || row.status >= 300 || row.is_replay)) return false
  if (status && Math.floor(row.status / 100) !== Number(status[0])) return false
  if (key && String(row.key_id ?? '') !== key) return false
  if (!q) return true
  const wanted = q.toLowerCase()
  const texts = [row.id, row.url, row.event_name, row.user_id, row.group_id, row.code, row.field]
  return String(row.status) === wanted || texts.some((value) => value?.toLowerCase().includes(wanted))
}
