import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { appliedVersion, migrate, readMigrations } from './migrate.ts'

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
