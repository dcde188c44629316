import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createKeys, startService } from '../../test/support/service.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())

interface Line {
  level: number
  reqId?: string
}

/** Sends three requests that end in 200, 404 and 500, and returns the log line of each. */
async function logged(level: string) {
  const lines: (Line & Record<string, unknown>)[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const [key] = await createKeys(test.database, 'self_hosted', ['Production'])
  const service = await startService(test, {}, pino({ level }, stream))
  const ask = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })
    await response.text()
    return response.headers.get('request-id') as string
  }
  service.services.reader.find = () => Promise.reject(new Error('a bug'))
  const ids = [await ask('/users?email=a@b.example'), await ask('/nowhere'), await ask('/users/u')]
  await service.close()
  return { lines, of: ids.map((id) => lines.filter(({ reqId }) => reqId === id)), key: key as string }
}

it('logs successes at debug, refusals at info, failures at error, each with its request id', async () => {
  const { of, lines, key } = await logged('debug')
  expect(of).toEqual([
    [expect.objectContaining({ level: 20, operation: 'listUsers', path: '/users', status: 200 })],
    [expect.objectContaining({ level: 30, path: '/nowhere', status: 404, code: 'unknown_url' })],
    [expect.objectContaining({ level: 50, path: '/users/u', status: 500, err: expect.anything() })],
  ])
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${key}|a@b.example`))
})

it('does not log successes at the default level', async () => {
  const { of } = await logged('info')
  expect(of.map((lines) => lines.length)).toEqual([0, 1, 1])
})
