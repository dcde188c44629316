import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { addSubscription, eventually } from '../support/deliveries.ts'
import { countRemains, insertManyEvents } from '../support/many-events.ts'
import { countMemberships, insertManyMembers } from '../support/many-memberships.ts'

/** `USHER_TEST_ROWS=200000` makes it shorter. */
const ROWS = Number(process.env.USHER_TEST_ROWS ?? 2_000_000)
/** Writes between two looks at what is left. */
const LOOK_EVERY = 50
/** Writes before and after, in which the usual 99th percentile is measured. */
const USUAL_WRITES = 2_000
const MOST_RATIO = 2

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { client, database, environmentId } = server
  const subscriptionId = await addSubscription(database, environmentId, 'http://127.0.0.1:1/')
  await client.post('/groups', { id: 'huge' })
  await insertManyEvents(database, environmentId, 'huge', ROWS, subscriptionId)
  await client.post('/groups', { id: 'crowded' })
  await insertManyMembers(database, environmentId, 'crowded', ROWS)
  await settle()
}, 1_800_000)
afterAll(async () => await server.close())

it(`a group with ${ROWS} events is deleted while writes go on beside it, and no row of it is left`, async () => {
  await deleteBesideWrites('huge', '/events?group_id=huge')
  expect(await countRemains(server.database, 'huge')).toMatchObject({ events: 0, notifications: 0, pending: 0 })
}, 1_800_000)

it(`a group with ${ROWS} members is deleted while writes go on beside it, and no row of it is left`, async () => {
  await settle()
  await deleteBesideWrites('crowded', '/users?group_id=crowded')
  expect(await countMemberships(server.database, 'crowded')).toBe(0)
}, 1_800_000)

/** So that neither autovacuum nor a checkpoint after these inserts falls into one of the measurements. */
async function settle(): Promise<void> {
  const client = await server.database.pool.connect()
  await client.query('set statement_timeout = 0')
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.query('reset statement_timeout')
  client.release()
}

/** The list shows nothing any more when the deletion is answered. */
async function deleteBesideWrites(groupId: string, list: string): Promise<void> {
  const { client } = server
  const before = await writeUntil(enough)
  const started = performance.now()
  expect((await client.delete(`/groups/${groupId}`)).status).toBe(200)
  const answeredMs = performance.now() - started
  expect((await client.get(list)).body.data).toEqual([])
  const listedMs = performance.now() - started - answeredMs
  const meanwhile = await writeUntil(async () => (await countPending()) === 0)
  await eventually('all of it is gone', async () => (await countPending()) === 0, 850_000)
  const removedMs = performance.now() - started
  const after = await writeUntil(enough)
  const usualP99Ms = p99([...before, ...after])
  const meanwhileP99Ms = p99(meanwhile)
  const ratio = meanwhileP99Ms / usualP99Ms
  const rowsPerSecond = (ROWS / removedMs) * 1_000
  console.log(groupId, {
    rows: ROWS,
    answeredMs,
    listedMs,
    removedMs,
    rowsPerSecond,
    writesBefore: before.length,
    writesMeanwhile: meanwhile.length,
    p99BeforeMs: p99(before),
    p99AfterMs: p99(after),
    usualP99Ms,
    meanwhileP99Ms,
    ratio,
  })
  expect(answeredMs).toBeLessThan(1_000)
  expect(ratio).toBeLessThan(MOST_RATIO)
}

async function countPending(): Promise<number> {
  const { rows } = await server.database.pool.query('select count(*)::int as n from pending_deletions')
  return rows[0].n
}

const enough = async (writes: number) => writes >= USUAL_WRITES

/** The times of writes one after the other. */
async function writeUntil(isOver: (writes: number) => Promise<boolean>): Promise<number[]> {
  const times: number[] = []
  do {
    const started = performance.now()
    expect((await server.client.post('/users', { id: `u${Math.random()}` })).status).toBe(200)
    times.push(performance.now() - started)
  } while (times.length % LOOK_EVERY !== 0 || !(await isOver(times.length)))
  return times
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] as number
}
