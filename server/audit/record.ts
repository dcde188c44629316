import type { Queryable } from '../database/database.ts'
import { newId } from '../ids.ts'
import { insertAuditEntry } from './queries.ts'

/** Who did it, and from where. */
export interface Actor {
  accountId: number
  kind: 'member' | 'command'
  id: string | null
  name: string
  address: string | null
  requestId: string | null
}

/** Somebody at the command line of the server. */
export function commandActor(accountId: number): Actor {
  return { accountId, kind: 'command', id: null, name: 'Command line', address: null, requestId: null }
}

export const auditKinds = [
  'session',
  'member',
  'invitation',
  'account',
  'environment',
  'key',
  'definition',
  'endpoint',
  'delivery',
  'user',
  'group',
  'event',
] as const

/** What was done: `key.created`. The part before the dot is the kind of what it was done to. */
export type Action = `${(typeof auditKinds)[number]}.${string}`

export interface Deed {
  action: Action
  target: { id: string | number; name?: string | null }
  /** The slug of the environment that it was done in. */
  environment?: string
  before?: object
  after?: object
}

/** Writes an entry; in the transaction of the change, where the change is one of the control tables. */
export async function record(db: Queryable, actor: Actor, deed: Deed, now = Date.now()): Promise<void> {
  await insertAuditEntry(db, actor.accountId, {
    id: newId(now),
    at: new Date(now).toISOString(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action: deed.action,
    target_kind: deed.action.slice(0, deed.action.indexOf('.')),
    target_id: String(deed.target.id),
    target_name: deed.target.name ?? null,
    environment: deed.environment ?? null,
    address: actor.address,
    request_id: actor.requestId,
    before: deed.before ? JSON.stringify(deed.before) : null,
    after: deed.after ? JSON.stringify(deed.after) : null,
  })
}
