import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { addSubscription, eventually } from '../support/deliveries.ts'
import { countRemains, insertManyEvents } from '../support/many-events.ts'

const EVENTS = 2_000_000
/** Writes between two looks at what is left. */
const LOOK_EVERY = 50

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { client, database, environmentId } = server
  const subscriptionId = await addSubscription(database, environmentId, 'http://127.0.0.1:1/')
  await client.post('/groups', { id: 'huge' })
  await insertManyEvents(database, environmentId, 'huge', EVENTS, subscriptionId)
}, 900_000)
afterAll(async () => await server.close())

it('a group with two million events is deleted while writes go on beside it, and no row of it is left', async () => {
  const { client, database } = server
  const write = async () => {
    const started = performance.now()
    expect((await client.post('/users', { id: `u${Math.random()}` })).status).toBe(200)
    return performance.now() - started
  }
  const usual = await measure(write, () => Promise.resolve(true), 200)
  const started = performance.now()
  expect((await client.delete('/groups/huge')).status).toBe(200)
  const answeredMs = performance.now() - started
  expect((await client.get('/events?group_id=huge')).body.data).toEqual([])
  const meanwhile = await measure(write, async () => (await countPending()) === 0, 200)
  console.log({ answeredMs, usualP99Ms: usual, meanwhileP99Ms: meanwhile, ratio: meanwhile / usual })
  await eventually('all of it is gone', async () => (await countPending()) === 0, 850_000)
  expect(await countRemains(database, 'huge')).toMatchObject({ events: 0, notifications: 0, pending: 0 })
}, 900_000)

async function countPending(): Promise<number> {
  const { rows } = await server.database.pool.query('select count(*)::int as n from pending_deletions')
  return rows[0].n
}

/** The 99th percentile of writes one after the other: at least so many, and until it is over. */
async function measure(write: () => Promise<number>, isOver: () => Promise<boolean>, least: number): Promise<number> {
  const times: number[] = []
  for (let over = false; times.length < least || !over; ) {
    times.push(await write())
    if (times.length % LOOK_EVERY === 0) over = await isOver()
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] as number
}
