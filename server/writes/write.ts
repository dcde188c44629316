import type { Stamp } from '../batches/stamp.ts'
import { type Turn, type Work, workAcross } from '../batches/work.ts'
import type { ByteBudget } from '../database/byte-budget.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { type Part, partsOf } from '../database/parts.ts'
import type { DefinitionRegistry } from '../definitions/registry.ts'
import { ApiError } from '../errors.ts'
import { groups, users } from '../objects/tables.ts'
import { type Outbox, type Outboxes, writeOutbox } from '../outbox/outbox.ts'
import { BatchState, type NewEvent } from './batch-state.ts'
import {
  insertConfirmedEvents,
  insertEvents,
  insertEventsWithNotifications,
  type NotifyingEvents,
} from './event-queries.ts'
import { type HintServices, hintAfterCommit } from './hint-changes.ts'
import type { Job } from './jobs.ts'
import type { JobKind } from './kind.ts'
import { type JobKinds, jobKinds, type KindServices, kindOf, type PartsByKind, partsByKind } from './kinds.ts'
import { load } from './load.ts'
import { Mixture } from './mixture.ts'
import { Draft } from './state.ts'
import { storeObjects, writeAuditEntries, writeMemberships } from './store.ts'

export interface WriteServices extends HintServices, KindServices {
  definitions: DefinitionRegistry
  outboxes: Outboxes
  wakeDelivery?: (environmentId: EnvironmentId) => void
}

/**
 * All kinds of jobs: locks and reads what the jobs touch, applies the jobs one after the other in memory, and writes
 * the difference. The number of statements does not depend on the number of jobs and environments.
 */
export function writeWork(services: WriteServices): Work<Job, unknown> {
  const { definitions, outboxes } = services
  const kinds = jobKinds(services)
  const work = workAcross<Job, unknown>(async (transaction, parts, turn) => {
    const states = parts.map(({ environmentId }) => new BatchState(environmentId, definitions.of(environmentId)))
    const cached = parts.map(({ environmentId }) => outboxes.cached(environmentId))
    if (areAllCached(cached) && parts.every((part) => hasKnownNamesOnly(part, definitions)))
      return await trackAll(services, kinds, transaction, parts, states, cached, turn)
    await seeEarlier(kinds, parts, turn)
    const own = partsByKind(kinds, parts, states)
    const [, read] = await Promise.all([
      load(kinds, transaction, parts, states, own),
      outboxes.read(
        transaction,
        parts.map(({ environmentId }) => environmentId),
        parts.some(({ items }) => items.some(storesIds)),
      ),
    ])
    const stamp = await turn.enter(true)
    const results = applyAll(kinds, parts, states, read, stamp, transaction.budget)
    if (states.some((state) => state.createsSomething)) turn.creates()
    hintAfterCommit(services, transaction, parts, states)
    await store(services, transaction, states, own)
    return results
  })
  work.mixture = () => new Mixture(kinds)
  return work
}

/** Waits for what the kinds have to see of the batches before. */
async function seeEarlier(kinds: JobKinds, parts: readonly Part<Job>[], turn: Turn): Promise<void> {
  let needed: JobKind<Job, unknown>['sees']
  for (const { items } of parts)
    for (const job of items) if (needed !== 'everything') needed = kindOf(kinds, job).sees ?? needed
  if (needed) await turn.see(needed)
}

/** Whether a job stores new ids even if nobody has subscribed. */
function storesIds({ kind }: Job): boolean {
  return kind !== 'user' && kind !== 'group'
}

function areAllCached<Item>(items: readonly (Item | undefined)[]): items is readonly Item[] {
  return items.every((item) => item !== undefined)
}

/** Whether all jobs are events of the back end with known names: they need no stored state. */
function hasKnownNamesOnly({ environmentId, items }: Part<Job>, definitions: DefinitionRegistry): boolean {
  const known = definitions.of(environmentId)
  return items.every(
    (job) => job.kind === 'event' && !job.page && !job.right && known.knowsEvent(job.name, job.operations),
  )
}

/** Events without new names are one statement, unless entries of the audit log belong to them. */
async function trackAll(
  services: WriteServices,
  kinds: JobKinds,
  transaction: OpenTransaction,
  parts: readonly Part<Job>[],
  states: readonly BatchState[],
  cached: readonly Outbox[],
  turn: Turn,
): Promise<unknown[]> {
  const entered = turn.enter(false)
  const stamp = entered instanceof Promise ? await entered : entered
  const results = applyAll(kinds, parts, states, cached, stamp, transaction.budget)
  countAfterCommit(services, transaction, states)
  hintAfterCommit(services, transaction, parts, states)
  const storable = states.flatMap(({ environmentId, events, notifications, deliveries, outbox: { content } }) =>
    events.length > 0 ? [{ environmentId, events, notifications, deliveries, content }] : [],
  )
  if (storable.length > 0) {
    writeAuditEntries(transaction, states)
    sendEvents(transaction, storable)
    wakeAfterCommit(services, transaction, states)
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
  kinds: JobKinds,
  parts: readonly Part<Job>[],
  states: readonly BatchState[],
  outboxes: readonly Outbox[],
  stamp: Stamp,
  budget: ByteBudget,
): unknown[] {
  return parts.flatMap(({ items }, index) => {
    const state = states[index] as BatchState
    state.stamp = stamp
    state.outbox = outboxes[index] as Outbox
    return items.map((job) => apply(kinds, state, job, budget))
  })
}

/** Applies a job in memory. A job that fails changes nothing. */
function apply(kinds: JobKinds, state: BatchState, job: Job, budget: ByteBudget): unknown {
  const draft = new Draft()
  const tracked = state.events.length
  const result = state.refusals?.get(job) ?? kindOf(kinds, job).apply(state, draft, job)
  for (let index = tracked; index < state.events.length; index += 1)
    budget.write((state.events[index] as NewEvent).attributesJson.length)
  if (result instanceof ApiError) return result
  budget.write(draft.length)
  draft.accept()
  return result
}

function wakeAfterCommit(
  { wakeDelivery }: WriteServices,
  transaction: OpenTransaction,
  states: readonly BatchState[],
): void {
  for (const { environmentId, deliveries } of states)
    if (deliveries.length > 0) transaction.afterCommit(() => wakeDelivery?.(environmentId))
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
  own: PartsByKind,
): Promise<void> {
  const { definitions } = services
  wakeAfterCommit(services, transaction, states)
  const events = partsOf(states, (state) => state.events)
  // Sent in this order without waiting: users and groups are stored before their memberships.
  const objects = Promise.all([
    storeObjects(transaction, users, states, services.observeStored),
    storeObjects(transaction, groups, states, services.observeStored),
  ])
  const memberships = writeMemberships(transaction, states)
  const tracked = events.length > 0 && insertEvents(transaction, events)
  const others = Promise.all([memberships, writeOutbox(transaction, states)])
  transaction.deferLocked(Promise.all([objects, tracked]))
  transaction.defer(others)
  writeAuditEntries(transaction, states)
  await Promise.all([...own].map(([kind, parts]) => kind.store?.(transaction, parts)))
  for (const { environmentId, newDefinitions, stamp } of states)
    await definitions.record(transaction, environmentId, newDefinitions, stamp.at)
  countAfterCommit(services, transaction, states)
  // Another node may have created the same objects. All other statements are sent with the commit.
  if (states.some((state) => state.createsSomething)) await Promise.all([objects, tracked, others])
}
