import { lockAsking, type Right } from '../batches/right.ts'
import type { OpenTransaction } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import { findEventNames, findUses, findWriters } from '../definitions/named-queries.ts'
import {
  findMemberships,
  findPairsOfUsers,
  type MembershipAttributes,
  type MembershipPair,
} from '../memberships/queries.ts'
import { findObjectsByPart, lockObjects, type ObjectRow } from '../objects/queries.ts'
import { groups, users } from '../objects/tables.ts'
import { type BatchState, membershipKey } from './batch-state.ts'
import type { Job } from './jobs.ts'
import { type JobKinds, kindOf, type PartsByKind } from './kinds.ts'
import { storedObject, withParsedAttributes } from './state.ts'
import { Touched } from './touched.ts'

/**
 * Reads and locks the objects of the jobs. The statements are sent together, which is one round trip, and run in order:
 * users are locked before groups, each by environment and id, and then the kinds read rows of their own.
 */
export async function load(
  kinds: JobKinds,
  transaction: OpenTransaction,
  parts: readonly Part<Job>[],
  states: readonly BatchState[],
  own: PartsByKind,
): Promise<void> {
  const touched = parts.map(({ items }) => touchedBy(kinds, items))
  const loaded = (kind: 'users' | 'groups') => (state: BatchState, row: ObjectRow) =>
    state[kind].load(row.id, storedObject(row))
  const read = <Key, Row>(
    keysOf: (each: Touched) => Key[],
    find: (keys: readonly Part<Key>[]) => Promise<Row[][]>,
    loadRow: (state: BatchState, row: Row) => void,
  ) => loadParts(states, touched.map(keysOf), find, loadRow)
  await Promise.all([
    read(
      ({ userIds }) => userIds,
      (ids) => lockObjects(transaction, users, ids),
      loaded('users'),
    ),
    read(
      ({ changedGroups }) => changedGroups,
      (ids) => lockObjects(transaction, groups, ids),
      loaded('groups'),
    ),
    read(
      ({ joinedGroups }) => joinedGroups,
      (ids) => findObjectsByPart(transaction, groups, ids),
      loaded('groups'),
    ),
    read(
      ({ pairs }) => pairs,
      (pairs) => findMemberships(transaction, pairs),
      loadMembership,
    ),
    read(
      ({ pruned }) => pruned,
      (ids) => findPairsOfUsers(transaction, ids),
      loadPair,
    ),
    // After the locks: what another transaction has claimed for one of these users is seen.
    read(
      ({ attributeNames }) => attributeNames,
      (names) => findWriters(transaction, names),
      (state, row) => state.named.load(row),
    ),
    read(
      ({ eventNames }) => eventNames,
      (names) => findEventNames(transaction, names),
      (state, { name }) => state.named.loadEvent(name),
    ),
    read(
      ({ eventUses }) => eventUses,
      (uses) => findUses(transaction, uses),
      (state, use) => state.named.loadUse(use),
    ),
    ...[...own].map(([kind, ownParts]) => kind.load?.(transaction, ownParts)),
  ])
  await askRights(transaction, parts, states)
}

/** After the locks of the jobs: nothing waits for those while it has the lock of a member. */
async function askRights(
  transaction: OpenTransaction,
  parts: readonly Part<Job>[],
  states: readonly BatchState[],
): Promise<void> {
  const asked: { job: Job; right: Right; state: BatchState }[] = []
  for (const [index, { items }] of parts.entries())
    for (const job of items)
      if ('right' in job && job.right) asked.push({ job, right: job.right, state: states[index] as BatchState })
  await lockAsking(
    transaction,
    asked.map(({ right }) => right),
  )
  for (const { job, right, state } of asked) {
    const refusal = await right(transaction, true)
    if (!refusal) continue
    state.refusals ??= new Map()
    state.refusals.set(job, refusal)
  }
}

function touchedBy(kinds: JobKinds, jobs: readonly Job[]): Touched {
  const touched = new Touched()
  for (const job of jobs) kindOf(kinds, job).touch?.(job, touched)
  return touched
}

/** Reads what the keys of each environment name, and loads it into the state of the environment. */
async function loadParts<Key, Row>(
  states: readonly BatchState[],
  keys: readonly Key[][],
  find: (keys: readonly Part<Key>[]) => Promise<Row[][]>,
  loadRow: (state: BatchState, row: Row) => void,
): Promise<void> {
  const affected = states.flatMap((state, index) => {
    const items = keys[index] as Key[]
    return items.length > 0 ? [{ environmentId: state.environmentId, items, state }] : []
  })
  if (affected.length === 0) return
  const found = await find(affected)
  for (const [index, { state }] of affected.entries()) for (const row of found[index] ?? []) loadRow(state, row)
}

function loadMembership(state: BatchState, { userId, groupId, attributesJson }: MembershipAttributes): void {
  const key = membershipKey(userId, groupId)
  const known = state.memberships.get(key)
  if (known && known.attributes !== UNREAD.attributes) return
  state.memberships.load(key, { ...withParsedAttributes(attributesJson), userId, groupId, createdAt: undefined })
}

/** Of a membership that no job names: it can only be removed. */
const UNREAD = { attributes: {}, attributesJson: '{}' }

function loadPair(state: BatchState, { userId, groupId }: MembershipPair): void {
  const key = membershipKey(userId, groupId)
  if (state.memberships.get(key)) return
  state.memberships.load(key, { ...UNREAD, userId, groupId, createdAt: undefined })
}
