import { sortedUnique } from '../arrays.ts'
import { deleteEventsOf } from '../events/queries.ts'
import { deleteMemberships } from '../memberships/queries.ts'
import { deleteObjects, lockObjects } from '../objects/queries.ts'
import { groups, users } from '../objects/tables.ts'
import { deleteNotificationsOf } from '../webhooks/queries.ts'
import type { StoredObserver } from './jobs.ts'
import type { Work } from './queue.ts'

export type RemoveJob =
  | { kind: 'user'; id: string }
  | { kind: 'group'; id: string }
  | { kind: 'membership'; userId: string; groupId: string }

/**
 * Deletes users and groups with everything about them, and memberships. They are a work of their own, apart from the
 * writes: the jobs of an environment keep their order, so a delete sees all that was acknowledged before it.
 */
export function removeWork(stored: StoredObserver = () => {}): Work<RemoveJob, true> {
  return async (transaction, environmentId, jobs) => {
    const memberships = jobs.filter((job) => job.kind === 'membership')
    const userIds = sortedUnique(jobs.filter((job) => job.kind === 'user').map((job) => job.id))
    const groupIds = sortedUnique(jobs.filter((job) => job.kind === 'group').map((job) => job.id))
    // A membership belongs to its user's lock, as in the upserts.
    const locked = sortedUnique([...userIds, ...memberships.map((job) => job.userId)])
    const [lockedUsers, lockedGroups] = await Promise.all([
      locked.length > 0 ? lockObjects(transaction, environmentId, users, locked) : [],
      groupIds.length > 0 ? lockObjects(transaction, environmentId, groups, groupIds) : [],
      memberships.length > 0 && deleteMemberships(transaction, environmentId, memberships),
      ...[
        { table: users, owner: 'user_id', ids: userIds } as const,
        { table: groups, owner: 'group_id', ids: groupIds } as const,
      ].map(
        async ({ table, owner, ids }) =>
          ids.length > 0 &&
          (await Promise.all([
            deleteObjects(transaction, environmentId, table, ids),
            deleteEventsOf(transaction, environmentId, owner, ids),
            deleteNotificationsOf(transaction, environmentId, owner, ids),
          ])),
      ),
    ])
    const deletedUsers = lockedUsers.filter(({ id }) => userIds.includes(id)).length
    transaction.afterCommit(() => {
      if (deletedUsers > 0) stored(environmentId, 'users', -deletedUsers)
      if (lockedGroups.length > 0) stored(environmentId, 'groups', -lockedGroups.length)
    })
    return jobs.map(() => true)
  }
}
