import { sortedUnique } from '../arrays.ts'
import { ChangedElsewhere, type Work } from '../batches/queue.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import type { DefinitionRegistry } from '../definitions/registry.ts'
import { ApiError } from '../errors.ts'
import { membershipId } from '../ids.ts'
import {
  deleteMemberships,
  findMemberships,
  findMembershipsOfUsers,
  type MembershipAttributes,
  type StorableMembership,
  storeMemberships,
  updateMemberships,
} from '../memberships/queries.ts'
import {
  findObjects,
  insertObjects,
  lockObjects,
  type ObjectRow,
  updateAttributes,
  updateObjects,
} from '../objects/queries.ts'
import { groups, type ObjectTable, sortKeysUnchanged, users } from '../objects/tables.ts'
import { matchSubscriptions, type Outboxes, writeOutbox } from '../outbox/outbox.ts'
import { BatchState, membershipKey } from './batch-state.ts'
import { insertEvents, insertEventsWithNotifications } from './event-queries.ts'
import type { StoredObserver, WriteJob, Written } from './jobs.ts'
import { Draft, merged, type Rows, type Stored, storedObject } from './state.ts'
import { trackEvent } from './track-event.ts'
import { upsertGroup } from './upsert-group.ts'
import { upsertUser } from './upsert-user.ts'

/**
 * Upserts and events: reads what the jobs touch under lock, applies them one after the other in memory, and writes the
 * difference, in a fixed number of statements however many jobs there are.
 */
export function writeWork(
  definitions: DefinitionRegistry,
  outboxes: Outboxes,
  wakeDelivery: (environmentId: EnvironmentId) => void,
  observeStored: StoredObserver = () => {},
): Work<WriteJob, Written> {
  return async (transaction, environmentId, jobs, turn) => {
    const known = definitions.of(environmentId)
    const recalled = outboxes.recall(environmentId)
    const state = new BatchState(environmentId, known)
    if (recalled && jobs.every((job) => job.kind === 'event' && known.knowsEvent(job.name, job.operations))) {
      // Events with nothing new about them need nothing that is stored: they are one statement, sent alone.
      state.stamp = await turn.enter(false)
      const results = jobs.map((job) => apply(state, job))
      transaction.afterCommit(() => definitions.count(environmentId, state.newDefinitions, state.stamp.at))
      if (state.events.length > 0) {
        const outboxRows = matchSubscriptions(recalled, state.notifications)
        transaction.single((db) =>
          insertEventsWithNotifications(db, environmentId, state.events, recalled.content, outboxRows),
        )
        if (outboxRows.deliveries.length > 0) transaction.afterCommit(() => wakeDelivery(environmentId))
        // Whatever it fails with, the next try goes by what it reads itself.
        transaction.afterFailure(() => outboxes.forget(environmentId))
      }
      return results
    }
    const [, outbox] = await Promise.all([
      load(transaction, environmentId, jobs, state),
      outboxes.read(transaction, environmentId),
    ])
    state.stamp = await turn.enter(true)
    const results = jobs.map((job) => apply(state, job))
    const outboxRows = matchSubscriptions(outbox, state.notifications)
    if (outboxRows.deliveries.length > 0) transaction.afterCommit(() => wakeDelivery(environmentId))
    // Sent in this order without waiting for each other: users and groups are there before the memberships between them.
    const stored = Promise.all([
      storeObjects(transaction, environmentId, users, state.users, observeStored),
      storeObjects(transaction, environmentId, groups, state.groups, observeStored),
      writeMemberships(transaction, environmentId, state),
      state.events.length > 0 && insertEvents(transaction, environmentId, state.events),
      writeOutbox(transaction, environmentId, outboxRows),
    ])
    transaction.defer(stored)
    await definitions.record(transaction, environmentId, state.newDefinitions, state.stamp.at)
    transaction.afterCommit(() => definitions.count(environmentId, state.newDefinitions, state.stamp.at))
    // What is new may have been created elsewhere meanwhile; all else can go out with the commit.
    if (state.createsSomething) await stored
    return results
  }
}

