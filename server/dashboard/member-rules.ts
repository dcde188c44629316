import { type Role, roles } from '../../contract/dashboard/paths.ts'
import type { OpenTransaction } from '../database/database.ts'
import { errors } from '../errors.ts'
import { findMember, lockOwners, type MemberRow } from '../members/queries.ts'
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

export function refuseHigher({ session }: MemberCaller, role: Role): void {
  if (roles.indexOf(role) > roles.indexOf(session.role)) throw errors.roleRequired(role)
}

export async function keepAnOwner(transaction: OpenTransaction, { id, account_id }: MemberRow): Promise<void> {
  const owners = await lockOwners(transaction, account_id)
  if (owners.length === 1 && owners[0] === id)
    throw errors.conflict('The last owner cannot be removed. Make another member an owner first.')
}
