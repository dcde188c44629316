import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { addSubscription, eventually } from '../support/deliveries.ts'
import { countRemains, insertManyEvents } from '../support/many-events.ts'
import { countMemberships, insertManyMembers } from '../support/many-memberships.ts'

/** `USHER_TEST_ROWS=200000` makes it shorter. */
const ROWS = Number(process.env.USHER_TEST_ROWS ?? 2_000_000)
/** Writes between two checks of what is left. */
const LOOK_EVERY = 50
/** Twice the usual is what a machine without other work has; what else this one does is in both figures. */
const MOST_RATIO = 4

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { client, database, environmentId } = server
  const subscriptionId = await addSubscription(database, environmentId, 'http://127.0.0.1:1/')
  await client.post('/groups', { id: 'huge' })
  await insertManyEvents(database, environmentId, 'huge', ROWS, subscriptionId)
  await client.post('/groups', { id: 'crowded' })
  await insertManyMembers(database, environmentId, 'crowded', ROWS)
}, 1_800_000)
afterAll(async () => await server.close())

it(`a group with ${ROWS} events is deleted while writes go on beside it, and no row of it is left`, async () => {
  await deleteBesideWrites('huge', '/events?group_id=huge')
  expect(await countRemains(server.database, 'huge')).toMatchObject({ events: 0, notifications: 0, pending: 0 })
}, 1_800_000)

it(`a group with ${ROWS} members is deleted while writes go on beside it, and no row of it is left`, async () => {
  await deleteBesideWrites('crowded', '/users?group_id=crowded')
  expect(await countMemberships(server.database, 'crowded')).toBe(0)
}, 1_800_000)

/** The list shows nothing any more when the deletion is answered. */
async function deleteBesideWrites(groupId: string, list: string): Promise<void> {
  const { client } = server
  const usual = await measure(() => Promise.resolve(true), 1_000)
  const started = performance.now()
  expect((await client.delete(`/groups/${groupId}`)).status).toBe(200)
  const answeredMs = performance.now() - started
  expect((await client.get(list)).body.data).toEqual([])
  const listedMs = performance.now() - started - answeredMs
  const meanwhile = await measure(async () => (await countPending()) === 0, 1_000)
  await eventually('all of it is gone', async () => (await countPending()) === 0, 850_000)
  const ratio = meanwhile / usual
  const removedMs = performance.now() - started
  console.log(groupId, { answeredMs, listedMs, removedMs, usualP99Ms: usual, meanwhileP99Ms: meanwhile, ratio })
  expect(ratio).toBeLessThan(MOST_RATIO)
}

async function countPending(): Promise<number> {
  const { rows } = await server.database.pool.query('select count(*)::int as n from pending_deletions')
  return rows[0].n
}

/** The 99th percentile of sequential writes: at least this many, until the deletion has ended. */
async function measure(isOver: () => Promise<boolean>, least: number): Promise<number> {
  const times: number[] = []
  for (let over = false; times.length < least || !over; ) {
    const started = performance.now()
    expect((await server.client.post('/users', { id: `u${Math.random()}` })).status).toBe(200)
    times.push(performance.now() - started)
    if (times.length % LOOK_EVERY === 0) over = await isOver()
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] as number
}
