import type { EnvironmentId, Transaction } from '../database/database.ts'
import { mapForms, queryParts } from '../database/forms.ts'
import { whereForms } from '../database/key-forms.ts'
import { itemsOf, ofOne, type Part } from '../database/parts.ts'
import type { DeletedObject, Owner } from './pending.ts'
import type { Removal, RemovedPart } from './steps.ts'

/**
 * Deletes the first memberships that these users or groups had. What another transaction has locked stays for a later
 * step: no step waits. A step that finds fewer than it may delete starts again from the first row, for those that were
 * locked before.
 */
export async function deleteMembershipsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  removed: RemovedPart,
): Promise<Removal> {
  const part = { ...removed, objects: removed.objects.filter(({ createdAt }) => createdAt !== undefined) }
  if (part.objects.length === 0) return { isLeft: false, last: undefined }
  const found = await lockMembershipsOf(db, environmentId, part)
  const isFull = found.length === part.most
  const [, isLeft] = await Promise.all([
    found.length > 0 && deleteMemberships(db, ofOne(environmentId, found)),
    isFull || hasMembershipsOf(db, environmentId, part),
  ])
  const last = found.at(-1)
  return { isLeft, last: isFull && last ? [last.otherCreatedAt, last[OTHER_ID[part.owner]]] : undefined }
}

const OTHER = { user: 'group', group: 'user' } as const
const OTHER_ID = { user: 'groupId', group: 'userId' } as const
const BEFORE_ALL = ['-infinity', ''] as const

/**
 * `$2` and `$3` are the objects, `$4` and `$5` the row after which it starts. They are looked up one after the other. Only the
 * index of their end has this order, so PostgreSQL takes it, whatever it knows of the table: without an order it read the
 * whole table where most memberships are of one group, also for a group that has none.
 */
function membershipsOf(owner: Owner, columns: string, rest: string): string {
  const order = [`${OTHER[owner]}_created_at`, `${OTHER[owner]}_id`].join(', ')
  return `
    select found.* from unnest($2::text[], $3::timestamptz[]) as deleted (id, created_at)
     cross join lateral (
       select ${columns} from group_memberships
        where environment_id = $1::int and ${owner}_id = deleted.id and ${owner}_created_at = deleted.created_at
          and (${order}) > ($4::timestamptz, $5::text)
        order by ${order}
        ${rest}) as found`
}

const valuesOf = (environmentId: EnvironmentId, objects: readonly DeletedObject[], after: readonly string[]) => [
  environmentId,
  objects.map(({ id }) => id),
  objects.map(({ createdAt }) => createdAt),
  ...after,
]

interface FoundMembership extends Pair {
  otherCreatedAt: string
}

async function lockMembershipsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { owner, objects, most, after = BEFORE_ALL }: RemovedPart,
): Promise<FoundMembership[]> {
  const columns = `user_id as "userId", group_id as "groupId", ${OTHER[owner]}_created_at as "otherCreatedAt"`
  return await db.query<FoundMembership & Record<string, unknown>>(
    `${membershipsOf(owner, columns, 'limit $6::int for update skip locked')} limit $6::int`,
    [...valuesOf(environmentId, objects, after), most],
  )
}

async function hasMembershipsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { owner, objects }: RemovedPart,
): Promise<boolean> {
  const text = `${membershipsOf(owner, '1', 'limit 1')} limit 1`
  return (await db.query(text, valuesOf(environmentId, objects, BEFORE_ALL))).length > 0
}

interface Pair {
  userId: string
  groupId: string
}

const DELETE = mapForms(
  whereForms('group_memberships', { user_id: 'text', group_id: 'text' }),
  (where) => `delete from group_memberships where ${where}`,
)

/** Of users that are locked. */
export async function deleteMemberships(db: Transaction, parts: readonly Part<Pair>[]): Promise<void> {
  const pairs = itemsOf(parts)
  await queryParts(db, DELETE, parts, [pairs.map(({ userId }) => userId), pairs.map(({ groupId }) => groupId)])
}
