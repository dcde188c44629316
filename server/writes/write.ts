import { sortedUnique } from '../arrays.ts'
import type { Stamp } from '../batches/stamp.ts'
import { ChangedElsewhere, type Turn, type Work, workAcross } from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { itemsOf, type Part, partsOf } from '../database/parts.ts'
import type { DefinitionRegistry } from '../definitions/registry.ts'
import { ApiError } from '../errors.ts'
import { membershipId } from '../ids.ts'
import {
  deleteMemberships,
  findMemberships,
  findMembershipsOfUsers,
  type MembershipAttributes,
  type MembershipPair,
  type StorableMembership,
  storeMemberships,
  updateMemberships,
} from '../memberships/queries.ts'
import {
  findObjectsByPart,
  insertObjects,
  lockObjects,
  type ObjectRow,
  updateAttributes,
  updateObjects,
} from '../objects/queries.ts'
import { groups, type ObjectTable, sortKeysUnchanged, users } from '../objects/tables.ts'
import { matchSubscriptions, type Outbox, type Outboxes, type OutboxPart, writeOutbox } from '../outbox/outbox.ts'
import { BatchState, membershipKey } from './batch-state.ts'
import { insertEvents, insertEventsWithNotifications } from './event-queries.ts'
import type { StoredObserver, WriteJob, Written } from './jobs.ts'
import { Draft, merged, type Rows, type Stored, storedObject } from './state.ts'
import { trackEvent } from './track-event.ts'
import { upsertGroup } from './upsert-group.ts'
import { upsertUser } from './upsert-user.ts'

export interface WriteServices {
  definitions: DefinitionRegistry
  outboxes: Outboxes
  wakeDelivery?: (environmentId: EnvironmentId) => void
  observeStored?: StoredObserver
}

/**
 * Upserts and events: reads what the jobs touch under lock, applies them one after the other in memory, and writes the
 * difference, in a fixed number of statements however many jobs and environments there are.
 */
export function writeWork(services: WriteServices): Work<WriteJob, Written> {
  const { definitions, outboxes } = services
  return workAcross(async (transaction, parts, turn) => {
    const states = parts.map(({ environmentId }) => new BatchState(environmentId, definitions.of(environmentId)))
    const recalled = parts.map(({ environmentId }) => outboxes.recall(environmentId))
    if (areAllThere(recalled) && parts.every((part) => isQuick(part, definitions)))
      return await trackAll(services, transaction, parts, states, recalled, turn)
    const [, read] = await Promise.all([
      load(transaction, parts, states),
      outboxes.read(
        transaction,
        parts.map(({ environmentId }) => environmentId),
      ),
    ])
    const stamp = await turn.enter(true)
    const results = applyAll(parts, states, stamp)
    await store(services, transaction, states, outboxParts(states, read))
    return results
  })
}

function areAllThere<Item>(items: readonly (Item | undefined)[]): items is readonly Item[] {
  return items.every((item) => item !== undefined)
}

/** Events with nothing new about them need nothing that is stored. */
function isQuick({ environmentId, items }: Part<WriteJob>, definitions: DefinitionRegistry): boolean {
  const known = definitions.of(environmentId)
  return items.every((job) => job.kind === 'event' && known.knowsEvent(job.name, job.operations))
}

/** Quick events are one statement, sent alone. */
async function trackAll(
  services: WriteServices,
  transaction: OpenTransaction,
  parts: readonly Part<WriteJob>[],
  states: readonly BatchState[],
  recalled: readonly Outbox[],
  turn: Turn,
): Promise<(Written | ApiError)[]> {
  const stamp = await turn.enter(false)
  const results = applyAll(parts, states, stamp)
  afterCommit(services, transaction, states)
  const told = outboxParts(states, recalled)
  const storable = states.flatMap(({ events }, index) => {
    const content = (recalled[index] as Outbox).content
    return events.length > 0 ? [{ ...(told[index] as OutboxPart), events, content }] : []
  })
  if (storable.length > 0) {
    transaction.single((db) => insertEventsWithNotifications(db, storable))
    wakeAfterCommit(services, transaction, told)
    // Whatever it fails with, the next try goes by what it reads itself.
    transaction.afterFailure(() => {
      for (const { environmentId } of storable) services.outboxes.forget(environmentId)
    })
  }
  return results
}

function applyAll(
  parts: readonly Part<WriteJob>[],
  states: readonly BatchState[],
  stamp: Stamp,
): (Written | ApiError)[] {
  return parts.flatMap(({ items }, index) => {
    const state = states[index] as BatchState
    state.stamp = stamp
    return items.map((job) => apply(state, job))
  })
}

