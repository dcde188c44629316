import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { Replica } from './replica.ts'

it('a replica whose connections broke is asked again how far it is: after a crash it has replayed less', async () => {
  const pool = new EventEmitter()
  const state = { systemId: '1', isStandby: true, timeline: 1, bytes: 100 }
  const database = { pool, query: async () => [{ ...state }] } as unknown as Database
  const replica = new Replica('standby', database, 1_000)
  await replica.check('1', { timeline: 1, bytes: 100 }, 0)
  expect(await replica.reaches({ timeline: 1, bytes: 90 })).toBe(true)
  state.bytes = 50
  pool.emit('error', new Error('Connection terminated unexpectedly'))
  expect(await replica.reaches({ timeline: 1, bytes: 90 })).toBe(false)
})

it('after a failover what only the lost primary had written does not count as lag', async () => {
  const state = { systemId: '1', isStandby: true, timeline: 1, bytes: 400 }
  const database = { pool: new EventEmitter(), query: async () => [{ ...state }] } as unknown as Database
  const replica = new Replica('standby', database, 1_000)
  for (const nowMs of [0, 500]) await replica.check('1', { timeline: 1, bytes: 500 }, nowMs)
  expect(await replica.reaches({ timeline: 1, bytes: 500 })).toBe(false)
  Object.assign(state, { timeline: 2, bytes: 450 })
  await replica.check('1', { timeline: 2, bytes: 450 }, 60_000)
  expect([replica.state, replica.lagMs]).toEqual(['used', 0])
})
