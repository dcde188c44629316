import { keepEnvironment } from '../accounts/environment-queries.ts'
import type { Turn, Work } from '../batches/work.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import type { DefinitionRegistry } from '../definitions/registry.ts'
import { ApiError } from '../errors.ts'
import { Outboxes } from '../outbox/outbox.ts'
import { StartupError } from '../startup-error.ts'
import { BatchState } from '../writes/batch-state.ts'
import { findEventIds, insertEvents } from '../writes/event-queries.ts'
import type { StoredObserver } from '../writes/jobs.ts'
import { trackEvent } from '../writes/track-event.ts'
import { writeWork } from '../writes/write.ts'
import { keepCreationTimes } from './creation-times.ts'
import { importedElsewhere } from './import-lock.ts'
import { advance } from './progress.ts'
import { type DefinitionEntry, type Entry, inputOf, type ObjectEntry, type RejectedLine } from './records.ts'
import { storeAttributeNames, storeEventNames } from './store-definitions.ts'

/** Lines that are stored in one transaction with the progress of the import. */
export interface Chunk {
  source: string
  /** The progress before this chunk is line `from`, after it line `to`. */
  from: number
  to: number
  entries: readonly Entry[]
  /** Lines that were refused by validation. */
  rejected: readonly RejectedLine[]
}

export interface StoredChunk {
  stored: number
  rejected: RejectedLine[]
}

/** Stores a chunk; a chunk that another import of the same source has stored is refused as a whole. */
export function chunkWork(definitions: DefinitionRegistry, observeStored: StoredObserver): Work<Chunk, StoredChunk> {
  return async (transaction, environmentId, chunks, turn) => {
    // Rows that are stored after the rows of a deleted environment are removed would stay for ever.
    if (!(await keepEnvironment(transaction, environmentId)))
      throw new StartupError('The environment was deleted meanwhile.')
    const results: StoredChunk[] = []
    for (const chunk of chunks) {
      const { definitions: named = [], objects = [] } = Object.groupBy(chunk.entries, (entry) =>
        'definition' in entry ? 'definitions' : 'objects',
      )
      const { quick = [], others = [] } = Object.groupBy(objects as ObjectEntry[], ({ job }) =>
        job.kind === 'event' && job.notify === false ? 'quick' : 'others',
      )
      const refused = [
        ...(named.length > 0 ? await writeNames(transaction, environmentId, named as DefinitionEntry[], turn) : []),
        ...(others.length > 0
          ? await writeAll(transaction, environmentId, others, turn, definitions, observeStored)
          : []),
        ...(quick.length > 0 ? await writeEvents(transaction, environmentId, quick, turn, definitions) : []),
      ]
      const all = [...chunk.rejected, ...refused].sort((a, b) => a.line - b.line)
      const stored = chunk.entries.length - refused.length
      const progress = { lines: chunk.to, stored, refused: all.length, chunkStart: chunk.from, rejected: all }
      if (!(await advance(transaction, environmentId, chunk.source, chunk.from, progress))) throw importedElsewhere()
      results.push({ stored, rejected: all })
    }
    return results
  }
}

/** Before the objects: their values would define the names by themselves. */
async function writeNames(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  entries: readonly DefinitionEntry[],
  turn: Turn,
): Promise<RejectedLine[]> {
  const { at } = await turn.enter(true)
  const attributes = entries.flatMap(({ definition }) => (definition.of === 'attribute' ? [definition] : []))
  const events = entries.flatMap(({ definition }) => (definition.of === 'event' ? [definition] : []))
  const types = await storeAttributeNames(transaction, environmentId, attributes, at)
  await storeEventNames(transaction, environmentId, events, at)
  return entries.flatMap(({ number, definition, source }) => {
    const stays = definition.of === 'attribute' ? types.get(definition) : undefined
    if (stays === undefined) return []
    const reason = `data_type: ${definition.name} is there already as ${stays}, and stays so`
    return [{ line: number, reason, input: inputOf(source) }]
  })
}

async function writeAll(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  entries: readonly ObjectEntry[],
  turn: Turn,
  definitions: DefinitionRegistry,
  observeStored: StoredObserver,
): Promise<RejectedLine[]> {
  // An empty cache: with cached subscriptions the write would be a single statement, without the progress.
  const write = writeWork({ definitions, outboxes: new Outboxes(), observeStored })
  const jobs = entries.map(({ job }) => job)
  const results = await write(transaction, environmentId, jobs, turn)
  const { at } = await turn.enter(true)
  await keepCreationTimes(transaction, environmentId, entries, at)
  return entries.flatMap((entry, index) => rejectionOf(entry, results[index]))
}

/** PostgreSQL stores the events of one statement while this process prepares those of the next. */
const EVENTS_PER_STATEMENT = 500

/** Without answers and notifications. An event that exists already is skipped. */
async function writeEvents(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  entries: readonly ObjectEntry[],
  turn: Turn,
  definitions: DefinitionRegistry,
): Promise<RejectedLine[]> {
  const state = new BatchState(environmentId, definitions.of(environmentId))
  const given = entries.flatMap(({ eventId }) => (eventId === undefined ? [] : [eventId]))
  const present = new Set(given.length > 0 ? await findEventIds(transaction, environmentId, given) : [])
  state.stamp = await turn.enter(true)
  const rejected: RejectedLine[] = []
  const stored: Promise<void>[] = []
  const store = () => {
    const events = state.events.splice(0)
    if (events.length > 0) stored.push(insertEvents(transaction, ofOne(environmentId, events)))
  }
  for (const entry of entries) {
    const { job, eventId, createdAt } = entry
    if (job.kind !== 'event') continue
    if (state.events.length === EVENTS_PER_STATEMENT) store()
    if (eventId !== undefined && present.has(eventId)) {
      rejected.push({
        line: entry.number,
        reason: `id: the event ${eventId} is there already`,
        input: inputOf(entry.source),
      })
      continue
    }
    if (eventId !== undefined) present.add(eventId)
    const result = trackEvent(state, job)
    rejected.push(...rejectionOf(entry, result))
    const event = state.events.at(-1)
    if (result instanceof ApiError || !event) continue
    if (eventId !== undefined) event.id = eventId
    if (createdAt !== undefined) event.at = createdAt
  }
  store()
  await Promise.all(stored)
  await definitions.record(transaction, environmentId, state.newDefinitions, state.stamp.at)
  transaction.afterCommit(() => definitions.count(environmentId, state.newDefinitions, state.stamp.at))
  return rejected
}

function rejectionOf({ number, source }: ObjectEntry, result: unknown): RejectedLine[] {
  return result instanceof ApiError ? [{ line: number, reason: result.message, input: inputOf(source) }] : []
}
