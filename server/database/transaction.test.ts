import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { BeyondBudget } from './byte-budget.ts'

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
  const locked = transaction.locked()?.then(() => steps.push('locked'))
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

it('a statement that is sent with COMMIT fails nothing by the bytes of its rows, which would come too late', async () => {
  await test.database.pool.query('create table counted (n int)')
  const insert = 'insert into counted select n from generate_series(1, 100) as n returning n'
  const transaction = await test.database.begin(undefined, { read: 1_000, written: 0 })
  await transaction.query('select 1', [])
  transaction.defer(transaction.query(insert, []))
  const failed = await transaction.commit().catch(async (reason) => {
    await transaction.abandon(reason)
    return reason
  })
  expect(failed).toBeUndefined()
  expect(await test.database.query('select from counted', [])).toHaveLength(100)
  const reading = await test.database.begin(undefined, { read: 1_000, written: 0 })
  const error = await reading.query(insert, []).catch((reason) => reason)
  expect(error).toBeInstanceOf(BeyondBudget)
  await reading.abandon(error)
  expect(await test.database.query('select from counted', [])).toHaveLength(100)
})

async function insertHeld(n: number) {
  const transaction = await test.database.begin()
  transaction.hold()
  transaction.single((db) => db.query(`insert into held select $1::int from nextval('held_tries')`, [n]))
  return transaction
}

it('a single statement that is held is executed at once, and seen by others after the commit', async () => {
  await test.database.pool.query('create table held (n int primary key); create sequence held_tries')
  const transaction = await insertHeld(1)
  await expect.poll(() => readHeld('select is_called as value from held_tries')).toEqual([true])
  expect(await readHeld('select n as value from held')).toEqual([])
  await transaction.commit()
  expect(await readHeld('select n as value from held')).toEqual([1])
})

it('a single statement that is held can be rolled back, also when it has failed, and its connection goes on', async () => {
  for (const n of [2, 1]) {
    const transaction = await insertHeld(n)
    await transaction.abandon(new Error('a batch before it has failed'))
  }
  const failed = await insertHeld(1)
  const error = await failed.commit().catch((reason) => reason)
  expect(error).toMatchObject({ code: '23505' })
  await failed.abandon(error)
  const connections = test.database.pool.totalCount
  await Promise.all(Array.from({ length: 20 }, () => readHeld('select n as value from held')))
  const stored = await insertHeld(3)
  await stored.commit()
  expect(await readHeld('select n as value from held order by n')).toEqual([1, 3])
  expect(test.database.pool.totalCount).toBeGreaterThanOrEqual(connections)
})

async function readHeld(text: string): Promise<unknown[]> {
  return (await test.database.query<{ value: unknown }>(text, [])).map(({ value }) => value)
}
