import { EventEmitter } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../test/support/deliveries.ts'
import { silent } from '../../test/support/log.ts'
import type { Database } from '../database/database.ts'
import { Replica } from './replica.ts'
import { Replicas } from './replicas.ts'

/** A database whose every statement answers with this row. */
const answering = (row: object) =>
  ({ pool: new EventEmitter(), query: async () => [{ ...row }], close: async () => {} }) as unknown as Database

it('a replica of the database that was there before is not used when the address of the primary leads to another', async () => {
  const primary = { id: 'old', timeline: 1, bytes: 500 }
  const standby = answering({ systemId: 'old', isStandby: true, timeline: 1, bytes: 500 })
  const replica = new Replica('standby', standby, 1_000)
  const replicas = new Replicas(answering(primary), [replica], silent)
  await replicas.start()
  onTestFinished(() => replicas.stop())
  expect(replica.state).toBe('used')
  // As after a move to another version of PostgreSQL: the log of the new one is shorter.
  Object.assign(primary, { id: 'new', bytes: 100 })
  await eventually('it is left out', () => replica.state === 'of another database system')
})
