import type { EnvironmentId, Queryable } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { findMemberships, type MembershipAttributes } from '../memberships/queries.ts'

export async function findMembership(
  db: Queryable,
  environmentId: EnvironmentId,
  userId: string,
  groupId: string,
): Promise<MembershipAttributes | undefined> {
  const [[found] = []] = await findMemberships(db, ofOne(environmentId, [{ userId, groupId }]))
  return found
}

export async function isMember(
  db: Queryable,
  environmentId: EnvironmentId,
  userId: string,
  groupId: string,
): Promise<boolean> {
  return (await findMembership(db, environmentId, userId, groupId)) !== undefined
}
