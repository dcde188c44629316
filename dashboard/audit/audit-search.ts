import { HOUR_MS } from '../../contract/units.ts'
import { one, present, text } from '../search.ts'
import type { AuditSearch } from './queries.ts'

const AUDIT_RANGES = ['24h', '7d', '30d', '365d'] as const
/** All who are not members. */
const KINDS_OF_ACTORS = ['command', 'key'] as const

export type AuditPageSearch = {
  /** The id of a member or of a key, or a kind of actors. */
  who?: string | undefined
  /** An action, or the part before its dot. */
  action?: string | undefined
  /** The id of what was changed. */
  on?: string | undefined
  in?: string | undefined
  range?: (typeof AUDIT_RANGES)[number] | undefined
  open?: string | undefined
}

export function readAuditSearch(search: Record<string, unknown>): AuditPageSearch {
  return present({
    who: text(search.who),
    action: text(search.action),
    on: text(search.on),
    in: text(search.in),
    range: one(search.range, AUDIT_RANGES),
    open: text(search.open),
  })
}

/** What the server is asked for. */
export function askedOf({ who, action, on, in: environment, range }: AuditPageSearch, now = Date.now()): AuditSearch {
  const kind = one(who, KINDS_OF_ACTORS)
  return {
    ...(kind ? { actor_kind: kind } : who ? { actor_id: who } : {}),
    ...(action ? { action } : {}),
    ...(on ? { target_id: on } : {}),
    ...(environment ? { environment } : {}),
    ...(range ? { since: sinceOf(range, now) } : {}),
  }
}

/** From the beginning of an hour, so that the query does not change with every render. */
function sinceOf(range: (typeof AUDIT_RANGES)[number], now: number): string {
  const hours = range.endsWith('h') ? Number.parseInt(range, 10) : 24 * Number.parseInt(range, 10)
  return new Date((Math.floor(now / HOUR_MS) - hours) * HOUR_MS).toISOString()
}
