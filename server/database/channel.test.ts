import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { postgresProxy } from '../../test/support/postgres-proxy.ts'
import { LiveBus } from '../live/bus.ts'
import { LiveFeed } from '../live/feed.ts'
import { Channel, notify } from './channel.ts'
import { Database } from './database.ts'

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

describe('behind a network that swallows packets', () => {
  async function openChannel(checkMs?: number) {
    let [opened, silenced] = [0, 0]
    const received: string[] = []
    const proxy = await postgresProxy(
      () => test.connection,
      (client, postgres) => {
        opened += 1
        const own = opened
        client.on('data', (chunk) => own > silenced && postgres.write(chunk))
        postgres.on('data', (chunk) => own > silenced && client.write(chunk))
        client.on('end', () => own > silenced && postgres.end())
      },
    )
    const database = new Database({
      connection: { ...test.connection, host: '127.0.0.1', port: proxy.port },
      connections: 1,
      statementTimeoutMs: 10_000,
      lockTimeoutMs: 10_000,
      isDistributed: test.database.isDistributed,
    })
    const onMessage = (payload: string) => received.push(payload)
    const channel = new Channel(database, silent, {
      ...{ name: 'usher_test', warning: '', onMessage },
      ...(checkMs !== undefined && { checkMs }),
    })
    onTestFinished(async () => {
      await channel.close()
      await database.close()
      proxy.close()
    })
    await channel.open()
    const silence = () => {
      silenced = opened
    }
    return { channel, received, silence }
  }

  it('the connection is replaced, and messages are received again', async () => {
    const { received, silence } = await openChannel(1_000)
    const isReceived = (text: string) => async () => {
      await notify(test.database, 'usher_test', text)
      return received.includes(text)
    }
    await expect.poll(isReceived('first'), { interval: 100 }).toBe(true)
    silence()
    await expect.poll(isReceived('later'), { interval: 100 }).toBe(true)
  })

  it('a stop does not wait for it', async () => {
    const { channel, silence } = await openChannel()
    silence()
    await channel.close()
  })
})
