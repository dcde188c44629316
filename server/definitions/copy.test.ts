import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { countLockWaits } from '../../test/support/lock-waits.ts'
import type { EnvironmentId } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { copyDescriptions } from './copy.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

/** In this order in the table. */
async function define(environmentId: EnvironmentId, names: readonly string[], description: string): Promise<void> {
  for (const name of names)
    await test.database.query(
      `insert into event_definitions (environment_id, id, name, display_name, description, created_at)
       values ($1::int, gen_random_uuid(), $2::text, $2::text, $3::text, now())`,
      [environmentId, name, description],
    )
}

it('locks definitions in the order of their names, as the writer of their counts does', async () => {
  const { database } = test
  const [from, to] = [await createEnvironment(database), await createEnvironment(database)]
  await define(from, ['b', 'a'], 'What it means.')
  await define(to, ['b', 'a'], '')
  const counting = await database.begin()
  const lock = async (name: string) =>
    await counting.query(
      'select id from event_definitions where environment_id = $1::int and name = $2::text for no key update',
      [to, name],
    )
  counting.start()
  await lock('a')
  const copied = inTransaction(database, (transaction) => copyDescriptions(transaction, from, to))
  await expect.poll(() => countLockWaits(database)).toBe(1)
  // PostgreSQL would end one of the two if the copy had this one already.
  await lock('b')
  await counting.commit()
  expect(await copied).toEqual({ events: 2, attributes: 0 })
})
