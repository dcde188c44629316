import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { copyYardstick, perSecond } from '../copy.ts'
import { median } from '../median.ts'
import { type Traffic, userId } from '../traffic.ts'
import { exportFile, importFile } from '../transfer.ts'
import type { Measured, Row } from './row.ts'

const EVENTS = 200_000
const BATCH = 500
const BATCH_CONNECTIONS = 8

/** The rows that compare loading and exporting many events with COPY, and one about the memory of an import. */
export const loadRows: Row[] = [
  {
    name: 'batch',
    work: 'POST /batch of 500 events at 8 connections, in events, against COPY into a table of the same shape and indexes',
    target: { least: 0.25 },
    measure: measureBatch,
  },
  {
    name: 'import-events',
    work: 'usher import events, 200,000 lines, against COPY into a table of the same shape and indexes',
    target: { least: 0.5 },
    measure: measureImport,
  },
  {
    name: 'export-events',
    work: 'usher export events, 200,000 events as NDJSON, against COPY of the table to a file',
    target: { least: 0.15 },
    measure: measureExport,
  },
  {
    name: 'import-memory',
    work: 'peak memory of usher import events with 10 million lines, against 500,000 lines',
    target: { most: 1.2 },
    full: true,
    measure: (bench) => measureMemory(bench, 500_000, 10_000_000),
  },
]

const operation = { method: 'POST', path: '/events' }
const event = { name: 'project_created', user_id: 'user_{n}', attributes: { plan: 'growth', seats: 123, billed: true } }
const plain = { ...operation, body: { ...event, user_id: 'user_00000123' } }
/** One placeholder is enough to make the batches differ. */
const BATCH_TRAFFIC: Traffic = {
  method: 'POST',
  path: '/batch',
  body: JSON.stringify({ operations: [{ ...operation, body: event }, ...Array(BATCH - 1).fill(plain)] }),
  users: 10_000,
}

async function measureBatch(bench: Bench): Promise<Measured> {
  const { copy } = await copyYardstick(bench, EVENTS)
  const { server } = await bench.site()
  const { seconds } = bench.options
  const question = { port: server.port, connections: BATCH_CONNECTIONS, seconds, traffic: BATCH_TRAFFIC }
  await bench.load.ask(question)
  return await inTurns(bench, 'events', copy, async () => {
    const answer = await bench.load.ask(question)
    if (answer.failure !== undefined) throw new Error(answer.failure)
    return (answer.requests * BATCH) / answer.seconds
  })
}

async function measureImport(bench: Bench): Promise<Measured> {
  const { copy } = await copyYardstick(bench, EVENTS)
  const file = await eventFile(bench, EVENTS)
  return await inTurns(bench, 'lines', copy, async () => {
    const database = await bench.postgres.createDatabase(await bench.template())
    const rate = await perSecond(EVENTS, () => importFile(database, file))
    await bench.postgres.dropDatabase(database)
    return rate
  })
}

async function measureExport(bench: Bench): Promise<Measured> {
  const { filled, copyOut } = await copyYardstick(bench, EVENTS)
  const file = join(bench.folder, 'events.ndjson')
  return await inTurns(bench, 'events', copyOut, () => perSecond(EVENTS, () => exportFile(filled, file)))
}

async function measureMemory(bench: Bench, few: number, many: number): Promise<Measured> {
  const peakOf = async (lines: number) => {
    const database = await bench.postgres.createDatabase(await bench.template())
    bench.progress(`importing ${lines} lines`)
    const { peakMegabytes } = await importFile(database, await eventFile(bench, lines))
    await bench.postgres.dropDatabase(database)
    return peakMegabytes
  }
  const [least, most] = [await peakOf(few), await peakOf(many)]
  return { value: most / least, note: `${Math.round(most)} MB against ${Math.round(least)} MB` }
}

async function inTurns(bench: Bench, what: string, copy: () => Promise<number>, ours: () => Promise<number>) {
  const turns: { ours: number; copied: number }[] = []
  for (let turn = 0; turn < bench.options.turns; turn += 1) {
    bench.progress(`turn ${turn + 1} of ${bench.options.turns}`)
    turns.push({ ours: await ours(), copied: await copy() })
  }
  const shown = (side: 'ours' | 'copied') => Math.round(median(turns.map((turn) => turn[side]))).toLocaleString('en')
  return {
    value: median(turns.map((turn) => turn.ours / turn.copied)),
    note: `${shown('ours')} ${what} a second, against ${shown('copied')}`,
  }
}

async function eventFile({ folder }: Bench, lines: number): Promise<string> {
  const path = join(folder, `events-${lines}.ndjson`)
  const file = await open(path, 'w')
  for (let first = 0; first < lines; first += 10_000) {
    const size = Math.min(10_000, lines - first)
    await file.write(Array.from({ length: size }, (_, index) => lineOf(first + index)).join(''))
  }
  await file.close()
  return path
}

function lineOf(number: number): string {
  const time = new Date(1_735_689_600_000 + number).toISOString()
  const attributes = `{"plan":"growth","seats":${number % 1_000},"billed":true}`
  return `{"name":"project_created","user_id":"${userId(number % 10_000)}","attributes":${attributes},"time":"${time}"}\n`
}
