import type { EnvironmentId, Transaction } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import type { DeletedObject, Owner } from '../deletions/pending.ts'
import { deleteMemberships, type MembershipPair } from './queries.ts'

/** Which memberships a step of a deletion removes: some of those that these users or groups had. */
export interface RemovedMemberships {
  owner: Owner
  objects: readonly DeletedObject[]
  most: number
}

/** Returns whether some are left. What another transaction has locked stays for a later step: no step waits. */
export async function deleteMembershipsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  removed: RemovedMemberships,
): Promise<boolean> {
  const existed = removed.objects.filter(({ createdAt }) => createdAt !== undefined)
  if (existed.length === 0) return false
  const pairs = await lockMembershipsOf(db, environmentId, { ...removed, objects: existed })
  const [, isLeft] = await Promise.all([
    pairs.length > 0 && deleteMemberships(db, ofOne(environmentId, pairs)),
    hasMembershipsOf(db, environmentId, { ...removed, objects: existed }),
  ])
  return isLeft
}

/**
 * `$2` and `$3` are the objects. They are looked up one after the other, by the index of their end: with `= any` the
 * planner uses the average size of environments, and may read all of a large one.
 */
const membershipsOf = (owner: Owner, columns: string, rest: string) => `
  select found.* from unnest($2::text[], $3::timestamptz[]) as deleted (id, created_at)
   cross join lateral (
     select ${columns} from group_memberships
      where environment_id = $1::int and ${owner}_id = deleted.id and ${owner}_created_at = deleted.created_at
      ${rest}) as found`

const valuesOf = (objects: readonly DeletedObject[]) => [
  objects.map(({ id }) => id),
  objects.map(({ createdAt }) => createdAt),
]

async function lockMembershipsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { owner, objects, most }: RemovedMemberships,
): Promise<MembershipPair[]> {
  const columns = 'user_id as "userId", group_id as "groupId"'
  return await db.query<MembershipPair & Record<string, unknown>>(
    `${membershipsOf(owner, columns, 'limit $4::int for update skip locked')} limit $4::int`,
    [environmentId, ...valuesOf(objects), most],
  )
}

async function hasMembershipsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { owner, objects }: RemovedMemberships,
): Promise<boolean> {
  const rows = await db.query(`${membershipsOf(owner, '1', 'limit 1')} limit 1`, [environmentId, ...valuesOf(objects)])
  return rows.length > 0
}
