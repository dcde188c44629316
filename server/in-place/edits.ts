import { roles } from '../../contract/dashboard/paths.ts'
import { type EditPurpose, editLimits } from '../../contract/sdk/edit.ts'
import { type Actor, record } from '../audit/record.ts'
import type { Right } from '../batches/right.ts'
import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { errors } from '../errors.ts'
import { newId } from '../ids.ts'
import { findMember } from '../members/queries.ts'
import { hashToken, newToken } from '../members/tokens.ts'
import { type EditRow, exchangeEdit, findEditBySession, insertEdit, touchEdit } from './queries.ts'

/** What a member wants to open, and where. */
export interface EditRequest {
  environment: { id: EnvironmentId; slug: string }
  actor: Actor & { id: string }
  content: { id: string; name: string }
  origin: string
  purpose: EditPurpose
  step: string | null
  userId: string | null
  right: Right
}

/** Makes a one-time token. The database stores a hash of it. */
export async function createEdit(
  database: Database,
  { environment, actor, content, origin, purpose, step, userId, right }: EditRequest,
  now = Date.now(),
): Promise<{ id: string; token: string; expiresAt: string }> {
  const [id, token] = [newId(now), newToken()]
  const created_at = new Date(now).toISOString()
  const own = { id, tokenHash: hashToken(token), member_id: actor.id, content_id: content.id, created_at }
  await inTransaction(database, async (transaction) => {
    const refusal = await right(transaction, false)
    if (refusal) throw refusal
    await insertEdit(transaction, environment.id, { ...own, origin, purpose, step, user_id: userId })
    const change = {
      action: 'content.opened_in_place',
      target: content,
      after: { origin, purpose, ...(userId === null ? {} : { as_user: true }) },
    } as const
    await record(transaction, actor, { ...change, environment: environment.slug })
  })
  return { id, token, expiresAt: new Date(now + editLimits.tokenSeconds * 1000).toISOString() }
}

/** A page that calls, as the admission has recognised it. */
export interface EditCaller {
  environmentId: EnvironmentId
  accountId: number
  /** Undefined when the request does not come from a page. */
  origin: string | undefined
}

/** Exchanges a one-time token. It is used up also when it comes too late or from another origin. */
export async function exchangeToken(
  db: Queryable,
  caller: EditCaller,
  token: string,
  now = Date.now(),
): Promise<{ edit: EditRow; session: string }> {
  const session = newToken()
  const at = new Date(now).toISOString()
  const edit = await exchangeEdit(db, caller.environmentId, hashToken(token), hashToken(session), at)
  const isLate = edit !== undefined && now - Date.parse(edit.created_at) > editLimits.tokenSeconds * 1000
  if (isLate) throw errors.editEnded()
  return { edit: await checked(db, caller, edit), session }
}

/** The edit session of a page, which this call keeps alive. */
export async function useEdit(db: Queryable, caller: EditCaller, session: string, now = Date.now()): Promise<EditRow> {
  const edit = await findEditBySession(db, caller.environmentId, hashToken(session))
  if (!edit || stateOf(edit, now) !== 'open') throw errors.editEnded()
  await checked(db, caller, edit)
  await touchEdit(db, caller.environmentId, edit.id, new Date(now).toISOString())
  return edit
}

/** `waiting`: the token was not exchanged yet. `open`: the page is used. `ended`: too old, idle, or ended by the page. */
export function stateOf(edit: EditRow, now = Date.now()): 'waiting' | 'open' | 'ended' {
  const isOver = (since: string, seconds: number) => now - Date.parse(since) > seconds * 1000
  if (edit.ended_at !== null) return 'ended'
  if (edit.exchanged_at === null) return isOver(edit.created_at, editLimits.tokenSeconds) ? 'ended' : 'waiting'
  const isIdle = isOver(edit.used_at ?? edit.exchanged_at, editLimits.idleSeconds)
  return isIdle || isOver(edit.exchanged_at, editLimits.sessionSeconds) ? 'ended' : 'open'
}

/** From its origin, and of a member who may still edit. One answer for all: a page learns nothing about tokens. */
async function checked(db: Queryable, caller: EditCaller, edit: EditRow | undefined): Promise<EditRow> {
  if (!edit || edit.origin !== caller.origin) throw errors.editEnded()
  const member = await findMember(db, caller.accountId, edit.member_id)
  if (!member || roles.indexOf(member.role) < roles.indexOf('member')) throw errors.editEnded()
  return edit
}
