import { type Role, roles } from '../../contract/dashboard/paths.ts'
import type { Right } from '../batches/right.ts'
import type { OpenTransaction, Transaction } from '../database/database.ts'
import { errors } from '../errors.ts'
import { lockMembers, lockRole, type MemberRow } from '../members/queries.ts'
import type { MemberCaller } from './call.ts'
import { uuidOf } from './uuid.ts'

/** A member who is about to be changed, and the role of the one who changes it. Both stay until the transaction ends. */
export interface Changeable {
  member: MemberRow
  callerRole: Role
  isLastOwner: boolean
}

/**
 * A member of the same account whose role is not above that of the caller, who needs this role. Either may have been removed,
 * or have another role, since the request was admitted.
 */
export async function changeable(
  transaction: OpenTransaction,
  { accountId, session }: MemberCaller,
  text: string,
  needed: Role,
): Promise<Changeable> {
  const id = uuidOf(text)
  const locked = await lockMembers(transaction, accountId, [session.id, ...(id === undefined ? [] : [id])])
  const callerRole = locked.find((one) => one.id === session.id)?.role
  if (callerRole === undefined) throw errors.notSignedIn()
  refuseHigher(callerRole, needed)
  const member = locked.find((one) => one.id === id)
  if (!member) throw errors.gone('Member', text)
  refuseHigher(callerRole, member.role)
  const owners = locked.filter(({ role }) => role === 'owner')
  return { member, callerRole, isLastOwner: owners.length === 1 && owners[0] === member }
}

export function isLower(role: Role, than: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(than)
}

/** The higher of two roles. */
export function atLeast(role: Role, other: Role): Role {
  return isLower(role, other) ? other : role
}

/** The caller may have been removed or demoted since the request was admitted. What it makes would stay. */
export function roleRight({ session }: MemberCaller, needed: Role): Right {
  const right = async (transaction: Transaction) => {
    const role = await lockRole(transaction, session.id)
    if (role === undefined) return errors.notSignedIn()
    return isLower(role, needed) ? errors.roleRequired(needed) : undefined
  }
  return Object.assign(right, { memberId: session.id })
}

export async function confirmRole(transaction: OpenTransaction, caller: MemberCaller, needed: Role): Promise<void> {
  const refusal = await roleRight(caller, needed)(transaction, true)
  if (refusal) throw refusal
}

export function refuseHigher(own: Role, role: Role): void {
  if (isLower(own, role)) throw errors.roleRequired(role)
}

export function keepAnOwner({ isLastOwner }: Changeable): void {
  if (isLastOwner) throw errors.conflict('The last owner stays an owner. Make another member an owner first.')
}
