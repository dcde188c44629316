import { createHash } from 'node:crypto'
import { CommitQueue } from '../batches/queue.ts'
import { Counters } from '../counters/counters.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { DefinitionRegistry } from '../definitions/registry.ts'
import { DefinitionUsage } from '../definitions/usage.ts'
import type { Log } from '../log.ts'
import { type Chunk, chunkWork } from './chunk.ts'
import { findProgress, forgetProgress } from './progress.ts'
import { type Entry, type Format, type Read, type RecordRules, type RejectedLine, readRecords } from './records.ts'
import type { RejectedFile } from './rejected-file.ts'
import type { Source } from './source.ts'

/** Events are one statement for a chunk; users and groups are read, merged and written, as in a batch of requests. */
const CHUNK = { events: 2_000, others: 500 }
/** A line has up to 1 MiB. A chunk of 2,000 such lines would fit neither in memory nor in a parameter of a statement. */
const CHUNK_BYTES = 8 * 1024 * 1024

export interface ImportOptions {
  database: Database
  log: Log
  environmentId: EnvironmentId
  rules: RecordRules
  format: Format
  dryRun: boolean
  /** Imports a file again that was imported before. */
  again: boolean
  rejected: RejectedFile
  signal: AbortSignal
  onProgress(state: ImportState): void
}

export interface ImportState {
  lines: number
  stored: number
  refused: number
  bytesRead: number
  /** Lines that an earlier run had stored or refused. */
  skipped: number
  /** Of the skipped lines. */
  refusedBefore: number
}

/** Imports one source. An interrupted import continues after the last stored line. Nothing is stored twice. */
export async function importSource(source: Source, options: ImportOptions): Promise<ImportState> {
  const { database, environmentId, rules, rejected } = options
  const state: ImportState = { lines: 0, stored: 0, refused: 0, bytesRead: 0, skipped: 0, refusedBefore: 0 }
  const identity = identityOf(source, rules.kind)
  if (options.again && !options.dryRun) await forgetProgress(database, environmentId, identity)
  const known = await findProgress(database, environmentId, identity)
  const before = options.dryRun ? undefined : known
  // A dry run keeps the report of an import of the same file.
  const reported = options.dryRun && known ? await rejected.lines() : new Set<number>()
  if (reported.size === 0) await rejected.resetTo(before?.chunkStart ?? 0, before?.rejected ?? [])
  if (before) Object.assign(state, { skipped: before.lines, lines: before.lines, refusedBefore: before.refused })
  const read = readRecords(
    source.read((bytes) => (state.bytesRead += bytes)),
    options.format,
    rules,
  )
  const { store, close } = options.dryRun ? dryRun(state, reported, options) : storing(state, identity, options)
  // While PostgreSQL stores a chunk, the next one is read.
  let stored = Promise.resolve()
  try {
    for await (const chunk of chunksOf(read, rules, state.skipped)) {
      await stored
      options.signal.throwIfAborted()
      stored = store(chunk).then(() => options.onProgress(state))
      stored.catch(() => {})
    }
    await stored
  } finally {
    await stored.catch(() => {})
    await close()
  }
  return state
}

type Gathered = Pick<Chunk, 'to' | 'entries' | 'rejected'>

async function* chunksOf(
  read: AsyncIterable<Read[]>,
  { kind }: RecordRules,
  skipped: number,
): AsyncGenerator<Gathered> {
  const most = kind === 'events' ? CHUNK.events : CHUNK.others
  let gathered = nothing()
  for await (const records of read) {
    for (const record of records) {
      gather(gathered, record, skipped)
      const isFull = gathered.entries.length + gathered.rejected.length >= most || gathered.bytes >= CHUNK_BYTES
      if (!isFull) continue
      yield gathered
      gathered = nothing()
    }
  }
  if (gathered.to > 0) yield gathered
}

const nothing = () => ({ to: 0, bytes: 0, entries: [] as Entry[], rejected: [] as RejectedLine[] })

function gather(gathered: ReturnType<typeof nothing>, record: Read, skipped: number): void {
  const number = 'entry' in record ? record.entry.number : record.rejection.line
  if (number <= skipped) return
  gathered.to = number
  gathered.bytes += record.bytes
  if ('entry' in record) gathered.entries.push(record.entry)
  else gathered.rejected.push(record.rejection)
}

function dryRun(state: ImportState, reported: ReadonlySet<number>, { rejected: file }: ImportOptions) {
  const store = async ({ to, entries, rejected }: Gathered): Promise<void> => {
    await file.add(rejected.filter(({ line }) => !reported.has(line)))
    state.lines = to
    state.stored += entries.length
    state.refused += rejected.length
  }
  return { store, close: async () => {} }
}

function storing(state: ImportState, source: string, { database, log, environmentId, rules, rejected }: ImportOptions) {
  const queue = new CommitQueue(database, log, { now: rules.now })
  const usage = new DefinitionUsage(database, log)
  const counters = new Counters(database, log)
  const work = chunkWork(new DefinitionRegistry(usage), (id, table, count) => counters.changeTotal(id, table, count))
  const store = async (gathered: Gathered): Promise<void> => {
    const done = await queue.submit(work, environmentId, { ...gathered, source, from: state.lines })
    await rejected.add(done.rejected)
    state.lines = gathered.to
    state.stored += done.stored
    state.refused += done.rejected.length
  }
  return { store, close: async () => void (await Promise.all([usage.stop(), counters.stop()])) }
}

/** Standard input has no identity. It counts as a new source each time. */
function identityOf({ identity }: Source, kind: string): string {
  return createHash('sha256')
    .update(`${kind} ${identity ?? crypto.randomUUID()}`)
    .digest('hex')
}
