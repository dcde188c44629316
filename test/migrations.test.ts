import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, it, onTestFinished } from 'vitest'
import { hashKey, keyHints, newKey } from '../server/accounts/keys.ts'
import { APPLICATION_NAME } from '../server/database/database.ts'
import { applyMigrations, migrate } from '../server/database/migrate.ts'
import { FIRST_RELEASE, readMigrations } from '../server/database/migration-files.ts'
import { usherJson } from './support/command.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { startNode } from './support/node.ts'
import { call, spawnServer } from './support/process.ts'

/** What the first Usher that kept users, groups and events had. */
const FIRST = 2

const AS_IS = { transact: (work: () => Promise<void>) => work() }

let test: TestDatabase

beforeEach(async () => {
  test = await createEmptyDatabase()
})
afterEach(() => test.close())

/** As the server of then would have stored it; returns the key that opens it. */
async function fillFirstSchema(client: pg.Client): Promise<string> {
  await applyMigrations(client, AS_IS, await readMigrations(FIRST))
  const key = newKey()
  const { prefix, lastFour } = keyHints(key)
  const at = '2025-01-02T03:04:05.678Z'
  await client.query("insert into accounts (name, plan, created_at) values ('Acme', 'growth', $1)", [at])
  await client.query("insert into environments (account_id, name, created_at) values (1, 'Production', $1)", [at])
  await client.query(
    'insert into api_keys (environment_id, hash, prefix, last_four, created_at) values (1, $1, $2, $3, $4)',
    [hashKey(key), prefix, lastFour, at],
  )
  await client.query(
    `insert into users
     select 1, 'u' || n, jsonb_build_object('name', 'User ' || n, 'n', n), $1, 'sUser ' || n, '', '', null
       from generate_series(1, 1000) as n`,
    [at],
  )
  await client.query(`insert into groups values (1, 'g', '{"plan": "growth"}', $1, '')`, [at])
  await client.query(
    `insert into group_memberships select 1, id, 'g', gen_random_uuid(), '{"role": "owner"}', $1, $1, $1 from users`,
    [at],
  )
  await client.query(
    `insert into events select 1, gen_random_uuid(), 'tick', id, 'g', '{"seats": 5}', $1, $1 from users`,
    [at],
  )
  await client.query("insert into attribute_definitions values (1, $1, 'user', 'n', 'number', 'N', '', 0, $2)", [
    randomUUID(),
    at,
  ])
  await client.query("insert into event_definitions values (1, $1, 'tick', 'Tick', '', $2)", [randomUUID(), at])
  await client.query("insert into event_attribute_uses values (1, 'tick', 'seats')")
  return key
}

it('all data of the first schema is present and usable after all migrations', async () => {
  const client = new pg.Client(test.connection)
  await client.connect()
  const key = await fillFirstSchema(client)
  const latest = (await readMigrations()).at(-1)?.version
  expect(await migrate(test.connection)).toEqual({ from: FIRST, to: latest })
  const { rows } = await client.query(
    `select (select count(*)::int from users) as users, (select count(*)::int from group_memberships) as memberships,
            (select count(*)::int from events) as events`,
  )
  await client.end()
  expect(rows).toEqual([{ users: 1_000, memberships: 1_000, events: 1_000 }])

  // In a process of its own: it makes ids after those of the old events, which are of no time.
  const server = { ...(await start(spawnServer, { DATABASE_URL: test.url })), key }
  expect(await call(server, 'GET', '/users/u7?expand=memberships.group')).toMatchObject({
    status: 200,
    body: {
      attributes: { name: 'User 7', n: 7 },
      created_at: '2025-01-02T03:04:05.678Z',
      memberships: [{ attributes: { role: 'owner' }, group: { attributes: { plan: 'growth' } } }],
    },
  })
  const upsert = { id: 'u7', attributes: { n: { add: 1 } }, groups: [{ id: 'g' }] }
  expect(await call(server, 'POST', '/users', upsert)).toMatchObject({ body: { attributes: { n: 8 } } })
  expect(await call(server, 'GET', '/attribute_definitions?event_name[]=tick')).toMatchObject({ status: 200 })
  expect((await call(server, 'GET', '/users?order_by=-attributes.name&limit=1')).body.data[0].id).toBe('u999')
  expect(await call(server, 'DELETE', '/users/u7')).toMatchObject({ status: 200 })
})

