import type { Stamp } from '../batches/stamp.ts'
import { type Turn, type Work, workAcross } from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { type Part, partsOf } from '../database/parts.ts'
import type { DefinitionRegistry } from '../definitions/registry.ts'
import type { ApiError } from '../errors.ts'
import { groups, users } from '../objects/tables.ts'
import { matchSubscriptions, type Outbox, type Outboxes, type OutboxPart, writeOutbox } from '../outbox/outbox.ts'
import { apply } from './apply.ts'
import { BatchState } from './batch-state.ts'
import {
  insertConfirmedEvents,
  insertEvents,
  insertEventsWithNotifications,
  type NotifyingEvents,
} from './event-queries.ts'
import type { StoredObserver, WriteJob, Written } from './jobs.ts'
import { load } from './load.ts'
import { storeObjects, writeAuditEntries, writeMemberships } from './store.ts'

export interface WriteServices {
  definitions: DefinitionRegistry
  outboxes: Outboxes
  wakeDelivery?: (environmentId: EnvironmentId) => void
  observeStored?: StoredObserver
}

/**
 * Upserts and events: locks and reads what the jobs touch, applies the jobs one after the other in memory, and writes
 * the difference. The number of statements does not depend on the number of jobs and environments.
 */
export function writeWork(services: WriteServices): Work<WriteJob, Written> {
  const { definitions, outboxes } = services
  return workAcross(async (transaction, parts, turn) => {
    const states = parts.map(({ environmentId }) => new BatchState(environmentId, definitions.of(environmentId)))
    const cached = parts.map(({ environmentId }) => outboxes.cached(environmentId))
    if (areAllCached(cached) && parts.every((part) => hasKnownNamesOnly(part, definitions)))
      return await trackAll(services, transaction, parts, states, cached, turn)
    const [, read] = await Promise.all([
      load(transaction, parts, states),
      outboxes.read(
        transaction,
        parts.map(({ environmentId }) => environmentId),
        parts.some(({ items }) => items.some(({ kind }) => kind === 'event')),
      ),
    ])
    const stamp = await turn.enter(true)
    const results = applyAll(parts, states, stamp)
    await store(services, transaction, states, outboxParts(states, read))
    return results
  })
}

function areAllCached<Item>(items: readonly (Item | undefined)[]): items is readonly Item[] {
  return items.every((item) => item !== undefined)
}

/** Whether all jobs are events with known names: they need no stored state. */
function hasKnownNamesOnly({ environmentId, items }: Part<WriteJob>, definitions: DefinitionRegistry): boolean {
  const known = definitions.of(environmentId)
  return items.every((job) => job.kind === 'event' && known.knowsEvent(job.name, job.operations))
}

/** Events without new names are one statement, unless entries of the audit log belong to them. */
async function trackAll(
  services: WriteServices,
  transaction: OpenTransaction,
  parts: readonly Part<WriteJob>[],
  states: readonly BatchState[],
  cached: readonly Outbox[],
  turn: Turn,
): Promise<(Written | ApiError)[]> {
  const stamp = await turn.enter(false)
  const results = applyAll(parts, states, stamp)
  countAfterCommit(services, transaction, states)
  const outboxRows = outboxParts(states, cached)
  const storable = states.flatMap(({ events }, index) => {
    const content = (cached[index] as Outbox).content
    return events.length > 0 ? [{ ...(outboxRows[index] as OutboxPart), events, content }] : []
  })
  if (storable.length > 0) {
    writeAuditEntries(transaction, states)
    sendEvents(transaction, storable)
    wakeAfterCommit(services, transaction, outboxRows)
    // After any failure the next try reads the subscriptions itself.
    transaction.afterFailure(() => {
      for (const { environmentId } of storable) services.outboxes.forget(environmentId)
    })
  }
  return results
}

/**
 * With notifications it is one statement with a modifying CTE. Citus would copy the rows of that to every worker, and fail
 * while one of them is unreachable, so it gets a statement for each table there.
 */
function sendEvents(transaction: OpenTransaction, storable: readonly NotifyingEvents[]): void {
  if (!transaction.isDistributed || storable.every(({ deliveries }) => deliveries.length === 0))
    transaction.single((db) => insertEventsWithNotifications(db, storable))
  else
    transaction.defer(Promise.all([insertConfirmedEvents(transaction, storable), writeOutbox(transaction, storable)]))
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
  outboxRows: readonly OutboxPart[],
): void {
  for (const { environmentId, deliveries } of outboxRows) {
    if (deliveries.length > 0) transaction.afterCommit(() => wakeDelivery?.(environmentId))
  }
}

/** Counts after the answers are sent. Before them it took 13 µs of the latency of a lone event. */
function countAfterCommit(
  { definitions }: WriteServices,
  transaction: OpenTransaction,
  states: readonly BatchState[],
): void {
  const count = () => {
    for (const { environmentId, newDefinitions, stamp } of states)
      definitions.count(environmentId, newDefinitions, stamp.at)
  }
  transaction.afterCommit(() => process.nextTick(count))
}

async function store(
  services: WriteServices,
  transaction: OpenTransaction,
  states: readonly BatchState[],
  outboxRows: readonly OutboxPart[],
): Promise<void> {
  const { definitions } = services
  wakeAfterCommit(services, transaction, outboxRows)
  const events = partsOf(states, (state) => state.events)
  // Sent in this order without waiting: users and groups are stored before their memberships.
  const stored = Promise.all([
    storeObjects(transaction, users, states, services.observeStored),
    storeObjects(transaction, groups, states, services.observeStored),
    writeMemberships(transaction, states),
    events.length > 0 && insertEvents(transaction, events),
    writeOutbox(transaction, outboxRows),
  ])
  transaction.defer(stored)
  writeAuditEntries(transaction, states)
  for (const { environmentId, newDefinitions, stamp } of states)
    await definitions.record(transaction, environmentId, newDefinitions, stamp.at)
  countAfterCommit(services, transaction, states)
  // Another node may have created the same objects. All other statements are sent with the commit.
  if (states.some((state) => state.createsSomething)) await stored
}
