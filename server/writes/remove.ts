import { sortedUnique } from '../arrays.ts'
import type { AuditEntry } from '../audit/record.ts'
import type { Work } from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { DefinitionCache } from '../definitions/new-definitions.ts'
import { eraseRowsOf } from '../deletions/erase.ts'
import { findLastIds, insertPendingDeletions } from '../deletions/pending.ts'
import { continueIdsAfter } from '../ids.ts'
import { deleteMemberships, findMemberships, type MembershipPair } from '../memberships/queries.ts'
import { deleteObjects, lockObjects } from '../objects/queries.ts'
import { groups, type ObjectTable, users } from '../objects/tables.ts'
import { matchSubscriptions, type Outbox, type Outboxes, writeOutbox } from '../outbox/outbox.ts'
import { BatchState, membershipKey } from './batch-state.ts'
import type { StoredObserver } from './jobs.ts'
import { loadMembership } from './load.ts'
import { type Rows, type Stored, storedObject } from './state.ts'
import { deleteFirstOfTables } from './stepped-tables.ts'
import { writeAuditEntries } from './store.ts'

export type RemoveJob = (
  | { kind: 'user'; id: string }
  | { kind: 'group'; id: string }
  | { kind: 'membership'; userId: string; groupId: string }
) & {
  /** The entry in the audit log of a deletion by a member. It is stored when there is something to delete. */
  audit?: AuditEntry
}

/** A deletion removes this many memberships, events and notifications in its transaction. The remover deletes the rest. */
const MOST_AT_ONCE = 1_000

export interface RemoveServices {
  outboxes: Outboxes
  wakeDelivery: (environmentId: EnvironmentId) => void
  wakeRemover: () => void
  observeStored: StoredObserver
}

/**
 * Deletes users and groups with everything about them, and memberships. It is a separate work from the writes. The jobs of
 * an environment keep their order, so a delete sees everything that was acknowledged before it.
 */
export function removeWork(services: RemoveServices): Work<RemoveJob, true> {
  const { outboxes, wakeDelivery, wakeRemover, observeStored } = services
  return async (transaction, environmentId, jobs, turn) => {
    const state = new BatchState(environmentId, new DefinitionCache())
    const [outbox, lastIds] = await load(transaction, state, jobs, outboxes)
    for (const id of lastIds) continueIdsAfter(id)
    state.stamp = await turn.enter(true)
    const boundary = state.stamp.newId()
    for (const job of jobs) apply(state, job)
    const outboxRows = matchSubscriptions(outbox, state.notifications)
    if (outboxRows.deliveries.length > 0) transaction.afterCommit(() => wakeDelivery(environmentId))
    const memberships = jobs.filter((job) => job.kind === 'membership')
    const left = await Promise.all([
      removeObjects(transaction, state, users, idsOf(jobs, 'user'), boundary),
      removeObjects(transaction, state, groups, idsOf(jobs, 'group'), boundary),
      memberships.length > 0 && deleteMemberships(transaction, ofOne(environmentId, memberships)),
      writeOutbox(transaction, [{ environmentId, ...outboxRows }]),
    ])
    writeAuditEntries(transaction, [state])
    if (left[0] || left[1]) transaction.afterCommit(wakeRemover)
    transaction.afterCommit(() => {
      for (const table of [users, groups]) {
        const { length } = state[table.name].changes().removed
        if (length > 0) observeStored(environmentId, table.name, -length)
      }
    })
    return jobs.map(() => true)
  }
}

/** Locks users before groups, like every write. A membership belongs to the lock of its user. */
async function load(
  transaction: OpenTransaction,
  state: BatchState,
  jobs: readonly RemoveJob[],
  outboxes: Outboxes,
): Promise<[Outbox, string[]]> {
  const { environmentId } = state
  const lock = async (table: ObjectTable, rows: Rows<Stored>, ids: string[]) => {
    if (ids.length === 0) return
    const found = await lockObjects(transaction, table, ofOne(environmentId, ids))
    for (const row of found.flat()) rows.load(row.id, storedObject(row))
  }
  const memberships = jobs.filter((job) => job.kind === 'membership')
  const owners = memberships.map(({ userId }) => userId)
  const [, , [outbox], lastIds] = await Promise.all([
    lock(users, state.users, sortedUnique([...idsOf(jobs, 'user'), ...owners])),
    lock(groups, state.groups, idsOf(jobs, 'group')),
    outboxes.read(transaction, [environmentId], true),
    findLastIds(transaction, environmentId),
    loadMemberships(
      transaction,
      state,
      memberships.filter(({ audit }) => audit),
    ),
  ])
  return [outbox as Outbox, lastIds]
}

/** Only the audit log asks whether there is a membership. */
async function loadMemberships(
  transaction: OpenTransaction,
  state: BatchState,
  pairs: readonly MembershipPair[],
): Promise<void> {
  if (pairs.length === 0) return
  const found = await findMemberships(transaction, ofOne(state.environmentId, pairs))
  for (const row of found.flat()) loadMembership(state, row)
}

function apply(state: BatchState, job: RemoveJob): void {
  const rows = { user: state.users, group: state.groups, membership: state.memberships }[job.kind]
  const key = job.kind === 'membership' ? membershipKey(job.userId, job.groupId) : job.id
  if (job.audit && rows.get(key)) state.auditEntries.push(job.audit)
  rows.set(key, undefined)
}

function idsOf(jobs: readonly RemoveJob[], kind: 'user' | 'group'): string[] {
  return sortedUnique(jobs.flatMap((job) => (job.kind !== 'membership' && job.kind === kind ? [job.id] : [])))
}

/**
 * Deletes the first rows and marks the rest as deleted: nothing shows or sends them, and the remover deletes them.
 * Returns whether rows are left. The object is deleted first: a concurrent write has added its membership by then, or
 * fails to.
 */
async function removeObjects(
  transaction: OpenTransaction,
  state: BatchState,
  table: ObjectTable,
  ids: readonly string[],
  boundary: string,
): Promise<boolean> {
  if (ids.length === 0) return false
  const { environmentId, stamp } = state
  const owner = table.object
  const objects = ids.map((id) => ({ id, createdAt: state[table.name].before(id)?.createdAt }))
  const part = { owner, objects, boundary, most: MOST_AT_ONCE }
  const [, , ...removals] = await Promise.all([
    deleteObjects(transaction, environmentId, table, ids),
    eraseRowsOf(transaction, environmentId, owner, ids),
    ...deleteFirstOfTables.map((deleteFirst) => deleteFirst(transaction, environmentId, part)),
  ])
  if (!removals.some(({ isLeft }) => isLeft)) return false
  await insertPendingDeletions(transaction, environmentId, owner, objects, boundary, stamp.at)
  return true
}