function outboxParts(states: readonly BatchState[], outboxes: readonly Outbox[]): OutboxPart[] {
  return states.map(({ environmentId, notifications }, index) => ({
    environmentId,
    ...matchSubscriptions(outboxes[index] as Outbox, notifications),
  }))
}

function wakeAfterCommit(
  { wakeDelivery }: WriteServices,
  transaction: OpenTransaction,
  told: readonly OutboxPart[],
): void {
  for (const { environmentId, deliveries } of told) {
    if (deliveries.length > 0) transaction.afterCommit(() => wakeDelivery?.(environmentId))
  }
}

function afterCommit(
  { definitions }: WriteServices,
  transaction: OpenTransaction,
  states: readonly BatchState[],
): void {
  transaction.afterCommit(() => {
    for (const { environmentId, newDefinitions, stamp } of states)
      definitions.count(environmentId, newDefinitions, stamp.at)
  })
}

async function store(
  services: WriteServices,
  transaction: OpenTransaction,
  states: readonly BatchState[],
  told: readonly OutboxPart[],
): Promise<void> {
  const { definitions } = services
  wakeAfterCommit(services, transaction, told)
  const events = partsOf(states, (state) => state.events)
  // Sent in this order without waiting for each other: users and groups are there before the memberships between them.
  const stored = Promise.all([
    storeObjects(transaction, users, states, services.observeStored),
    storeObjects(transaction, groups, states, services.observeStored),
    writeMemberships(transaction, states),
    events.length > 0 && insertEvents(transaction, events),
    writeOutbox(transaction, told),
  ])
  transaction.defer(stored)
  for (const { environmentId, newDefinitions, stamp } of states)
    await definitions.record(transaction, environmentId, newDefinitions, stamp.at)
  afterCommit(services, transaction, states)
  // What is new may have been created elsewhere meanwhile; all else can go out with the commit.
  if (states.some((state) => state.createsSomething)) await stored
}

/** What the jobs of one environment touch. */
interface Touched {
  readonly environmentId: EnvironmentId
  readonly userIds: string[]
  readonly changedGroups: string[]
  /** Who only joins a group does not wait for those who change it. Should it be deleted meanwhile, the foreign key tells. */
  readonly joinedGroups: string[]
  readonly pairs: MembershipPair[]
  readonly pruned: string[]
}

function touchedBy({ environmentId, items }: Part<WriteJob>): Touched {
  const userJobs = items.filter((job) => job.kind === 'user')
  const linking = userJobs.filter((job) => job.groups.length > 0 && !job.prune)
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
  }
}

/** Sent together, answered in order: one round trip, and the locks are taken users first, then groups. */
async function load(
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
  table: ObjectTable,
  states: readonly BatchState[],
  observeStored: StoredObserver | undefined,
): Promise<void> {
  const changes = states.map(({ [table.name]: rows }) => changesOf(table, rows))
  const objects = (kind: 'created' | 'moved' | 'kept') => partsOf(states, (_, index) => changes[index]?.[kind] ?? [])
  const [created, moved, kept] = [objects('created'), objects('moved'), objects('kept')]
  const [inserted] = await Promise.all([
    created.length > 0 ? insertObjects(transaction, table, created) : [],
    moved.length > 0 && updateObjects(transaction, table, moved),
    kept.length > 0 && updateAttributes(transaction, table, kept),
  ])
  if (inserted.length < itemsOf(created).length) throw new ChangedElsewhere()
  for (const { environmentId, items } of created)
    transaction.afterCommit(() => observeStored?.(environmentId, table.name, items.length))
}

/** What is new, what moves in a list, and what stays where it is in all of them. */
function changesOf(table: ObjectTable, rows: Rows<Stored>) {
  const { created, updated } = rows.changes()
  const { moved = [], kept = [] } = Object.groupBy(updated, ([id, { attributes }]) =>
    sortKeysUnchanged(table, rows.before(id)?.attributes ?? {}, attributes) ? 'kept' : 'moved',
  )
  return { created, moved, kept }
}

async function writeMemberships(transaction: OpenTransaction, states: readonly BatchState[]): Promise<void> {
  const changes = states.map(membershipChanges)
  const added = partsOf(states, (_, index) => changes[index]?.added ?? [])
  const changed = partsOf(states, (_, index) => changes[index]?.changed ?? [])
  const removed = partsOf(states, (_, index) => changes[index]?.removed ?? [])
  await Promise.all([
    added.length > 0 && storeMemberships(transaction, added),
    changed.length > 0 && updateMemberships(transaction, changed),
    removed.length > 0 && deleteMemberships(transaction, removed),
  ])
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
