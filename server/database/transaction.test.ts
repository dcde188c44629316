import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('a commit fails with the cause of the first statement that failed, also when later ones are seen to fail before', async () => {
  const transaction = await test.database.begin()
  transaction.start()
  const translated = transaction.query('select 1 / 0', []).catch(async () => {
    await sleep(20)
    throw new Error('what the caller makes of it')
  })
  transaction.defer(translated)
  transaction.defer(transaction.query('select 1', []))
  await expect(transaction.written()).rejects.toThrow('what the caller makes of it')
  const error = await transaction.commit().catch((reason) => reason)
  expect(error.message).toBe('what the caller makes of it')
  await transaction.abandon(error)
})
