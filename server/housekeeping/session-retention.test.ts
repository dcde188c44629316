import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { publishTest, tour } from '../../test/support/content.ts'
import { findRuns } from '../results/queries.ts'
import { sumRuns } from '../results/sum.ts'
import { setKeptDays } from './kept-days.ts'
import { deleteOldSessions } from './session-retention.ts'

const DAY_MS = 86_400_000
const KEPT_DAYS = 30
/** When sessions of today are older than they are kept. */
const later = Date.now() + (KEPT_DAYS + 1) * DAY_MS

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  // Its sums are by the clock, and would take back those that are ahead.
  await server.services.housekeeping.stop()
  await server.database.query('insert into guidance (environment_id) values ($1::int)', [server.environmentId])
})
afterAll(() => server.close())

const post = async (path: string, body: object = {}) => (await server.client.post(path, body)).body
const storedOf = async (userId: string) =>
  ((await server.client.get(`/content_sessions?user_id=${userId}`)).body.data as { id: string }[]).map(({ id }) => id)
const claim = (content: string, userId: string) =>
  post('/content_sessions', { content, user_id: userId, holder: 'phone' })

/** A run with an answer, that has ended if wanted. */
async function run(content: string, userId: string, isEnded = true): Promise<string> {
  const { id } = await claim(content, userId)
  await post(`/content_sessions/${id}/progress`, {
    holder: 'phone',
    reports: [
      { sequence: 1, type: 'step_seen', step: 'hello' },
      { sequence: 2, type: 'step_seen', step: 'ask' },
      { sequence: 3, type: 'answered', question: 'ease', value: 7 },
      ...(isEnded
        ? [{ sequence: 4, type: 'completed' } as const, { sequence: 5, type: 'ended', reason: 'button' }]
        : []),
    ],
  })
  return id
}

async function publish(key: string, when: object): Promise<string> {
  return (await publishTest(server.database, server.environmentId, tour(key, { when }))).id
}

it('sessions that ended longer ago than they are kept go with their answers; what was seen and the results stay', async () => {
  const { database, environmentId, client } = server
  const contentId = await publish('once', { frequency: 'once' })
  await post('/users', { id: 'ada' })
  await post('/users', { id: 'open' })
  const id = await run('once', 'ada')
  const open = await run('once', 'open', false)
  const results = async () => {
    const rows = await findRuns(database, environmentId, contentId)
    return rows.map(({ step, reason, runs }) => `${step} ${reason} ${runs}`).toSorted()
  }
  await setKeptDays(database, environmentId, 'keep_sessions_days', KEPT_DAYS)
  expect(await deleteOldSessions(database, { now: Date.now() })).toBe(0)
  // Not summed yet: the results would lose it.
  expect(await deleteOldSessions(database, { now: later })).toBe(0)
  const before = await results()
  await sumRuns(database, later)
  expect(await deleteOldSessions(database, { now: later })).toBe(1)

  expect((await client.get(`/content_sessions/${id}`)).status).toBe(404)
  expect(await database.query('select from content_answers where session_id = $1::uuid', [id])).toEqual([])
  expect(await storedOf('open')).toEqual([open])
  expect(await results()).toEqual(before)
  expect(before).toContain('ask completed 1')
  expect((await claim('once', 'ada')).error.code).toBe('already_seen')
})

it('a session that is forgotten later does not make the user forget the earlier ones, which are not stored any more', async () => {
  const { database, environmentId, client } = server
  await publish('again', { frequency: 'always', at_most: 3 })
  await setKeptDays(database, environmentId, 'keep_sessions_days', KEPT_DAYS)
  await post('/users', { id: 'bob' })
  await run('again', 'bob')
  await run('again', 'bob')
  await sumRuns(database, later)
  expect(await deleteOldSessions(database, { now: later, stepRows: 1 })).toBe(2)
  const third = await run('again', 'bob')
  expect((await claim('again', 'bob')).error.code).toBe('at_most_reached')
  await client.delete(`/content_sessions/${third}`)
  expect(await database.query('select started from content_states where user_id = $1::text', ['bob'])).toEqual([
    { started: 2 },
  ])
  await run('again', 'bob')
  expect((await claim('again', 'bob')).error.code).toBe('at_most_reached')
  // Show again to this user: nothing was ever seen.
  await client.delete('/content_sessions?content=again&user_id=bob')
  expect(await claim('again', 'bob')).toMatchObject({ object: 'content_claim' })
})

it('an environment that keeps its sessions forever keeps them', async () => {
  const { database, environmentId } = server
  await publish('forever', { frequency: 'always' })
  await setKeptDays(database, environmentId, 'keep_sessions_days', null)
  await post('/users', { id: 'eve' })
  const id = await run('forever', 'eve')
  await sumRuns(database, later)
  expect(await deleteOldSessions(database, { now: later })).toBe(0)
  expect(await storedOf('eve')).toEqual([id])
})
