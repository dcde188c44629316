import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition } from '../contract/conditions/condition.ts'
import { paths } from '../contract/dashboard/paths.ts'
import { startTestServer, type TestServer } from './support/client.ts'
import { memberOf } from './support/dashboard.ts'

/** The largest condition: a hundred leaves over fifty attributes. */
const condition: Condition = {
  any: Array.from({ length: 100 }, (_, n) => ({ attribute: `a${n % 50}`, is: 'at_least', value: n })),
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const [id, a7] of Object.entries({ ada: 60, bob: 7, cleo: 6 }))
    await server.client.post('/users', { id, attributes: { a7, a8: 'text', a9: 8 } })
})
afterAll(async () => await server.close())

/** The processes of PostgreSQL that count it. They show the first 1,024 bytes of their statement. */
async function running(): Promise<number> {
  const rows = await server.database.query(
    `select pid from pg_stat_activity
      where query like '%line\\_0 or line\\_1 or line\\_2 or%' and state = 'active' and pid <> pg_backend_pid() and datname = current_database()`,
    [],
  )
  return rows.length
}

/** How many connections PostgreSQL has ended because their client was gone. A count over its time ends its own instead. */
async function abandoned(): Promise<number> {
  const [row] = await server.database.query<{ count: number }>(
    'select (sessions_abandoned + sessions_fatal)::int as count from pg_stat_database where datname = current_database()',
    [],
  )
  return row?.count ?? 0
}

/** Runs it while nobody can read users. */
async function whileBlocked(work: () => Promise<void>): Promise<void> {
  const client = await server.database.pool.connect()
  await client.query('begin; lock table users in access exclusive mode')
  try {
    await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

it('a hundred leaves over fifty attributes are counted, each by itself', async () => {
  const { body } = await server.client.post('/segments/count', { condition })
  expect([body.count, body.exact]).toEqual([2, true])
  const lines = (body.lines as { count: number }[]).map(({ count }) => count)
  expect([lines.length, lines[7], lines[57], lines[8], lines[9]]).toEqual([100, 2, 1, 0, 0])
})

it.each(['the API', 'the dashboard'])('PostgreSQL stops counting when the client of %s goes away', async (which) => {
  const { cookie } = await memberOf(server, 'member')
  const ofDashboard = paths.countCondition.path.replace(':environment', 'production')
  const [path, headers] =
    which === 'the API'
      ? ['/segments/count', { authorization: `Bearer ${server.key}` }]
      : [ofDashboard, { cookie: cookie as string, origin: server.url }]
  const leaving = new AbortController()
  const before = await abandoned()
  await whileBlocked(async () => {
    const asked = fetch(server.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ condition }),
      signal: leaving.signal,
    })
    const refused = expect(asked).rejects.toThrow()
    await expect.poll(running).toBe(1)
    leaving.abort()
    await refused
    await expect.poll(abandoned).toBe(before + 1)
    expect(await running()).toBe(0)
  })
})