const versions = (await readMigrations()).map(({ version }) => version)
const unreleased = versions.filter((version) => version >= FIRST && version < FIRST_RELEASE)

// From the first version every migration runs over data. The long tests try every version.
it.each(inject('isLong') ? unreleased : [unreleased[0], unreleased.at(-1)])(
  'from version %i with data in it: refused while a server of it is connected, which can go on; afterwards nothing is lost',
  async (from) => {
    const client = new pg.Client(test.connection)
    await client.connect()
    const key = await fillFirstSchema(client)
    await applyMigrations(client, AS_IS, await readMigrations(from))
    const old = new pg.Client({ ...test.connection, application_name: APPLICATION_NAME })
    await old.connect()
    const refusal = `schema version ${from}, and a server of that version is using it: stop every node of it`
    await expect(migrate(test.connection)).rejects.toThrow(refusal)
    // As the earlier version does it, in its schema: nothing was changed under it.
    const { rows } = await old.query('select max(version) as version from schema_migrations')
    expect(rows).toEqual([{ version: from }])
    await old.query(`update users set attributes = attributes || '{"n": 0}' where id = 'u7'`)
    await old.end()

    await expect
      .poll(async () => await migrate(test.connection).catch(() => undefined))
      .toEqual({ from, to: versions.at(-1) })
    const { rows: held } = await client.query(
      `select (select count(*)::int from users) as users, (select count(*)::int from group_memberships) as memberships,
              (select count(*)::int from events) as events, (select count(*)::int from api_keys) as keys`,
    )
    expect(held).toEqual([{ users: 1_000, memberships: 1_000, events: 1_000, keys: 1 }])
    await client.end()
    expect(key).toMatch(/^ak_/)
  },
)

it('applies a migration whose number is below the latest and that is missing', async () => {
  const client = new pg.Client(test.connection)
  await client.connect()
  await applyMigrations(client, AS_IS, await readMigrations(30))
  await client.query('drop table idempotency_keys')
  await client.query('delete from schema_migrations where version = 20')
  await migrate(test.connection)
  expect((await client.query(`select to_regclass('idempotency_keys') is not null as found`)).rows).toEqual([
    { found: true },
  ])
  await client.end()
})

/**
 * What leaves the statements of the version before it working: new tables and indexes, and columns that may be left out. An
 * index that goes makes some of them slower; a unique one is named by inserts, and stays.
 */
