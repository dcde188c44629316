import type { EnvironmentId, Queryable } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import { itemsOf, ofOne, type Part } from '../database/parts.ts'
import { isNotLeftOver } from '../deletions/pending.ts'
import { FOUND, type MembershipAttributes } from './queries.ts'

/** A user, and the group that its page or the caller names. */
export interface Subject {
  readonly userId: string
  readonly groupId?: string | undefined
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

/** How many groups of a user are looked at: somebody may be in very many. A receipt names one less. */
export const MOST_CANDIDATES = 6

/** The named group, if the user is in it, and the first groups of the user. */
const candidates = (environmentId: string, environmentIs: string) => {
  const ofUser = `
    select ${FOUND} from group_memberships as stored
     where stored.environment_id = ${environmentId} and stored.user_id = wanted.user_id
       and ${isNotLeftOver('stored', environmentIs)}`
  return `
    cross join lateral (
      (${ofUser} and stored.group_id = wanted.group_id)
      union all
      (${ofUser} and stored.group_id is distinct from wanted.group_id order by stored.group_id limit ${MOST_CANDIDATES})
      offset 0) as found`
}

const FIND: Forms = {
  one: `
    select number::int, found.* from unnest($2::text[], $3::text[]) with ordinality as wanted (user_id, group_id, number)
    ${candidates('$1::int', '= $1::int')}`,
  many: `
    select number::int, found.*
      from unnest($1::int[], $2::text[], $3::text[]) with ordinality as wanted (environment_id, user_id, group_id, number)
      ${candidates('wanted.environment_id', '= any($1::int[])')}`,
}

/** The memberships of each subject that can be its current group, or that a receipt names. */
export async function findCandidates(
  db: Queryable,
  subjects: readonly Part<Subject>[],
): Promise<MembershipAttributes[][][]> {
  const all = itemsOf(subjects)
  const rows = await queryParts<MembershipAttributes & { number: number }>(db, FIND, subjects, [
    all.map(({ userId }) => userId),
    all.map(({ groupId }) => groupId ?? null),
  ])
  const bySubject = Map.groupBy(rows, ({ number }) => number)
  let number = 0
  return subjects.map(({ items }) =>
    items.map(() => {
      number += 1
      return bySubject.get(number) ?? []
    }),
  )
}

/** The ids of the current groups, in the order of the users; undefined for a user without one. */
export async function findCurrentGroups(
  db: Queryable,
  environmentId: EnvironmentId,
  subjects: readonly Subject[],
): Promise<(string | undefined)[]> {
  const [found = []] = await findCandidates(db, ofOne(environmentId, subjects))
  return subjects.map(({ groupId }, index) => currentOf(found[index] ?? [], groupId)?.groupId)
}
