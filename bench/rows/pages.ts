import { withClient } from '../address.ts'
import type { Bench, Site } from '../bench.ts'
import { type Comparison, compare, type Slice } from '../compare.ts'
import { seed } from '../seed.ts'
import type { Measured, Row } from './row.ts'

/** The rows that compare a page deep in a list with its first page, in every order. */

const PAGES = 10_000
const SLICE_SECONDS = 0.5

const ORDERS: { order: string[]; columns: string }[] = [
  { order: ['created_at'], columns: 'created_at, id' },
  { order: ['-created_at'], columns: 'created_at desc, id desc' },
  { order: ['attributes.name'], columns: 'name_key, id' },
  { order: ['-attributes.name'], columns: 'name_key desc, id desc' },
  { order: ['attributes.signed_up_at'], columns: 'signed_up_at_key, id' },
  { order: ['-attributes.signed_up_at'], columns: 'signed_up_at_key desc, id desc' },
  { order: ['attributes.last_seen_at'], columns: 'last_seen_at_key, id' },
  { order: ['-attributes.last_seen_at'], columns: 'last_seen_at_key desc, id desc' },
  { order: ['attributes.name', '-created_at'], columns: 'name_key, created_at desc, id desc' },
]

export const pageRows: Row[] = [
  {
    name: 'deep-page',
    work: 'the 10,000th page against the first, 100,000 users, every order',
    target: { most: 1.2 },
    measure: (bench) => measure(bench, 100_000),
  },
  {
    name: 'deep-page-million',
    work: 'the 10,000th page against the first, one million users, every order',
    target: { most: 1.2 },
    full: true,
    measure: (bench) => measure(bench, 1_000_000),
  },
]

async function measure(bench: Bench, users: number): Promise<Measured> {
  bench.progress(`filling a database with ${users} users`)
  const database = await bench.postgres.createDatabase()
  bench.atEnd(() => bench.postgres.dropDatabase(database))
  await seed(database, users, 0)
  const site = await bench.siteOn(database)
  const costs: { order: string; cost: number; comparison: Comparison }[] = []
  for (const { order, columns } of ORDERS) {
    bench.progress(`by ${order}`)
    const comparison = await compareDepths(bench, site, order, columns, users / PAGES)
    costs.push({ order: order.join(','), cost: costRatio(comparison), comparison })
  }
  const worst = costs.reduce((a, b) => (b.cost > a.cost ? b : a))
  const note = `worst: ${worst.order}; all: ${costs.map(({ order, cost }) => `${order} ${cost.toFixed(2)}`).join(', ')}`
  return { value: worst.cost, comparison: worst.comparison, note }
}

/** The cost in CPU time of server and PostgreSQL, where that is known; it is steadier than the rate. */
function costRatio({ ours, yardstick, ratio }: Comparison): number {
  const cost = (slice: Slice) => slice.serverMicros + slice.postgresMicros
  const byCpu = cost(ours) / cost(yardstick)
  return Number.isNaN(byCpu) ? 1 / ratio : byCpu
}

async function compareDepths(bench: Bench, site: Site, order: string[], columns: string, limit: number) {
  const { server, database } = site
  const query = new URLSearchParams([
    ['limit', String(limit)],
    ...order.map((name) => ['order_by[]', name] as [string, string]),
  ])
  const first = `/users?${query}`
  const before = await idAt(database, columns, (PAGES - 2) * limit - 1)
  const response = await server.call('GET', `${first}&starting_after=${before}`)
  const { next_page_url } = (await response.json()) as { next_page_url: string }
  const { pathname, search } = new URL(next_page_url)
  const side = (path: string) => ({
    port: server.port,
    pid: server.pid,
    database,
    // Each request has another number, so that no read is shared.
    traffic: { method: 'GET' as const, path: `${path}&number={n}`, users: 1_000_000 },
  })
  return await compare(bench, side(pathname + search), side(first), { seconds: SLICE_SECONDS, load: bench.clock })
}

async function idAt(database: string, columns: string, position: number): Promise<string> {
  return await withClient({ connectionString: database }, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from users order by ${columns} offset $1::int limit 1`,
      [position],
    )
    return rows[0]?.id as string
  })
}
