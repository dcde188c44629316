import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { exampleBanner } from '../../contract/content/examples.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { Database } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { pushWarnings } from './push-warnings.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('a count that PostgreSQL does not answer in time keeps nothing from being published', async () => {
  const environmentId = await createEnvironment(test.database)
  const limits = { connections: 2, statementTimeoutMs: 20_000, lockTimeoutMs: 50 }
  const database = new Database({ connection: test.connection, ...limits })
  onTestFinished(() => database.close())
  const documents = [{ ...exampleBanner, who: { attribute: 'plan', is: 'equals' as const, value: 'none' } }]
  const warn = async () => await pushWarnings({ database, environmentId, now: Date.now(), documents })
  const locked = await inTransaction(test.database, async (db) => {
    await db.query('lock table users in access exclusive mode', [])
    return await warn()
  })
  expect(locked).toEqual([])
  expect(await warn()).toEqual([{ path: 'documents[0].document.who', message: 'nobody matches now' }])
})

it('a client that goes away ends the count, and not the push', async () => {
  const environmentId = await createEnvironment(test.database)
  const documents = [{ ...exampleBanner, who: { attribute: 'plan', is: 'equals' as const, value: 'none' } }]
  const request = { database: test.database, environmentId, now: Date.now(), documents }
  expect(await pushWarnings({ ...request, signal: AbortSignal.abort() })).toEqual([])
})
