import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, LONGEST_WAIT_MS, type TestDatabase } from '../../test/support/database.ts'
import { call } from '../../test/support/process.ts'
import { createKeys, startService, type TestService } from '../../test/support/service.ts'
import type { Exchange } from './exchange.ts'
import { ResponseDeadline } from './response-deadline.ts'
import { TIMEOUTS } from './timeouts.ts'

let test: TestDatabase
let service: TestService
/** With a deadline that no answer exceeds. */
let patient: TestService
let server: { url: string; key: string }

beforeAll(async () => {
  test = await createTestDatabase()
  const [key] = await createKeys(test.database, 'self_hosted', ['Production'])
  service = await startService(test, {}, undefined, { ...TIMEOUTS, answerMs: 500, checkMs: 50 })
  patient = await startService(test, {}, undefined, { ...TIMEOUTS, answerMs: LONGEST_WAIT_MS, checkMs: 1 })
  server = { url: service.url, key: key as string }
  await call({ ...server, url: patient.url }, 'POST', '/users', { id: 'u' })
})
afterAll(async () => {
  await Promise.all([service.close(), patient.close()])
  await test.close()
})

/** Locks the table for longer than the response deadline and shorter than the lock timeout. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const holder = await test.database.pool.connect()
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  try {
    return await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

const tookTooLong = {
  status: 503,
  body: { error: { code: 'unavailable', message: expect.stringContaining('is not known') } },
  retryAfter: '2',
}

it.each([
  ['GET', '/users/u', undefined],
  ['GET', '/users', undefined],
  ['POST', '/users', { id: 'u' }],
  ['DELETE', '/users/u', undefined],
])('%s %s that the database keeps waiting is answered, and gives back its slot', async (method, path, body) => {
  await whileLocked('users', async () => {
    expect(await call(server, method, path, body)).toMatchObject(tookTooLong)
    await expect.poll(() => service.services.concurrency.active).toBe(0)
  })
  // On a slow machine it can be over the deadline again.
  await expect.poll(async () => (await call(server, 'POST', '/users', { id: 'u' })).status).toBe(200)
})

it('a key that cannot be looked up in time is answered too, whatever the body', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, 'x'.repeat(8_000)]))
  await whileLocked('api_keys', async () => {
    const stranger = { ...server, key: `ak_${'x'.repeat(26)}` }
    expect(await call(stranger, 'POST', '/users', { id: 'large', attributes })).toMatchObject(tookTooLong)
  })
})

it('answers before the deadline are not affected', async () => {
  const given = { ...server, url: patient.url }
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(given, 'GET', '/users/u')))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})

it('an answer that has begun, as a stream without an end, is not given up and not logged', async () => {
  const exchange = (headersSent: boolean) =>
    ({ admitted: true, startedAt: 0, request: { complete: true }, response: { headersSent } }) as unknown as Exchange
  const [stream, waiting] = [exchange(true), exchange(false)]
  const givenUp: Exchange[] = []
  const deadline = new ResponseDeadline(0, 1, (late) => void givenUp.push(late))
  deadline.watch(stream)
  deadline.watch(waiting)
  // Both are looked at in one check, the stream first.
  await expect.poll(() => givenUp).toEqual([waiting])
  deadline.stop()
})
