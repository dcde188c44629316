import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addNotifications, eventually } from '../../test/support/deliveries.ts'
import type { EnvironmentId } from '../database/database.ts'
import { Listener, type ListenerOptions } from './listener.ts'
import { deleteExpiredListeners } from './listener-queries.ts'

let test: TestDatabase
let environmentId: EnvironmentId
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())
beforeEach(async () => {
  environmentId = await createEnvironment(test.database)
})
afterEach(() => void vi.restoreAllMocks())

const delivered = { ok: true, status: 200, timing: { totalMs: 1 }, responseText: '' } as const

function startListener(send: () => Promise<void>) {
  const stop = new AbortController()
  const onNotification = vi.fn(async () => {})
  const sender = { send: async () => send().then(() => delivered) } as unknown as ListenerOptions['sender']
  const listener = new Listener({
    database: test.database,
    environmentId,
    topics: ['*'],
    sender,
    forwardTo: 'http://127.0.0.1:1/',
    secret: 'whsec_listener',
    onNotification,
  })
  return { onNotification, ended: listener.run(stop.signal), stop: () => stop.abort() }
}

const listeners = () =>
  test.database.query<{ id: string; until: string; is_expired: boolean }>(
    'select id, listener_until as until, listener_until < now() as is_expired from webhook_subscriptions where environment_id = $1::int and listener_until is not null',
    [environmentId],
  )

/** So much time passes, for the command and for the server, which removes what has expired. */
async function pass(ms: number): Promise<void> {
  const monotonic = performance.now() + ms
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic)
  for (const { id, until } of await listeners())
    await test.database.query(
      'update webhook_subscriptions set listener_until = $3::timestamptz where environment_id = $1::int and id = $2::uuid',
      [environmentId, id, new Date(Date.parse(until) - ms).toISOString()],
    )
  await deleteExpiredListeners(test.database, Date.now())
}

async function listening(): Promise<string> {
  await eventually('it listens', async () => (await listeners()).length === 1)
  return (await listeners())[0]?.id as string
}

it('keeps its subscription while a receiver takes 15 seconds for each notification', async () => {
  const { onNotification, ended, stop } = startListener(() => pass(15_000))
  await addNotifications(test.database, environmentId, [await listening()], 5)
  await eventually('all are forwarded', () => onNotification.mock.calls.length === 5)
  expect(await listeners()).toHaveLength(1)
  stop()
  await ended
  expect(await listeners()).toEqual([])
})

it('goes by the clock of the database', async () => {
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000)
  const { ended, stop } = startListener(async () => {})
  await listening()
  expect(await listeners()).toMatchObject([{ is_expired: false }])
  stop()
  await ended
})

it('says that it was removed, when its machine has slept', async () => {
  const { ended } = startListener(async () => {})
  const said = expect(ended).rejects.toThrow('start it again')
  await listening()
  await pass(40_000)
  await said
})
