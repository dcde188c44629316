import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { createEnvironment } from '../../test/support/environment.ts'
import type { EnvironmentId } from './database.ts'
import { eachLiveEnvironment } from './each-environment.ts'

it('environments that fail hold up no other, and the first failure is thrown when all others are done', async () => {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  const { database } = test
  const environments: EnvironmentId[] = []
  while (environments.length < 8) environments.push(await createEnvironment(database))
  const [last] = environments.slice(-1)
  const done: number[] = []
  const work = eachLiveEnvironment(database, async (id) => {
    if (environments.indexOf(id) < 5) throw new Error(`${id} fails`)
    // The one that is asked last needs a round trip more.
    if (id === last) await database.query('select 1', [])
    done.push(id)
  })
  await expect(work).rejects.toThrow(`${environments[0]} fails`)
  expect(done.sort()).toEqual(environments.slice(5))
})
