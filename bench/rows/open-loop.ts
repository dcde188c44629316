import type { Bench } from '../bench.ts'
import { CONNECTIONS } from '../compare.ts'
import { median } from '../median.ts'
import type { OpenLoopAnswer, OpenLoopQuestion } from '../processes/open-loop.ts'
import type { Traffic } from '../traffic.ts'
import { EVENT, EXISTING_USER, exampleAnswer } from './requests.ts'
import type { Measured, Row } from './row.ts'

/** Arrivals at a fixed share of the capacity. Latencies count from the moment a request was due. */

const OPEN_CONNECTIONS = 256
const SHARES = [0.25, 0.5, 0.75]
/** A slice needs some ten thousand requests for its 99.9th percentile to mean something. */
const LEAST_SECONDS = 4

export const openLoopRows: Row[] = [
  ...SHARES.map((share) => row('events', 'POST /events', EVENT, share)),
  ...SHARES.map((share) => row('users', 'POST /users, existing user', EXISTING_USER, share)),
]

function row(name: string, what: string, traffic: Traffic, share: number): Row {
  const percent = Math.round(share * 100)
  return {
    name: `open-${name}-${percent}`,
    work: `${what}, open loop at ${percent} % of capacity: p99 against the yardstick's at the same rate`,
    target: { most: 4 },
    measure: (bench) => measure(bench, traffic, share),
  }
}

async function measure(bench: Bench, traffic: Traffic, share: number): Promise<Measured> {
  const { server } = await bench.site()
  const bare = bench.child<unknown, number>('bare')
  const barePort = await bare.ask(await exampleAnswer(server.address, traffic))
  const open = bench.child<OpenLoopQuestion, OpenLoopAnswer>('open-loop')
  const closed = async (port: number) => {
    const { requests, seconds } = await bench.load.ask({ port, connections: CONNECTIONS, seconds: 2, traffic })
    return requests / seconds
  }
  await closed(barePort)
  await closed(server.port)
  const perSecond = share * (await closed(server.port))
  const seconds = Math.max(LEAST_SECONDS, bench.options.seconds)
  const run = (port: number) => open.ask({ port, traffic, perSecond, seconds, connections: OPEN_CONNECTIONS })
  const turns: { ours: OpenLoopAnswer; bare: OpenLoopAnswer }[] = []
  for (let turn = 0; turn < bench.options.turns; turn += 1) {
    bench.progress(`turn ${turn + 1} of ${bench.options.turns}`)
    const ours = await run(server.port)
    turns.push({ ours, bare: await run(barePort) })
  }
  const failed = turns.find(({ ours }) => ours.failures > 0)?.ours
  if (failed) throw new Error(`${failed.failures} requests failed, the first with ${failed.failure?.slice(0, 200)}`)
  const shown = (field: 'p50Ms' | 'p99Ms' | 'p999Ms') =>
    `${median(turns.map(({ ours }) => ours[field])).toFixed(1)} ms (${median(turns.map((turn) => turn.bare[field])).toFixed(1)})`
  return {
    value: median(turns.map(({ ours, bare }) => ours.p99Ms / bare.p99Ms)),
    note: `${Math.round(perSecond)} requests/s; p50 ${shown('p50Ms')}, p99 ${shown('p99Ms')}, p99.9 ${shown('p999Ms')}, the yardstick's in brackets`,
  }
}
