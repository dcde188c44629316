import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { givenText, givenTime, oneOf, orNull, page, paging, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

/** The audit log. */

const actorKind = oneOf(['member', 'command', 'key'])

/** What was done: `key.created`, `member.role_changed` … */
export const AuditEntry = resource({
  id: text,
  at: time,
  /** `command` is a user of the command line on the server, `key` a request of the public API. */
  actor_kind: actorKind,
  actor_id: orNull(text),
  actor_name: text,
  action: text,
  target_kind: text,
  target_id: text,
  target_name: orNull(text),
  environment: orNull(text),
  address: orNull(text),
  request_id: orNull(text),
  /** The names of the changed fields of a user, a group or an event. They stay when its values are deleted. */
  fields: orNull(Type.Array(text)),
  before: Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] }),
  after: Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] }),
})
export type AuditEntry = Static<typeof AuditEntry>

const auditFilters = {
  actor_kind: Type.Optional(actorKind),
  /** Of a member or of a key. */
  actor_id: Type.Optional(givenText(40)),
  /** An action, or its part before the dot. */
  action: Type.Optional(givenText(60)),
  /** The id of what was changed, as `target_id`. */
  target_id: Type.Optional(givenText(255)),
  environment: Type.Optional(givenText(100)),
  since: Type.Optional(givenTime),
  until: Type.Optional(givenTime),
}

export const auditOperations = {
  listAuditEntries: {
    ...paths.listAuditEntries,
    query: Type.Object({ ...auditFilters, ...paging }),
    response: page(AuditEntry),
  },
  getAuditEntry: { ...paths.getAuditEntry, response: AuditEntry },
  /** `text/csv` with the newest 10,000 entries that match. The browser opens it as a link. */
  exportAuditLog: {
    ...paths.exportAuditLog,
    produces: 'text/csv',
    query: Type.Object(auditFilters),
    response: Type.String(),
  },
} as const