async function load(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  jobs: readonly WriteJob[],
  state: BatchState,
): Promise<void> {
  const userJobs = jobs.filter((job) => job.kind === 'user')
  const linking = userJobs.filter((job) => job.groups.length > 0 && !job.prune)
  const parts = userJobs.flatMap((job) => job.groups)
  const changed = new Set([
    ...jobs.filter((job) => job.kind === 'group').map((job) => job.id),
    ...parts.filter(({ operations }) => operations.length > 0).map(({ id }) => id),
  ])
  // Who only joins a group does not wait for those who change it. Should it be deleted meanwhile, the foreign key tells.
  const joined = parts.map(({ id }) => id).filter((id) => !changed.has(id))
  const pairs = linking.flatMap((job) => job.groups.map((group) => ({ userId: job.id, groupId: group.id })))
  const pruned = userJobs.filter((job) => job.prune).map((job) => job.id)
  // Sent together, answered in order: one round trip, and the locks are taken users first, then groups.
  const [, , , ...memberships] = await Promise.all([
    loadObjects(
      state.users,
      userJobs.map((job) => job.id),
      (ids) => lockObjects(transaction, environmentId, users, ids),
    ),
    loadObjects(state.groups, [...changed], (ids) => lockObjects(transaction, environmentId, groups, ids)),
    loadObjects(state.groups, joined, (ids) => findObjects(transaction, environmentId, groups, ids)),
    pairs.length > 0 ? findMemberships(transaction, environmentId, pairs) : [],
    pruned.length > 0 ? findMembershipsOfUsers(transaction, environmentId, sortedUnique(pruned)) : [],
  ])
  for (const row of memberships.flat()) loadMembership(state, row)
}

async function loadObjects(
  rows: Rows<Stored>,
  ids: string[],
  read: (ids: string[]) => Promise<ObjectRow[]>,
): Promise<void> {
  if (ids.length === 0) return
  for (const row of await read(sortedUnique(ids))) rows.load(row.id, storedObject(row))
}

function loadMembership(state: BatchState, { userId, groupId, attributesJson }: MembershipAttributes): void {
  const key = membershipKey(userId, groupId)
  if (state.memberships.get(key)) return
  state.memberships.load(key, { ...merged(attributesJson), userId, groupId, createdAt: undefined })
}

function apply(state: BatchState, job: WriteJob): Written | ApiError {
  const draft = new Draft()
  const result =
    job.kind === 'user'
      ? upsertUser(state, draft, job)
      : job.kind === 'group'
        ? upsertGroup(state, draft, job)
        : trackEvent(state, job)
  if (!(result instanceof ApiError)) draft.accept()
  return result
}

async function storeObjects(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  table: ObjectTable,
  rows: Rows<Stored>,
  observeStored: StoredObserver,
): Promise<void> {
  const { created, updated } = rows.changes()
  const { moved = [], kept = [] } = Object.groupBy(updated, ([id, { attributes }]) =>
    sortKeysUnchanged(table, rows.before(id)?.attributes ?? {}, attributes) ? 'kept' : 'moved',
  )
  const [inserted] = await Promise.all([
    created.length > 0 ? insertObjects(transaction, environmentId, table, created) : [],
    moved.length > 0 && updateObjects(transaction, environmentId, table, moved),
    kept.length > 0 && updateAttributes(transaction, environmentId, table, kept),
  ])
  if (inserted.length < created.length) throw new ChangedElsewhere()
  if (created.length > 0) transaction.afterCommit(() => observeStored(environmentId, table.name, created.length))
}

async function writeMemberships(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  { memberships, users, groups }: BatchState,
): Promise<void> {
  const { created, updated, removed } = memberships.changes()
  const added: StorableMembership[] = []
  const changed: MembershipAttributes[] = []
  for (const [, { userId, groupId, attributesJson, createdAt }] of [...created, ...updated]) {
    if (createdAt === undefined) {
      changed.push({ userId, groupId, attributesJson })
      continue
    }
    added.push({
      ...{ userId, groupId },
      id: membershipId(environmentId, userId, groupId),
      attributesJson,
      createdAt,
      userCreatedAt: users.get(userId)?.createdAt as string,
      groupCreatedAt: groups.get(groupId)?.createdAt as string,
    })
  }
  await Promise.all([
    added.length > 0 && storeMemberships(transaction, environmentId, added),
    changed.length > 0 && updateMemberships(transaction, environmentId, changed),
    removed.length > 0 &&
      deleteMemberships(
        transaction,
        environmentId,
        removed.map(([, row]) => row),
      ),
  ])
}
