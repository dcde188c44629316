import type { Static } from 'typebox'
import { plans } from '../plans.ts'
import { Type } from '../type.ts'
import {
  body,
  count,
  Done,
  flag,
  givenName,
  givenText,
  givenTime,
  number,
  oneOf,
  orNull,
  page,
  paging,
  resource,
  Series,
  text,
  time,
} from './fields.ts'
import { paths, roles } from './paths.ts'
import { email, Session } from './session.ts'

/** Keys, members, the audit log, plan and usage, and the system. */

const planNames = Object.keys(plans) as (keyof typeof plans)[]

export const Key = resource({
  id: count,
  name: text,
  /** `ak_4hx…m7qa` */
  shown: text,
  created_by: orNull(text),
  created_at: time,
  last_used_at: orNull(time),
  revoked_at: orNull(time),
})
export type Key = Static<typeof Key>

export const Member = resource({
  id: text,
  email: text,
  name: text,
  role: oneOf(roles),
  created_at: time,
  last_active_at: orNull(time),
})
export type Member = Static<typeof Member>

export const Invitation = resource({
  id: text,
  email: orNull(text),
  role: oneOf(roles),
  invited_by: orNull(text),
  created_at: time,
  expires_at: time,
})
export type Invitation = Static<typeof Invitation>

/** A link to hand over. It works once and is not shown again. */
export const NewLink = resource({ url: text, expires_at: time })

/** What was done: `key.created`, `member.role_changed` … */
export const AuditEntry = resource({
  id: text,
  at: time,
  /** `command` is a user of the command line on the server. */
  actor_kind: oneOf(['member', 'command']),
  actor_id: orNull(text),
  actor_name: text,
  action: text,
  target_kind: text,
  target_id: text,
  target_name: orNull(text),
  environment: orNull(text),
  address: orNull(text),
  request_id: orNull(text),
  before: Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] }),
  after: Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] }),
})
export type AuditEntry = Static<typeof AuditEntry>

const auditFilters = {
  member_id: Type.Optional(givenText(40)),
  /** An action, or its part before the dot. */
  action: Type.Optional(givenText(60)),
  environment: Type.Optional(givenText(100)),
  since: Type.Optional(givenTime),
  until: Type.Optional(givenTime),
}

export const Usage = resource({
  plan: oneOf(planNames),
  /** null: no limit. */
  requests_per_minute: orNull(count),
  has_groups: flag,
  /** Requests of all environments, the last 60 minutes, and the highest minute of 24 hours. */
  requests: Series,
  highest: count,
  highest_at: orNull(time),
  rate_limited_24_hours: count,
  environments: Type.Array(resource({ slug: text, name: text, requests_24_hours: count, users: count, groups: count })),
})
export type Usage = Static<typeof Usage>

export const Finding = resource({
  level: oneOf(['good', 'warning', 'bad']),
  check: text,
  what: text,
  advice: orNull(text),
})

export const System = resource({
  version: text,
  node_version: text,
  platform: text,
  database: resource({ version: text, is_embedded: flag, bytes: orNull(number) }),
  disk: orNull(resource({ free_bytes: number, total_bytes: number })),
  backlog: resource({ waiting: count, is_more: flag, oldest_at: orNull(time) }),
  nodes: Type.Array(resource({ name: text, version: text, started_at: time, seen_at: time, is_this: flag })),
  findings: Type.Array(Finding),
})
export type System = Static<typeof System>

/** Eight of each at most, by prefix. `request_id` is set when the text is the id of a request that a node has in memory. */
export const SearchResult = resource({
  users: Type.Array(resource({ id: text, name: orNull(text), email: orNull(text) })),
  groups: Type.Array(resource({ id: text, name: orNull(text) })),
  events: Type.Array(resource({ id: text, name: text, display_name: text })),
  attributes: Type.Array(resource({ id: text, name: text, display_name: text, scope: text })),
  endpoints: Type.Array(resource({ id: text, url: text })),
  request_id: orNull(text),
})
export type SearchResult = Static<typeof SearchResult>

export const settingsOperations = {
  listKeys: { ...paths.listKeys, response: resource({ data: Type.Array(Key) }) },
  /** The only answer that shows the key. */
  createKey: {
    ...paths.createKey,
    body: body({ name: givenName() }),
    response: resource({ ...Key.properties, key: text }),
  },
  renameKey: { ...paths.renameKey, body: body({ name: givenName() }), response: Key },
  revokeKey: { ...paths.revokeKey, response: Key },
  listMembers: {
    ...paths.listMembers,
    response: resource({ data: Type.Array(Member), invitations: Type.Array(Invitation) }),
  },
  /** A member cannot give a role above their own, and the last owner stays an owner. */
  updateMember: { ...paths.updateMember, body: body({ role: oneOf(roles) }), response: Member },
  removeMember: { ...paths.removeMember, response: Done },
  createPasswordLink: { ...paths.createPasswordLink, response: NewLink },
  createInvitation: {
    ...paths.createInvitation,
    body: body({ role: oneOf(roles), email: Type.Optional(email) }),
    response: resource({ ...NewLink.properties, invitation: Invitation }),
  },
  revokeInvitation: { ...paths.revokeInvitation, response: Done },
  listAuditEntries: {
    ...paths.listAuditEntries,
    query: Type.Object({ ...auditFilters, ...paging }),
    response: page(AuditEntry),
  },
  /** `text/csv` with the newest 10,000 entries that match. The browser opens it as a link. */
  exportAuditLog: {
    ...paths.exportAuditLog,
    produces: 'text/csv',
    query: Type.Object(auditFilters),
    response: Type.String(),
  },
  getUsage: { ...paths.getUsage, response: Usage },
  updateAccount: {
    ...paths.updateAccount,
    body: body({
      plan: Type.Optional(oneOf(planNames)),
      idle_hours: Type.Optional(orNull(Type.Literal(12))),
    }),
    response: Session,
  },
  getSystem: { ...paths.getSystem, response: System },
  search: { ...paths.search, query: Type.Object({ q: givenText(255, 1) }), response: SearchResult },
} as const
