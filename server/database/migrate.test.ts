import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { withLockRetries } from './lock-retries.ts'
import { appliedVersion, migrate } from './migrate.ts'
import { readMigrations, refuseSameNumber } from './migration-files.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('changes nothing when the database is up to date, also with ten nodes at once', async () => {
  const latest = (await readMigrations()).at(-1)?.version
  const results = await Promise.all(Array.from({ length: 10 }, () => migrate(test.connection)))
  expect(results).toEqual(Array.from({ length: 10 }, () => ({ from: latest, to: latest })))
})

it('refuses a database that is newer than the code, and leaves it as it is', async () => {
  const client = new pg.Client(test.connection)
  await client.connect()
  await client.query("insert into schema_migrations values (9999, 'from the future', now())")
  await expect(migrate(test.connection)).rejects.toThrow(/schema version 9999.*install the Usher that wrote it/)
  expect(await appliedVersion(client)).toBe(9999)
  await client.query('delete from schema_migrations where version = 9999')
  await client.end()
})

it('starts on a newer schema when all newer migrations only add, and changes nothing', async () => {
  const client = new pg.Client(test.connection)
  await client.connect()
  await client.query("insert into schema_migrations values (9998, 'only adds', now(), 40)")
  const latest = (await readMigrations()).at(-1)?.version
  expect(await migrate(test.connection)).toEqual({ from: 9998, to: 9998 })
  await client.query("insert into schema_migrations values (9999, 'changes', now(), 9999)")
  await expect(migrate(test.connection)).rejects.toThrow(/schema version 9999/)
  await client.query('delete from schema_migrations where version > $1::int', [latest])
  await client.end()
})

it('applies a migration that was released late, below the latest one, and says so', async () => {
  const all = await readMigrations()
  const made = (version: number) => ({
    ...{ version, name: `made_${version}`, isTransaction: true },
    statements: [`create table made_${version} (n int)`],
  })
  const latest = all.at(-1)?.version as number
  expect(await migrate(test.connection, [...all, made(9001)])).toEqual({ from: latest, to: 9001 })
  const late = [...all, made(9000), made(9001)]
  expect(await migrate(test.connection, late)).toEqual({ from: latest, to: 9001 })
  expect(await migrate(test.connection, late)).toEqual({ from: 9001, to: 9001 })
  const client = new pg.Client(test.connection)
  await client.connect()
  await client.query('drop table made_9000, made_9001')
  await client.query('delete from schema_migrations where version >= 9000')
  await client.end()
})

it('refuses two migrations with one number, by name', () => {
  expect(() => refuseSameNumber(['0001_a.sql', '0002_b.sql', '0002_c.sql'])).toThrow('0002_b.sql and 0002_c.sql')
})

it('lets other statements pass while a migration waits for a lock, and applies it when the lock is free', async () => {
  const [holder, migrating] = [new pg.Client(test.connection), new pg.Client(test.connection)]
  await Promise.all([holder.connect(), migrating.connect()])
  await holder.query('begin')
  await holder.query('select from accounts')
  let tries = 0
  const change = async () => {
    tries += 1
    if (tries === 3) await holder.query('commit')
    await migrating.query('alter table accounts add column if not exists tried int')
  }
  await withLockRetries(migrating, change, { timeoutMs: 20, pauseMs: 1 })
  expect(tries).toBe(3)
  await holder.query('begin')
  await holder.query('select from accounts')
  const again = () => migrating.query('alter table accounts drop column tried')
  await expect(withLockRetries(migrating, again, { timeoutMs: 20, pauseMs: 1, tries: 2 })).rejects.toThrow(
    /keeps a lock/,
  )
  await holder.query('rollback')
  await again()
  await Promise.all([holder.end(), migrating.end()])
})