function keepsEarlierServing(
  statement: string,
  newTables: readonly string[] = [],
  uniqueIndexes: readonly string[] = [],
): boolean {
  const sql = statement
    .replace(/^\s*--.*$/gm, '')
    .trim()
    .toLowerCase()
  // A rule that a migration lifts for its own statements is there again at its end (checked below).
  if (/^alter table \w+ (?:disable|enable) rule \w+$/.test(sql)) return true
  if (/^alter table/.test(sql)) {
    const changes = sql.split(/,\s*(?=add |drop |alter |rename )/)
    return changes.every(
      (change) =>
        /\bset \(/.test(change) ||
        (/\badd column\b/.test(change) && (/\bdefault\b/.test(change) || !/not null/.test(change))),
    )
  }
  const unique = /^create unique index \w+ on (\w+)/.exec(sql)?.[1]
  if (unique !== undefined) return newTables.includes(unique)
  const dropped = /^drop index (\w+)$/.exec(sql)?.[1]
  if (dropped !== undefined) return !uniqueIndexes.includes(dropped)
  return /^(create (table|index)|comment on|insert into|update|with)\b/.test(sql)
}

/** Those that the same migration makes: no earlier code writes to them. */
function tablesOf(statements: readonly string[]): string[] {
  return statements.flatMap((statement) => /^create table (\w+)/m.exec(statement)?.[1] ?? [])
}

function uniqueIndexesOf(statements: readonly string[]): string[] {
  return statements.flatMap((statement) => /^create unique index (\w+)/m.exec(statement)?.[1] ?? [])
}

it('every migration after the first release leaves the version before it able to serve', async () => {
  const all = await readMigrations()
  const later = all.filter(({ version }) => version > FIRST_RELEASE)
  const unique = all.flatMap(({ statements }) => uniqueIndexesOf(statements))
  const breaking = later.flatMap(({ name, statements }) =>
    statements
      .filter((statement) => !keepsEarlierServing(statement, tablesOf(statements), unique))
      .map((statement) => `${name}: ${statement}`),
  )
  expect(breaking).toEqual([])
  for (const statement of [
    'drop table users',
    'alter table users rename column id to key',
    'alter table users add column slug text not null',
    'alter table users add column a text, drop column b',
    'create unique index one on users (email_key)',
  ])
    expect(keepsEarlierServing(statement), statement).toBe(false)
  expect(unique.length).toBeGreaterThan(0)
  expect(keepsEarlierServing(`drop index ${unique[0]}`, [], unique)).toBe(false)
  expect(
    keepsEarlierServing("-- why\nalter table users add column a text, add column b text not null default ''"),
  ).toBe(true)
})

it('values of users, groups and events in audit entries from before they had a table of their own move there, and those of deleted users and groups go', async () => {
  const client = new pg.Client(test.connection)
  await client.connect()
  await fillFirstSchema(client)
  await applyMigrations(client, AS_IS, await readMigrations(45))
  const entry = (id: number, kind: string, target: string, before: object, environment: string | null = 'production') =>
    client.query(
      `insert into audit_entries (account_id, id, at, actor_kind, actor_name, action, target_kind, target_id, environment, before)
       values (1, $1::uuid, now(), 'member', 'Ada', $2::text || '.changed', $2::text, $3::text, $4::text, $5::jsonb)`,
      [`00000000-0000-7000-8000-00000000000${id}`, kind, target, environment, JSON.stringify(before)],
    )
  await entry(1, 'user', 'u7', { email: 'of u7' })
  await entry(2, 'user', 'gone', { email: 'of the deleted user' })
  await entry(3, 'key', '4', { name: 'Server' })
  await entry(4, 'group', 'g', { plan: 'of g' })
  await entry(5, 'group', 'gone', { plan: 'of the deleted group' })
  await entry(6, 'event', 'e', { user_id: 'u7', group_id: 'g' })
  await migrate(test.connection)
  const { rows: entries } = await client.query('select before, fields from audit_entries order by id')
  expect(entries).toEqual([
    { before: null, fields: ['email'] },
    { before: null, fields: ['email'] },
    { before: { name: 'Server' }, fields: null },
    { before: null, fields: ['plan'] },
    { before: null, fields: ['plan'] },
    { before: null, fields: ['group_id', 'user_id'] },
  ])
  const { rows: values } = await client.query(
    'select environment_id, user_id, group_id, before from audit_values order by entry_id',
  )
  expect(values).toEqual([
    { environment_id: 1, user_id: 'u7', group_id: null, before: { email: 'of u7' } },
    { environment_id: 1, user_id: null, group_id: 'g', before: { plan: 'of g' } },
    { environment_id: 1, user_id: 'u7', group_id: 'g', before: { user_id: 'u7', group_id: 'g' } },
  ])
  const { rowCount } = await client.query("update audit_entries set actor_name = 'another'")
  expect(rowCount).toBe(0)
  await client.end()
})

/** As a version up to 4 made them: in `public`. */
async function makeEarlierTables(upTo: number): Promise<void> {
  const client = new pg.Client(test.connection)
  await client.connect()
  await client.query('set search_path to public')
  await client.query(
    'create table schema_migrations (version int primary key, name text not null, applied_at timestamptz not null)',
  )
  for (const { version, name, statements } of await readMigrations(upTo)) {
    for (const statement of statements) await client.query(statement)
    await client.query('insert into schema_migrations values ($1, $2, now())', [version, name])
  }
  if (upTo >= 3) {
    const range = `from ('01900000-0000-0000-0000-000000000000') to ('01a00000-0000-0000-0000-000000000000')`
    await client.query(
      `create table webhook_notifications_20260310 partition of webhook_notifications for values ${range}`,
    )
  }
  await client.query("insert into accounts (name, plan, created_at) values ('Acme', 'growth', now())")
  await client.end()
}

async function tablesIn(schema: string): Promise<string[]> {
  const rows = await test.database.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = $1::regnamespace and relkind in ('r', 'p') order by relname`,
    [schema],
  )
  return rows.map(({ name }) => name)
}

it.each(inject('isLong') ? [1, 2, 3, 4] : [1, 4])(
  'moves the tables of version %i out of public, and all their rows and partitions',
  async (from) => {
    await makeEarlierTables(from)
    const latest = (await readMigrations()).at(-1)?.version
    expect(await migrate(test.connection)).toEqual({ from, to: latest })
    expect(await tablesIn('public')).toEqual(['schema_migrations'])
    expect(await tablesIn('usher')).toContain('rate_limits')
    if (from >= 3) expect(await tablesIn('usher')).toContain('webhook_notifications_20260310')
    expect(await test.database.query('select id, name from usher.accounts', [])).toEqual([{ id: 1, name: 'Acme' }])
    expect(await start(startNode, { DATABASE_URL: test.url, USHER_API_KEY: '' })).toMatchObject({ firstKey: undefined })
  },
)

it('leaves behind what makes an earlier version refuse the database, and does not move anything twice', async () => {
  await makeEarlierTables(4)
  await migrate(test.connection)
  const [{ version } = { version: 0 }] = await test.database.query<{ version: number }>(
    'select max(version) as version from public.schema_migrations',
    [],
  )
  expect(version).toBe(5)
  await test.database.query('drop schema usher cascade', [])
  expect(await migrate(test.connection)).toMatchObject({ from: 0 })
})

it('a backup of the tables of an earlier version holds them, and moves nothing', async () => {
  await makeEarlierTables(4)
  const folder = await temporaryFolder()
  const before = await tablesIn('public')
  await usherJson(['backup', join(folder, 'backup')], { DATABASE_URL: test.url })
  expect(await tablesIn('public')).toEqual(before)
  const target = await createTestDatabase()
  onTestFinished(() => target.close())
  const restored = await usherJson(['restore', join(folder, 'backup')], { DATABASE_URL: target.url })
  expect(restored).toMatchObject({ rows: { accounts: 1 } })
  expect(await target.database.query('select name from accounts', [])).toEqual([{ name: 'Acme' }])
  await rm(folder, { recursive: true, force: true })
})

async function start<Server extends { end(): Promise<unknown> }>(
  run: (settings: Record<string, string>) => Promise<Server>,
  settings: Record<string, string>,
): Promise<Server> {
  const server = await run(settings)
  onTestFinished(async () => void (await server.end()))
  return server
}

it('two nodes that start at once on an empty database both come up, with one account, and one key between them', async () => {
  const folders = await Promise.all([temporaryFolder(), temporaryFolder()])
  const both = await Promise.all(
    folders.map((USHER_DATA_DIR) => start(spawnServer, { DATABASE_URL: test.url, USHER_API_KEY: '', USHER_DATA_DIR })),
  )
  const counts = await test.database.query(
    `select (select count(*) from accounts) as accounts, (select count(*) from environments) as environments,
            (select count(*) from api_keys) as keys`,
    [],
  )
  expect(counts).toEqual([{ accounts: 1, environments: 2, keys: 1 }])
  const filesOf = async () =>
    await Promise.all(folders.map((folder) => readFile(join(folder, 'first-steps.json'), 'utf8').catch(() => '')))
  const keysShown = async () => (await filesOf()).flatMap((text) => text.match(/ak_[a-z2-7]{26}(?=",)/g) ?? [])
  await expect.poll(keysShown).toHaveLength(1)
  const key = (await keysShown())[0] as string
  for (const { url } of both) expect(await call({ url, key }, 'GET', '/users')).toMatchObject({ status: 200 })
})
