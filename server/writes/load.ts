import { sortedUnique } from '../arrays.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { type Part, partsOf } from '../database/parts.ts'
import { type EventUse, findEventNames, findUses, findWriters, type ScopedName } from '../definitions/named-queries.ts'
import {
  findMemberships,
  findMembershipsOfUsers,
  type MembershipAttributes,
  type MembershipPair,
} from '../memberships/queries.ts'
import { findObjectsByPart, lockObjects, type ObjectRow } from '../objects/queries.ts'
import { groups, users } from '../objects/tables.ts'
import { type BatchState, membershipKey } from './batch-state.ts'
import type { TrackEventJob, WriteJob } from './jobs.ts'
import { namesOfPages } from './page-rules.ts'
import { storedObject, withParsedAttributes } from './state.ts'

/** The objects that the jobs of one environment read or change. */
interface Touched {
  readonly environmentId: EnvironmentId
  readonly userIds: string[]
  readonly changedGroups: string[]
  /** Joining a group does not wait for changes of the group. `keepGroups` checks that it is not deleted. */
  readonly joinedGroups: string[]
  readonly pairs: MembershipPair[]
  readonly pruned: string[]
  /** What pages write: the names of attributes and of events. */
  readonly attributeNames: ScopedName[]
  readonly eventNames: string[]
  readonly eventUses: EventUse[]
}

function touchedBy({ environmentId, items }: Part<WriteJob>): Touched {
  const userJobs = items.filter((job) => job.kind === 'user')
  const linking = userJobs.filter((job) => job.groups.length > 0 && !job.prune)
  const pageEvents = items.filter((job) => job.kind === 'event' && job.page !== undefined) as TrackEventJob[]
  const parts = userJobs.flatMap((job) => job.groups)
  const changed = new Set([
    ...items.filter((job) => job.kind === 'group').map((job) => job.id),
    ...parts.filter(({ operations }) => operations.length > 0).map(({ id }) => id),
  ])
  return {
    environmentId,
    userIds: sortedUnique(userJobs.map((job) => job.id)),
    changedGroups: [...changed].sort(),
    joinedGroups: sortedUnique(parts.map(({ id }) => id).filter((id) => !changed.has(id))),
    pairs: linking.flatMap((job) => job.groups.map((group) => ({ userId: job.id, groupId: group.id }))),
    pruned: sortedUnique(userJobs.filter((job) => job.prune).map((job) => job.id)),
    attributeNames: namesOfPages(items),
    eventNames: sortedUnique(pageEvents.map((job) => job.name)),
    eventUses: pageEvents.flatMap(({ name, operations }) =>
      operations.map(([attributeName]) => ({ eventName: name, attributeName })),
    ),
  }
}

/**
 * Reads and locks the objects of the jobs. The statements are sent together, which is one round trip, and run in order:
 * users are locked before groups, each by environment and id.
 */
export async function load(
  transaction: OpenTransaction,
  parts: readonly Part<WriteJob>[],
  states: readonly BatchState[],
): Promise<void> {
  const touched = parts.map(touchedBy)
  const loaded = (kind: 'users' | 'groups') => (state: BatchState, row: ObjectRow) =>
    state[kind].load(row.id, storedObject(row))
  await Promise.all([
    loadParts(states, touched, 'userIds', (ids) => lockObjects(transaction, users, ids), loaded('users')),
    loadParts(states, touched, 'changedGroups', (ids) => lockObjects(transaction, groups, ids), loaded('groups')),
    loadParts(states, touched, 'joinedGroups', (ids) => findObjectsByPart(transaction, groups, ids), loaded('groups')),
    loadParts(states, touched, 'pairs', (pairs) => findMemberships(transaction, pairs), loadMembership),
    loadParts(states, touched, 'pruned', (ids) => findMembershipsOfUsers(transaction, ids), loadMembership),
    // After the locks: what another transaction has claimed for one of these users is seen.
    loadParts(
      states,
      touched,
      'attributeNames',
      (names) => findWriters(transaction, names),
      (state, row) => state.named.load(row),
    ),
    loadParts(
      states,
      touched,
      'eventNames',
      (names) => findEventNames(transaction, names),
      (state, { name }) => state.named.loadEvent(name),
    ),
    loadParts(
      states,
      touched,
      'eventUses',
      (uses) => findUses(transaction, uses),
      (state, use) => state.named.loadUse(use),
    ),
  ])
}

/** Reads one kind of what the jobs touch, and loads what is found into the state of its environment. */
async function loadParts<Kind extends Exclude<keyof Touched, 'environmentId'>, Row>(
  states: readonly BatchState[],
  touched: readonly Touched[],
  kind: Kind,
  read: (keys: readonly Part<Touched[Kind][number]>[]) => Promise<Row[][]>,
  loadRow: (state: BatchState, row: Row) => void,
): Promise<void> {
  const affected = states.filter((_, index) => (touched[index] as Touched)[kind].length > 0)
  if (affected.length === 0) return
  const found = await read(partsOf(touched, (each): Touched[Kind][number][] => each[kind]))
  for (const [index, state] of affected.entries()) for (const row of found[index] ?? []) loadRow(state, row)
}

export function loadMembership(state: BatchState, { userId, groupId, attributesJson }: MembershipAttributes): void {
  const key = membershipKey(userId, groupId)
  if (state.memberships.get(key)) return
  state.memberships.load(key, { ...withParsedAttributes(attributesJson), userId, groupId, createdAt: undefined })
}
