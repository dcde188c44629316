import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { LiveBus } from '../live/bus.ts'
import { LiveFeed } from '../live/feed.ts'
import { Channel, notify } from './channel.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('a message that cannot be read is logged, and the next one is received', async () => {
  const warnings: string[] = []
  const received: string[] = []
  const onMessage = (payload: string) => received.push((JSON.parse(payload) as { text: string }).text)
  const log = { ...silent, warn: (_: object, message: string) => void warnings.push(message) }
  const channel = new Channel(test.database, log, { name: 'usher_test', warning: '', onMessage })
  onTestFinished(() => channel.close())
  await channel.open()
  for (const payload of ['', 'not JSON', 'null', '{"text":"read"}']) await notify(test.database, 'usher_test', payload)
  await expect.poll(() => received).toEqual(['read'])
  expect(warnings).toHaveLength(3)
})

it('requests of other nodes are received after a message of another form', async () => {
  const bus = new LiveBus(test.database, silent, new LiveFeed())
  onTestFinished(() => bus.close())
  const received: number[] = []
  bus.onRequests = (environmentId) => received.push(environmentId)
  await bus.open()
  await notify(test.database, 'usher_live', 'not JSON')
  const message = { node: 'other', kind: 'requests', environment: 7, watcher: null, requests: [], leftOut: 1 }
  await notify(test.database, 'usher_live', JSON.stringify(message))
  await expect.poll(() => received).toEqual([7])
})
