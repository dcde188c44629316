import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { createEnvironment } from '../../test/support/environment.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { findMarks } from './guidance-queries.ts'

it('the marks of environments are read while the worker of another one does not answer', async () => {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  const { database } = test
  const environments = [await createEnvironment(database), await createEnvironment(database)]
  const [off, empty] = environments as [EnvironmentId, EnvironmentId]
  const lost = await createEnvironment(database)
  await database.query('insert into guidance (environment_id, is_off) values ($1::int, true)', [off])
  const cluster = (isDistributed: boolean): Queryable => ({
    isDistributed,
    query: async (text, values) => {
      if ((values[0] as EnvironmentId[]).includes(lost)) throw new Error('the worker does not answer')
      return await database.query(text, values)
    },
  })
  const marks = await findMarks(cluster(true), [off, lost, empty])
  expect(marks).toEqual(
    new Map([
      [off, { revision: '0', isOff: true }],
      [empty, { revision: '', isOff: false }],
    ]),
  )
  await expect(findMarks(cluster(true), [lost])).rejects.toThrow('the worker does not answer')
  await expect(findMarks(cluster(false), [off, lost])).rejects.toThrow('the worker does not answer')
})
