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

it('holds its locks when all but the changes of locked rows are answered, and commits after those too', async () => {
  const transaction = await test.database.begin()
  transaction.start()
  const [changes, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  transaction.deferLocked(changes.promise)
  await transaction.locked()
  transaction.defer(others.promise)
  const steps: string[] = []
  const locked = transaction.locked().then(() => steps.push('locked'))
  const committed = transaction.commit().then(() => steps.push('committed'))
  await test.database.query('select 1', [])
  expect(steps).toEqual([])
  others.resolve()
  await locked
  expect(steps).toEqual(['locked'])
  changes.resolve()
  await committed
  expect(steps).toEqual(['locked', 'committed'])
})
