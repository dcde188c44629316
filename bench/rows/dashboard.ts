import type { Bench } from '../bench.ts'
import { compare } from '../compare.ts'
import { DashboardVisitor } from '../dashboard-visitor.ts'
import { seed } from '../seed.ts'
import { EVENT } from './requests.ts'
import type { Measured, Row } from './row.ts'

/** The rows about the dashboard: what an open dashboard costs the API, and its latency with many users. */

const MOST_MS = 200
const SCROLLED_PAGES = 40
/** Prefixes of ids, e-mails and names that match one object, some, or all. */
const SEARCHES = ['user_00000042', 'user_0', 'person4711@', 'person4', 'person', 'Person 99', 'Person', 'nobody at all']
const ORDERS = ['-created_at', 'attributes.name', '-attributes.last_seen_at', 'attributes.signed_up_at']

export const dashboardRows: Row[] = [
  {
    name: 'dashboard-open',
    work: 'POST /events with the dashboard open on Live and Home against without',
    target: { least: 0.93 },
    measure: withVisitor,
  },
  {
    name: 'dashboard-search',
    work: 'the slowest search or scroll of the dashboard, 100,000 users',
    target: { most: MOST_MS, unit: 'ms' },
    measure: (bench) => searchAndScroll(bench, 100_000),
  },
  {
    name: 'dashboard-search-million',
    work: 'the slowest search or scroll of the dashboard, one million users',
    target: { most: MOST_MS, unit: 'ms' },
    full: true,
    measure: (bench) => searchAndScroll(bench, 1_000_000),
  },
]

/** The same server takes both turns; the visitor opens the pages before a slice, and closes them after it. */
async function withVisitor(bench: Bench): Promise<Measured> {
  const { server, database } = await bench.site()
  const visitor = await DashboardVisitor.signIn(server, database)
  bench.atEnd(() => visitor.close())
  const side = { port: server.port, pid: server.pid, database, traffic: EVENT }
  const looked = { ...side, beforeSlice: () => visitor.open(), afterSlice: () => visitor.close() }
  const comparison = await compare(bench, looked, side, { leastTurns: 7 })
  return { value: comparison.ratio, comparison }
}

/** Measured by the client, so the time includes the connection. */
async function searchAndScroll(bench: Bench, users: number): Promise<Measured> {
  bench.progress(`filling a database with ${users} users`)
  const database = await bench.postgres.createDatabase()
  bench.atEnd(() => bench.postgres.dropDatabase(database))
  await seed(database, users, 0)
  const { server } = await bench.siteOn(database)
  const visitor = await DashboardVisitor.signIn(server, database)
  await visitor.read('/users')
  const times: { what: string; ms: number }[] = []
  for (const q of SEARCHES)
    times.push({ what: `search ${q}`, ms: await scroll(visitor, `q=${encodeURIComponent(q)}`, 3) })
  for (const order of ORDERS)
    times.push({ what: `scroll by ${order}`, ms: await scroll(visitor, `order_by=${order}`, SCROLLED_PAGES) })
  const slowest = times.reduce((a, b) => (b.ms > a.ms ? b : a))
  return { value: slowest.ms, note: `slowest: ${slowest.what}` }
}

/** The slowest of some pages of a list, in milliseconds. */
async function scroll(visitor: DashboardVisitor, query: string, pages: number): Promise<number> {
  let slowest = 0
  let next: string | null = ''
  for (let page = 0; page < pages && next !== null; page += 1) {
    const begun = performance.now()
    const position: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`
    next = (await visitor.read<{ next: string | null }>(`/users?${query}${position}`)).next
    slowest = Math.max(slowest, performance.now() - begun)
  }
  return slowest
}
