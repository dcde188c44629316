import type { Rows } from '../batches/rows.ts'
import type { OpenTransaction } from '../database/database.ts'
import { sortedUnique } from '../database/lock-order.ts'
import { eraseRowsOf } from '../deletions/erase.ts'
import { findLastIds, insertPendingDeletions } from '../deletions/pending.ts'
import { emptyRefusedLines } from '../deletions/refused-lines.ts'
import { deleteFirstOfTables } from '../deletions/stepped-tables.ts'
import { continueIdsAfter } from '../ids.ts'
import { deleteObjects } from '../objects/queries.ts'
import type { ObjectTable } from '../objects/tables.ts'
import { type BatchState, membershipKey } from './batch-state.ts'
import type { RemoveMembershipJob, RemoveObjectJob, StoredObserver } from './jobs.ts'
import type { JobKind, KindPart } from './kind.ts'
import type { Draft } from './state.ts'

/** A deletion removes this many memberships, events and notifications in its transaction. The remover deletes the rest. */
const MOST_AT_ONCE = 1_000

export interface RemovalServices {
  wakeRemover?: () => void
  observeStored?: StoredObserver
}

/**
 * Deletes users or groups with everything about them. The jobs of an environment keep their order, so a delete sees
 * everything that was acknowledged before it.
 */
export function removeObject(table: ObjectTable, services: RemovalServices): JobKind<RemoveObjectJob, true> {
  const { object, name } = table
  return {
    isRemoval: true,
    sees: 'everything',
    about: ({ id }) => [`${object} ${id}`, ...(object === 'user' ? [`memberships ${id}`] : [])],
    touch: ({ id }, touched) => (object === 'user' ? touched.lockUser(id) : touched.lockGroup(id)),
    load: (transaction, parts) => Promise.all(parts.map((part) => passLastIds(transaction, part))),
    apply: (state, draft, job) => remove(state, draft, state[name], job.id, job),
    store: (transaction, parts) => Promise.all(parts.map((part) => removeObjects(transaction, table, part, services))),
  }
}

/** A membership belongs to the lock of its user. */
export const removeMembership: JobKind<RemoveMembershipJob, true> = {
  isRemoval: true,
  sees: 'created',
  about: ({ userId }) => [`memberships ${userId}`],
  touch: ({ userId, groupId }, touched) => {
    touched.lockUser(userId)
    touched.readMembership({ userId, groupId })
  },
  apply: (state, draft, job) => remove(state, draft, state.memberships, membershipKey(job.userId, job.groupId), job),
}

function remove<Row>(
  state: BatchState,
  draft: Draft,
  rows: Rows<Row>,
  key: string,
  { audit }: RemoveObjectJob | RemoveMembershipJob,
): true {
  if (audit && rows.get(key)) state.auditEntries.push(audit)
  draft.set(rows, key, undefined)
  return true
}

/** The ids of this process have to be greater than all that the deletion covers. */
async function passLastIds(transaction: OpenTransaction, { environmentId }: KindPart<RemoveObjectJob>): Promise<void> {
  for (const id of await findLastIds(transaction, environmentId)) continueIdsAfter(id)
}

/**
 * Deletes the first rows and marks the rest as deleted: nothing shows or sends them, and the remover deletes them. The
 * object is deleted first: a concurrent write has added its membership by then, or fails to. The tables with
 * few rows of it are emptied last: what adds such a row locks the object or its first event (`keepOwners`). So it has
 * committed by then, or finds neither.
 */
async function removeObjects(
  transaction: OpenTransaction,
  table: ObjectTable,
  { environmentId, items, state }: KindPart<RemoveObjectJob>,
  { wakeRemover, observeStored }: RemovalServices,
): Promise<void> {
  const allowed = items.filter((job) => !state.refusals?.has(job))
  if (allowed.length === 0) return
  const ids = sortedUnique(allowed.map(({ id }) => id))
  const owner = table.object
  const rows = state[table.name]
  const objects = ids.map((id) => ({ id, createdAt: rows.before(id)?.createdAt }))
  const boundary = state.stamp.newId()
  const part = { owner, objects, boundary, most: MOST_AT_ONCE }
  const deleted = deleteObjects(transaction, environmentId, table, ids)
  const removing = deleteFirstOfTables.map((deleteFirst) => deleteFirst(transaction, environmentId, part))
  const [removals] = await Promise.all([
    Promise.all(removing),
    deleted,
    eraseRowsOf(transaction, environmentId, owner, ids),
    emptyRefusedLines(transaction, environmentId),
  ])
  const found = ids.filter((id) => rows.before(id)).length
  if (found > 0) transaction.afterCommit(() => observeStored?.(environmentId, table.name, -found))
  if (!removals.some(({ isLeft }) => isLeft)) return
  await insertPendingDeletions(transaction, environmentId, owner, objects, boundary, state.stamp.at)
  transaction.afterCommit(() => wakeRemover?.())
}
