import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { migrate } from '../server/database/migrate.ts'
import { type Migration, readMigrations } from '../server/database/migration-files.ts'
import { openSession, type Session } from '../server/database/session.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { eventually } from './support/deliveries.ts'
import { startNode, type TestNode } from './support/node.ts'
import { call } from './support/process.ts'

/** A migration of a later version. */
const LATER: Migration = {
  version: 9_000,
  name: '9000_users_by_age',
  statements: ['create index concurrently if not exists users_by_age on users (environment_id, created_at, id)'],
  isTransaction: false,
}

let test: TestDatabase
/** Writes to the table: the index waits for its end, and then for every snapshot that is older than that. */
let writer: Session

beforeEach(async () => {
  test = await createTestDatabase()
  writer = await openSession(test.connection)
  await writer.query('begin')
  await writer.query('lock table users in row exclusive mode')
})
afterEach(async () => {
  await writer.end()
  await test.close()
})

/** The sessions whose latest statement is this one, and that wait for a lock of PostgreSQL if they have to. */
async function sessions(statement: string, waitsFor: string | null): Promise<number[]> {
  const rows = await test.database.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like $1::text
        and ($2::text is null or wait_event_type = $2::text)`,
    [statement, waitsFor],
  )
  return rows.map(({ pid }) => pid)
}
const building = () => sessions('create index concurrently%', 'Lock')
const waiting = () => sessions('select pg_%advisory_lock%', null)

async function indexes(): Promise<unknown[]> {
  return await test.database.query(
    `select indisvalid as "isValid", (select count(*)::int from schema_migrations where version = 9000) as applied
       from pg_index where indexrelid = to_regclass('usher.users_by_age')`,
    [],
  )
}

const upgrade = async () => await migrate(test.connection, [...(await readMigrations()), LATER])

async function startUpgraded(): Promise<TestNode> {
  await upgrade()
  return await startNode({ DATABASE_URL: test.url })
}

it.skipIf(inject('cluster').isDistributed)(
  'two nodes that start at once both come up when one makes an index concurrently and the other waits for it',
  async () => {
    const first = startUpgraded()
    await eventually('the index waits for the writer', async () => (await building()).length === 1)
    const second = startUpgraded()
    await eventually('the second node waits for the first', async () => (await waiting()).length > 0)
    await writer.query('commit')
    const nodes = await Promise.all([first, second])
    for (const node of nodes) expect(await call(node, 'GET', '/users')).toMatchObject({ status: 200 })
    expect(await indexes()).toEqual([{ isValid: true, applied: 1 }])
    await Promise.all(nodes.map((node) => node.end()))
  },
)

it.skipIf(inject('cluster').isDistributed)(
  'writes go on while an index is made concurrently; one whose making was interrupted is made again at the next start',
  async () => {
    const interrupted = upgrade().catch((error: Error) => error)
    await eventually('the index waits for the writer', async () => (await building()).length === 1)
    await test.database.query("insert into accounts (name, plan, created_at) values ('Acme', 'growth', now())", [])
    await test.database.query('select pg_terminate_backend($1::int)', await building())
    expect(await interrupted).toBeInstanceOf(Error)
    expect(await indexes()).toEqual([{ isValid: false, applied: 0 }])
    await writer.query('commit')
    await upgrade()
    expect(await indexes()).toEqual([{ isValid: true, applied: 1 }])
  },
)
