import type { Bench } from '../bench.ts'
import { CONNECTIONS } from '../compare.ts'
import { median } from '../median.ts'
import { cpuMicros } from '../proc.ts'
import type { PosterQuestion } from '../processes/poster.ts'
import { countStatements, stopCounting } from '../statements.ts'
import { againstBare, EVENT } from './requests.ts'
import { type Measured, notMeasured, type Row } from './row.ts'
import { Subscribed } from './subscribed.ts'

/** The rows about deliveries. */
export const webhookRows: Row[] = [
  {
    name: 'post-events-subscribed',
    work: 'POST /events with three matching subscriptions, deliveries running',
    target: { least: 0.4 },
    againstBare: true,
    measure: subscribed(throughput),
  },
  {
    name: 'deliveries',
    work: 'deliveries a second, receiver and database on the same machine',
    target: { least: 1_500, unit: '/s' },
    measure: subscribed(deliveries),
  },
  {
    name: 'delivery-statements',
    work: 'SQL statements per delivery under load',
    target: { most: 0.1 },
    measure: subscribed(statements),
  },
  {
    name: 'added-latency',
    work: 'added to the median of a lone POST /events by three matching subscriptions',
    target: { most: 1, unit: 'ms' },
    measure: subscribed(addedLatency),
  },
]

function subscribed(measure: (bench: Bench, to: Subscribed) => Promise<Measured>): Row['measure'] {
  return async (bench) => {
    const to = await Subscribed.open(bench)
    return to ? await measure(bench, to) : notMeasured('the server has no webhook subscriptions')
  }
}

/** Each turn waits for its deliveries, so that they do not slow down the yardstick. */
async function throughput(bench: Bench, to: Subscribed): Promise<Measured> {
  const behind: number[] = []
  const comparison = await againstBare(bench, to.site, EVENT, async (events) => {
    const { received } = await to.look()
    behind.push((await to.drained(events)).received - received)
  })
  return {
    value: comparison.ratio,
    comparison,
    note: `${median(behind)} deliveries were waiting at the end of a slice`,
  }
}

/** Makes a backlog, and measures how fast it is delivered without other load. */
async function drain(bench: Bench, to: Subscribed, atStart: () => Promise<void> = async () => {}) {
  const { port } = to.site.server
  const { requests } = await bench.load.ask({ port, connections: CONNECTIONS, seconds: 1, traffic: EVENT })
  await atStart()
  const used = () => ({ server: cpuMicros(to.site.server.pid), postgres: cpuMicros(bench.postgres.pid) })
  const [before, usedBefore] = [await to.look(), used()]
  const after = await to.drained(requests)
  const [delivered, usedAfter] = [after.received - before.received, used()]
  return {
    delivered,
    perSecond: (1_000 * delivered) / (after.lastAtMs - before.nowMs),
    serverMicros: (usedAfter.server - usedBefore.server) / delivered,
    postgresMicros: (usedAfter.postgres - usedBefore.postgres) / delivered,
  }
}

async function deliveries(bench: Bench, to: Subscribed): Promise<Measured> {
  const poster = bench.child<PosterQuestion, { perSecond: number }>('poster')
  await drain(bench, to)
  const { lastBody: body } = await to.look()
  const drains: Awaited<ReturnType<typeof drain>>[] = []
  const undici: number[] = []
  for (let turn = 0; turn < bench.options.turns; turn += 1) {
    bench.progress(`turn ${turn + 1} of ${bench.options.turns}`)
    drains.push(await drain(bench, to))
    const { received } = await to.look()
    const question = { url: to.url, body, concurrency: CONNECTIONS, seconds: bench.options.seconds }
    undici.push((await poster.ask(question)).perSecond)
    to.expect((await to.look()).received - received)
  }
  const of = (field: keyof (typeof drains)[number]) => median(drains.map((each) => each[field]))
  const ratio = median(drains.map(({ perSecond }, turn) => perSecond / (undici[turn] as number)))
  return {
    value: of('perSecond'),
    note:
      `${ratio.toFixed(2)} of undici in a loop (${Math.round(median(undici)).toLocaleString('en')}/s); CPU µs per delivery: ` +
      `server ${Math.round(of('serverMicros'))}, PostgreSQL ${Math.round(of('postgresMicros'))}`,
  }
}

async function statements(bench: Bench, to: Subscribed): Promise<Measured> {
  const count = await countStatements(bench.postgres, to.site.database)
  if (!count) return notMeasured('needs pg_stat_statements in shared_preload_libraries')
  bench.atEnd(() => stopCounting(bench.postgres))
  await drain(bench, to)
  const perDelivery: number[] = []
  for (let turn = 0; turn < bench.options.turns; turn += 1) {
    let before = 0
    const { delivered } = await drain(bench, to, async () => {
      before = await count()
    })
    perDelivery.push(((await count()) - before) / delivered)
  }
  return { value: median(perDelivery), note: 'counted by pg_stat_statements, begin and commit included' }
}

async function addedLatency(bench: Bench, to: Subscribed): Promise<Measured> {
  const { seconds, turns } = bench.options
  const ask = (connections: number) =>
    bench.load.ask({ port: to.site.server.port, connections, seconds, traffic: EVENT })
  const post = () => ask(1)
  // Warms up the server, as for the row of lone events. The code of deliveries is compiled after some ten thousand of them:
  // before that it took twice the time.
  for (const connections of [CONNECTIONS, CONNECTIONS, CONNECTIONS, 1])
    await to.drained((await ask(connections)).requests)
  const added: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    bench.progress(`turn ${turn + 1} of ${turns}`)
    const subscribedTo = await post()
    await to.drained(subscribedTo.requests)
    await to.disable(true)
    added.push(subscribedTo.p50Ms - (await post()).p50Ms)
    await to.disable(false)
  }
  return { value: median(added) }
}
