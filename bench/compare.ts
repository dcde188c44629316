import type { Bench } from './bench.ts'
import { median } from './median.ts'
import { cpuMicros } from './proc.ts'
import type { Traffic } from './traffic.ts'

/** One of the two things that are compared: a server and what is sent to it. */
export interface Side {
  port: number
  pid: number
  traffic: Traffic
  connections?: number
  /** The database of an Usher server. The CPU time of its PostgreSQL is added to that of the server. */
  database?: string
  /** Prepares what the slice needs. */
  beforeSlice?: (() => Promise<void>) | undefined
  /** Waits for work that the slice has left. */
  afterSlice?: ((requests: number) => Promise<void>) | undefined
}

/** What one side did in one slice of time. */
export interface Slice {
  perSecond: number
  p50Ms: number
  p99Ms: number
  serverMicros: number
  postgresMicros: number
  generatorMicros: number
  requests: number
  transactions: number
  failures: number
}

export interface Comparison {
  ratio: number
  p50Ratio: number
  p99Ratio: number
  /** Of the CPU time of the servers for a request. */
  serverRatio: number
  ours: Slice
  yardstick: Slice
  failure: string | undefined
}

export interface How {
  seconds?: number
  /** The least number of turns, for small differences. */
  leastTurns?: number
  load?: Bench['load']
  /** Whether latencies are measured, in slices of their own. */
  timed?: boolean
}

/** Who makes the load of a slice, and who measures the latencies after it. */
interface Generators {
  load: Bench['load']
  clock: Bench['clock'] | undefined
}

export const CONNECTIONS = 64
/**
 * V8 compiles the code of a request again and again during the first 20,000 or so: the first steps of flows took 360 µs of
 * the server until then, and 270 after it. Both sides get as many; a side that is slow gets ten slices.
 */
const WARM_UP = { requests: 20_000, mostSlices: 10 }
const TIMED_SECONDS = 1

/**
 * The sides take turns and alternate who goes first, so that other load on the machine affects both equally. The result
 * is the median of the ratios of the turns.
 */
export async function compare(
  bench: Bench,
  ours: Side,
  yardstick: Side,
  { seconds = bench.options.seconds, leastTurns = 0, load = bench.load, timed = false }: How = {},
): Promise<Comparison> {
  const failures = new Set<string>()
  const clock = timed && load !== bench.clock ? bench.clock : undefined
  const run = async (side: Side, generators: Generators) => await slice(bench, generators, side, seconds, failures)
  await bench.postgres.settle()
  for (const side of [yardstick, ours]) {
    let requests = 0
    for (let slices = 0; requests < WARM_UP.requests && slices < WARM_UP.mostSlices; slices += 1)
      requests += (await run(side, { load, clock: undefined })).requests
  }
  failures.clear()
  const turns: { ours: Slice; yardstick: Slice }[] = []
  const wanted = Math.max(bench.options.turns, leastTurns)
  for (let turn = 0; turn < wanted; turn += 1) {
    bench.progress(`turn ${turn + 1} of ${wanted}`)
    const oursFirst = turn % 2 === 0
    const first = await run(oursFirst ? ours : yardstick, { load, clock })
    const second = await run(oursFirst ? yardstick : ours, { load, clock })
    turns.push(oursFirst ? { ours: first, yardstick: second } : { ours: second, yardstick: first })
  }
  const ratioOf = (field: 'perSecond' | 'p50Ms' | 'p99Ms' | 'serverMicros') =>
    median(turns.map((turn) => turn.ours[field] / turn.yardstick[field]))
  return {
    ratio: ratioOf('perSecond'),
    p50Ratio: ratioOf('p50Ms'),
    p99Ratio: ratioOf('p99Ms'),
    serverRatio: ratioOf('serverMicros'),
    ours: medianSlice(turns.map((turn) => turn.ours)),
    yardstick: medianSlice(turns.map((turn) => turn.yardstick)),
    failure: [...failures][0],
  }
}

async function slice(
  bench: Bench,
  { load, clock }: Generators,
  side: Side,
  seconds: number,
  seen: Set<string>,
): Promise<Slice> {
  const transactions = async () => await bench.postgres.transactions(side.database, side.traffic.method !== 'GET')
  const used = () => ({ server: cpuMicros(side.pid), postgres: cpuMicros(bench.postgres.pid) })
  await side.beforeSlice?.()
  const transactionsBefore = await transactions()
  const before = used()
  const { port, traffic, connections = CONNECTIONS } = side
  const answer = await load.ask({ port, traffic, connections, seconds })
  const after = used()
  if (answer.failure !== undefined) seen.add(answer.failure)
  const { requests, failures } = answer
  const transactionsNow = await transactions()
  await side.afterSlice?.(requests)
  const timed = await clock?.ask({ port, traffic, connections, seconds: Math.min(seconds, TIMED_SECONDS) })
  if (timed) await side.afterSlice?.(timed.requests)
  const { p50Ms, p99Ms } = timed ?? answer
  return {
    perSecond: requests / answer.seconds,
    p50Ms,
    p99Ms,
    serverMicros: (after.server - before.server) / requests,
    postgresMicros: side.database === undefined ? Number.NaN : (after.postgres - before.postgres) / requests,
    generatorMicros: answer.cpuMicros / requests,
    requests,
    transactions: transactionsNow - transactionsBefore,
    failures,
  }
}

function medianSlice(slices: readonly Slice[]): Slice {
  const of = (field: keyof Slice) => median(slices.map((each) => each[field]))
  const total = (field: keyof Slice) => slices.reduce((sum, each) => sum + each[field], 0)
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    serverMicros: of('serverMicros'),
    postgresMicros: of('postgresMicros'),
    generatorMicros: of('generatorMicros'),
    requests: total('requests'),
    transactions: total('transactions'),
    failures: total('failures'),
  }
}
