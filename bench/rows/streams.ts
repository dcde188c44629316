import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Site } from '../bench.ts'
import { compare } from '../compare.ts'
import { median } from '../median.ts'
import { HAS_PROC, residentMegabytes } from '../proc.ts'
import type { StreamAnswer, StreamQuestion } from '../processes/streams.ts'
import { ENVIRONMENT, withDatabase } from '../seed.ts'
import { createToken, post } from './guidance.ts'
import { EVENT } from './requests.ts'
import { type Measured, notMeasured, type Row } from './row.ts'

/** The rows of the streams of pages. Their users are others than those of the events. */

const STREAMS = 10_000
const HINTS = 200

export const streamRows: Row[] = [
  {
    name: 'streams-memory',
    work: `${STREAMS.toLocaleString('en')} open streams of pages, memory each`,
    target: { most: 20, unit: 'KB' },
    holdsStreams: true,
    measure: memory,
  },
  {
    name: 'streams-events',
    work: `server CPU of POST /events with ${STREAMS.toLocaleString('en')} open streams of other users, against none`,
    target: { most: 1.05 },
    holdsStreams: true,
    measure: cpu,
  },
  {
    name: 'streams-hint',
    work: "from the back end's 200 on another node to the hint at the page, p99",
    target: { most: 500, unit: 'ms' },
    measure: delay,
  },
]

const SETTINGS = { USHER_TRUSTED_PROXIES: '127.0.0.1' }

/** A published flow that asks for the event, so that every event is looked at, and users who were seen just now. */
async function prepare(bench: Bench, site: Site) {
  const steps = [
    { key: 'a', type: 'dialog', blocks: [{ heading: 'A' }], buttons: [{ label: 'OK', do: [{ next: true }] }] },
  ]
  const who = { event: 'project_created', at_least: 1_000 }
  const { id } = await post(site.server, '/content', { key: 'asks', type: 'flow', name: 'Asks', who, steps })
  await post(site.server, `/content/${id}/publish`, {})
  await withDatabase(site.database, async (database) => {
    await database.query(
      `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
       select $1::int, 'watcher_' || n, jsonb_build_object('last_seen_at', $2::text), now(), '', '', ''
         from generate_series(0, $3::int) as n`,
      [ENVIRONMENT, new Date().toISOString(), STREAMS],
    )
    await database.query('vacuum (analyze) users', [])
  })
  const token = await createToken(site.database)
  const streams = bench.child<StreamQuestion, StreamAnswer>('streams')
  const open = async (count: number) => await streams.ask({ kind: 'open', port: site.server.port, token, count })
  return { streams, token, open, close: async () => void (await streams.ask({ kind: 'close' })) }
}

/** A first round of streams is closed again: what the server compiles and keeps for all of them is not of a stream. */
async function memory(bench: Bench): Promise<Measured> {
  if (!HAS_PROC) return notMeasured('needs /proc')
  const site = await bench.site(SETTINGS)
  const { open, close } = await prepare(bench, site)
  await open(STREAMS / 10)
  await close()
  const before = await settledMegabytes(site)
  const { open: count } = await open(STREAMS)
  const after = await settledMegabytes(site)
  return {
    value: ((after - before) * 1_024) / count,
    note: `without TLS; ${Math.round(before)} MB before, ${Math.round(after)} MB after`,
  }
}

/** The least of some seconds: what waits to be collected comes and goes. */
async function settledMegabytes({ server }: Site): Promise<number> {
  const samples: number[] = []
  for (let sample = 0; sample < 10; sample += 1) {
    await sleep(1_000)
    samples.push(residentMegabytes(server.pid))
  }
  return Math.min(...samples)
}

/**
 * Two servers that do the same differ by up to 8 %, each for as long as it runs. So they are compared before one of them gets
 * its streams, and after it. The first comparison is not counted: without it runs of the same server came to 1.04 to 1.17.
 * Both have had streams that are closed again: what V8 does with the code that opens them is not of a stream.
 */
async function cpu(bench: Bench): Promise<Measured> {
  if (!HAS_PROC) return notMeasured('needs /proc')
  const [watched, alone] = [await bench.site(SETTINGS), await bench.site(SETTINGS)]
  const pages = [await prepare(bench, watched), await prepare(bench, alone)] as const
  for (const { open, close } of pages) {
    await open(STREAMS / 10)
    await close()
  }
  const side = ({ server, database }: Site) => ({ port: server.port, pid: server.pid, database, traffic: EVENT })
  const compared = async () => await compare(bench, side(watched), side(alone), { leastTurns: 7 })
  await compared()
  const before = await compared()
  await pages[0].open(STREAMS)
  const comparison = await compared()
  return {
    value: comparison.serverRatio / before.serverRatio,
    comparison,
    note: `microseconds of CPU for each request; without streams the servers differ by ${before.serverRatio.toFixed(3)}`,
  }
}

async function delay(bench: Bench): Promise<Measured> {
  const site = await bench.site(SETTINGS)
  const other = await bench.siteOn(site.database, SETTINGS)
  const { streams, token } = await prepare(bench, site)
  const question = { kind: 'hear', port: site.server.port, from: other.server.port, token, times: HINTS } as const
  const sorted = (await streams.ask(question)).delaysMs.sort((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] as number
  return { value: p99, note: `p50 ${median(sorted).toFixed(1)} ms, of ${HINTS} events` }
}
