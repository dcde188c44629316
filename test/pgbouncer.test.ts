import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { usher, usherProcess } from './support/command.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { startNode } from './support/node.ts'
import { PGBOUNCER, type Pooler, startPgbouncer } from './support/pgbouncer.ts'
import { call } from './support/process.ts'
import { httpReceiver } from './support/receivers.ts'

let test: TestDatabase
let pooler: Pooler | undefined

beforeEach(async () => {
  test = await createTestDatabase()
})
afterEach(async () => {
  await pooler?.close()
  await test.close()
})

describe.runIf(PGBOUNCER)('behind PgBouncer', () => {
  it.each(['transaction', 'statement'])('in %s mode the start is refused in one line', async (mode) => {
    pooler = await startPgbouncer(test.connection, mode)
    const settings = { DATABASE_URL: pooler.url, PORT: '0' }
    for (const [run, words] of [
      [usherProcess, ['start']],
      [usher, ['keys', 'list']],
    ] as const) {
      const { code, stdout, stderr } = await run(words, settings)
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^[^\n]*pool_mode = session[^\n]*\n$/),
      })
    }
  })

  it('in session mode writes, lists, webhooks and commands work', async () => {
    pooler = await startPgbouncer(test.connection, 'session')
    const settings = { DATABASE_URL: pooler.url, USHER_SECRET_KEY: 'b'.repeat(64) }
    const received: string[] = []
    const receiver = await httpReceiver((request, response) => {
      received.push(request.url ?? '')
      request.resume()
      response.end('ok')
    })
    const server = await startNode(settings)
    try {
      await call(server, 'POST', '/webhook_subscriptions', {
        url: `http://127.0.0.1:${receiver.port}/`,
        topics: ['user'],
      })
      expect(await call(server, 'POST', '/users', { id: 'ada', groups: [{ id: 'g' }] })).toMatchObject({ status: 200 })
      expect(await call(server, 'GET', '/users?group_id=g')).toMatchObject({ body: { data: [{ id: 'ada' }] } })
      await expect.poll(() => received.length).toBe(1)
      expect((await usher(['doctor'], settings)).stdout).toContain('Nothing is wrong.')
      await server.end()
      expect(server.output()).not.toMatch(/"level":"(warn|error)"/)
    } finally {
      await server.end()
      await receiver.close()
    }
  })
})
