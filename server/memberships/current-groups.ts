import type { EnvironmentId, Queryable } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { findMembershipsByUser, type MembershipAttributes } from './queries.ts'

/** A user, and the group that its page or the caller names. */
export interface Subject {
  userId: string
  groupId?: string | undefined
}

/** The current group: the named one, if the user is in it; without a name the user's only one. */
export function currentOf(
  memberships: readonly MembershipAttributes[],
  groupId: string | undefined,
): MembershipAttributes | undefined {
  if (groupId !== undefined) return memberships.find((each) => each.groupId === groupId)
  return memberships.length === 1 ? memberships[0] : undefined
}

/** What is said of a named group that is not one of the user's. */
export const notAMember = (groupId: string | null) => `the user is not a member of the group '${groupId}'`

/** The ids of the current groups, in the order of the users; undefined for a user without one. */
export async function findCurrentGroups(
  db: Queryable,
  environmentId: EnvironmentId,
  subjects: readonly Subject[],
): Promise<(string | undefined)[]> {
  const ids = [...new Set(subjects.map(({ userId }) => userId))]
  const [found = []] = await findMembershipsByUser(db, ofOne(environmentId, ids))
  const byUser = new Map(ids.map((id, index) => [id, found[index]]))
  return subjects.map(({ userId, groupId }) => currentOf(byUser.get(userId) ?? [], groupId)?.groupId)
}
