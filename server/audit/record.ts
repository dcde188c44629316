import type { auditKinds } from '../../contract/dashboard/audit-kinds.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { newId } from '../ids.ts'
import { type AuditRow, insertAuditEntry } from './queries.ts'
import { insertAuditValues, type ValueOwners } from './values.ts'

/** Who made a change, and from which address. */
export interface Actor {
  accountId: number
  kind: 'member' | 'command' | 'key'
  id: string | null
  name: string
  address: string | null
  requestId: string | null
}

/** Who asks for a change, and the slug of the environment that it is made in. */
export interface Origin {
  actor: Actor
  environment: string
}

/** A user of the command line on the server. */
export function commandActor(accountId: number): Actor {
  return { accountId, kind: 'command', id: null, name: 'Command line', address: null, requestId: null }
}

/** What was done: `key.created`. The part before the dot is the kind of what it was done to. */
export type Action = `${(typeof auditKinds)[number]}.${string}`

export interface AuditedChange {
  action: Action
  target: { id: string | number; name?: string | null }
  /** The slug of the environment that it was done in. */
  environment?: string
  before?: object
  after?: object
  /** Of whom `before` and `after` are, when they are data of a user or a group. */
  about?: ValueOwners
}

/** An entry that is stored in the transaction of its change. */
export interface AuditEntry {
  actor: Actor
  change: AuditedChange
}

/** Sent together. Changes of data by members are few, so each entry is a statement. */
export async function recordAll(db: Transaction, entries: readonly AuditEntry[]): Promise<void> {
  await Promise.all(entries.map(({ actor, change }) => record(db, actor, change)))
}

/** Writes an entry. For a change of what is stored, in the transaction of the change. */
export async function record(db: Queryable, actor: Actor, change: AuditedChange, now = Date.now()): Promise<void> {
  const row: AuditRow = {
    id: newId(now),
    at: new Date(now).toISOString(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action: change.action,
    target_kind: change.action.slice(0, change.action.indexOf('.')),
    target_id: String(change.target.id),
    target_name: change.target.name ?? null,
    environment: change.environment ?? null,
    address: actor.address,
    request_id: actor.requestId,
    before: change.before ? JSON.stringify(change.before) : null,
    after: change.after ? JSON.stringify(change.after) : null,
    fields: null,
  }
  const { about } = change
  if (about && (row.before ?? row.after) !== null) await recordWithValues(db, actor.accountId, row, change, about)
  else await insertAuditEntry(db, actor.accountId, row, null)
}

async function recordWithValues(
  db: Queryable,
  accountId: number,
  row: AuditRow,
  change: AuditedChange,
  about: ValueOwners,
): Promise<void> {
  const { id: entryId, before, after } = row
  const fields = Object.keys({ ...change.before, ...change.after }).sort()
  await Promise.all([
    insertAuditEntry(db, accountId, { ...row, before: null, after: null, fields }, about.environmentId),
    insertAuditValues(db, about, { entryId, before, after }),
  ])
}
