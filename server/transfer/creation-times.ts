import type { EnvironmentId, Transaction } from '../database/database.ts'
import { isFreeTime } from '../deletions/pending.ts'
import type { ObjectEntry } from './records.ts'

/**
 * Objects that were exported keep the time of their creation, when this transaction has created them: then they still
 * have its own time, `at`. Memberships hold the times of both their ends. While a deleted object with the same creation
 * time is still being removed, the new object keeps `at`: otherwise the memberships that are left would count as its
 * own.
 */
export async function keepCreationTimes(
  db: Transaction,
  environmentId: EnvironmentId,
  entries: readonly ObjectEntry[],
  at: string,
): Promise<void> {
  const dated = entries.filter(({ createdAt }) => createdAt !== undefined)
  const objects = (kind: 'user' | 'group') =>
    dated.flatMap(({ job, createdAt }) =>
      job.kind === kind && !(job.kind === 'user' && job.groups.length > 0) ? [{ id: job.id, createdAt }] : [],
    )
  const memberships = dated.flatMap(({ job, createdAt }) =>
    job.kind === 'user' && job.groups.length > 0
      ? job.groups.map((group) => ({ userId: job.id, groupId: group.id, createdAt }))
      : [],
  )
  for (const kind of ['user', 'group'] as const) await keepTimesOf(db, environmentId, kind, objects(kind), at)
  if (memberships.length === 0) return
  await db.query(
    `update group_memberships set created_at = given.created_at
       from unnest($2::text[], $3::text[], $4::timestamptz[]) as given (user_id, group_id, created_at)
      where environment_id = $1::int and group_memberships.user_id = given.user_id
        and group_memberships.group_id = given.group_id and group_memberships.created_at = $5::timestamptz`,
    [
      environmentId,
      memberships.map(({ userId }) => userId),
      memberships.map(({ groupId }) => groupId),
      memberships.map(({ createdAt }) => createdAt),
      at,
    ],
  )
}

async function keepTimesOf(
  db: Transaction,
  environmentId: EnvironmentId,
  kind: 'user' | 'group',
  objects: readonly { id: string; createdAt: string | undefined }[],
  at: string,
): Promise<void> {
  if (objects.length === 0) return
  const changed = await db.query<{ id: string; created_at: string }>(
    `update ${kind}s set created_at = given.created_at
       from unnest($2::text[], $3::timestamptz[]) as given (id, created_at)
      where environment_id = $1::int and ${kind}s.id = given.id and ${kind}s.created_at = $4::timestamptz
        and ${isFreeTime('= $1::int', 'given.created_at')}
     returning ${kind}s.id, ${kind}s.created_at`,
    [environmentId, objects.map(({ id }) => id), objects.map(({ createdAt }) => createdAt), at],
  )
  if (changed.length > 0) await copyTimesToMemberships(db, environmentId, kind, changed, at)
}

async function copyTimesToMemberships(
  db: Transaction,
  environmentId: EnvironmentId,
  kind: 'user' | 'group',
  changed: readonly { id: string; created_at: string }[],
  at: string,
): Promise<void> {
  await db.query(
    `update group_memberships set ${kind}_created_at = changed.created_at
       from unnest($2::text[], $3::timestamptz[]) as changed (id, created_at)
      where environment_id = $1::int and ${kind}_id = changed.id and ${kind}_created_at = $4::timestamptz`,
    [environmentId, changed.map(({ id }) => id), changed.map((object) => object.created_at), at],
  )
}
