import { recordAll } from '../audit/record.ts'
import type { Rows } from '../batches/rows.ts'
import { ChangedElsewhere } from '../batches/work.ts'
import type { OpenTransaction } from '../database/database.ts'
import { sortedUnique } from '../database/lock-order.ts'
import { itemsOf, partsOf } from '../database/parts.ts'
import { deleteMemberships } from '../deletions/memberships.ts'
import { membershipId } from '../ids.ts'
import { type KeptGroup, keepGroups } from '../memberships/keep-groups.ts'
import {
  type MembershipAttributes,
  type StorableMembership,
  storeMemberships,
  updateMemberships,
} from '../memberships/queries.ts'
import { insertObjects, updateAttributes, updateObjects } from '../objects/store-queries.ts'
import { type ObjectTable, sortKeysUnchanged } from '../objects/tables.ts'
import type { BatchState } from './batch-state.ts'
import type { StoredObserver } from './jobs.ts'
import type { Stored } from './state.ts'

/** Writes the changed users or groups. */
export async function storeObjects(
  transaction: OpenTransaction,
  table: ObjectTable,
  states: readonly BatchState[],
  observeStored: StoredObserver | undefined,
): Promise<void> {
  const changes = states.map(({ [table.name]: rows }) => changesOf(table, rows))
  const objects = (kind: 'created' | 'resorted' | 'unmoved') =>
    partsOf(states, (_, index) => changes[index]?.[kind] ?? [])
  const [created, resorted, unmoved] = [objects('created'), objects('resorted'), objects('unmoved')]
  const [inserted] = await Promise.all([
    created.length > 0 ? insertObjects(transaction, table, created) : [],
    resorted.length > 0 && updateObjects(transaction, table, resorted),
    unmoved.length > 0 && updateAttributes(transaction, table, unmoved),
  ])
  if (inserted.length < itemsOf(created).length) throw new ChangedElsewhere()
  for (const { environmentId, items } of created)
    transaction.afterCommit(() => observeStored?.(environmentId, table.name, items.length))
}

/** New rows, rows with changed sort keys, and rows with the same sort keys. */
function changesOf(table: ObjectTable, rows: Rows<Stored>) {
  const { created, updated } = rows.changes()
  const { resorted = [], unmoved = [] } = Object.groupBy(updated, ([id, { attributes }]) =>
    sortKeysUnchanged(table, rows.before(id)?.attributes ?? {}, attributes) ? 'unmoved' : 'resorted',
  )
  return { created, resorted, unmoved }
}

export async function writeMemberships(transaction: OpenTransaction, states: readonly BatchState[]): Promise<void> {
  const changes = states.map(membershipChanges)
  const added = partsOf(states, (_, index) => changes[index]?.added ?? [])
  const changed = partsOf(states, (_, index) => changes[index]?.changed ?? [])
  const removed = partsOf(states, (_, index) => changes[index]?.removed ?? [])
  const joined = partsOf(states, (state, index) => joinedGroups(state, changes[index]?.added ?? []))
  await Promise.all([
    joined.length > 0 && keepGroups(transaction, joined),
    added.length > 0 && storeMemberships(transaction, added),
    changed.length > 0 && updateMemberships(transaction, changed),
    removed.length > 0 && deleteMemberships(transaction, removed),
  ])
}

/** The entries of changes by members. Nearly all batches have none. */
export function writeAuditEntries(transaction: OpenTransaction, states: readonly BatchState[]): void {
  for (const { auditEntries } of states)
    if (auditEntries.length > 0) transaction.defer(recordAll(transaction, auditEntries))
}

/** The groups of new memberships that the batch does not change, and so has not locked. */
function joinedGroups({ groups }: BatchState, added: readonly StorableMembership[]): KeptGroup[] {
  const ids = sortedUnique(added.map(({ groupId }) => groupId))
  return ids.flatMap((id) => {
    const group = groups.before(id)
    return group && group === groups.get(id) ? [{ id, createdAt: group.createdAt }] : []
  })
}

function membershipChanges({ environmentId, memberships, users, groups }: BatchState) {
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
  return { added, changed, removed: removed.map(([, row]) => row) }
}
