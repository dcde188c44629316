import { type Role, roles } from '../../contract/dashboard/paths.ts'
import type { OpenTransaction } from '../database/database.ts'
import { errors } from '../errors.ts'
import { findMember, lockOwners, lockRole, type MemberRow } from '../members/queries.ts'
import type { MemberCaller } from './call.ts'
import { uuidOf } from './uuid.ts'

/** A member of the same account whose role is not above that of the caller. */
export async function changeable(transaction: OpenTransaction, grant: MemberCaller, text: string): Promise<MemberRow> {
  const id = uuidOf(text)
  const member = id === undefined ? undefined : await findMember(transaction, grant.accountId, id)
  if (!member) throw errors.gone('Member', text)
  refuseHigher(grant, member.role)
  return member
}

export function isLower(role: Role, than: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(than)
}

/** The higher of two roles. */
export function atLeast(role: Role, other: Role): Role {
  return isLower(role, other) ? other : role
}

/** The caller may have been removed or demoted since the request was admitted. What it makes would stay. */
export async function confirmRole(
  transaction: OpenTransaction,
  { session }: MemberCaller,
  needed: Role,
): Promise<void> {
  const role = await lockRole(transaction, session.id)
  if (role === undefined) throw errors.notSignedIn()
  if (isLower(role, needed)) throw errors.roleRequired(needed)
}

export function refuseHigher({ session }: MemberCaller, role: Role): void {
  if (isLower(session.role, role)) throw errors.roleRequired(role)
}

export async function keepAnOwner(transaction: OpenTransaction, { id, account_id }: MemberRow): Promise<void> {
  const owners = await lockOwners(transaction, account_id)
  if (owners.length === 1 && owners[0] === id)
    throw errors.conflict('The last owner cannot be removed. Make another member an owner first.')
}
