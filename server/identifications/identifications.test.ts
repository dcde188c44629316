import { createSecretKey } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proofKinds } from '../../contract/sdk/identity.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { sentToCluster } from '../../test/support/one-worker.ts'
import type { EnvironmentId } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { Identifications } from './identifications.ts'
import { countIdentified, lackingProofs, listLacking } from './identified.ts'
import { deleteOldIdentified, insertIdentified, trimSamples, upsertLast } from './queries.ts'

const TODAY = Date.parse('2026-01-31T10:00:00Z')
const YESTERDAY = TODAY - 86_400_000
const DAY = '2026-01-30'
const visitorKey = createSecretKey('key', 'utf8')

let test: TestDatabase
let identifications: Identifications
beforeAll(async () => {
  test = await createTestDatabase()
  identifications = new Identifications(test.database, silent)
})
afterAll(async () => {
  await identifications.stop()
  await test.close()
})

async function environmentWith(users: number): Promise<EnvironmentId> {
  const environmentId = await createEnvironment(test.database)
  await test.database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select $1::int, 'u' || n, '{}', now(), '', '', '' from generate_series(1, $2::int) as n`,
    [environmentId, users],
  )
  return environmentId
}

const stored = async (environmentId: EnvironmentId) =>
  (await test.database.query('select from identified_users where environment_id = $1::int', [environmentId])).length

const lackingOf = async (environmentId: EnvironmentId) =>
  (await countIdentified(test.database, environmentId, DAY, { proofs: lackingProofs, byOrigin: false })).get('')

it('counts each user once over days, origins and proofs, and none that does not exist', async () => {
  const environmentId = await environmentWith(3)
  const side = { environmentId, visitorKey }
  for (const ms of [YESTERDAY, TODAY])
    for (const origin of ['https://a.example', 'https://b.example'])
      identifications.add(side, { userId: 'u1', proof: 'unsigned', origin }, ms)
  identifications.add(side, { userId: 'u1', proof: 'wrong' }, TODAY + 1)
  identifications.add(side, { userId: 'u2', proof: 'signed', origin: 'https://a.example' }, TODAY)
  identifications.add(side, { userId: 'nobody', proof: 'unsigned', origin: 'https://a.example' }, TODAY)
  identifications.add(side, { userId: 'u3', proof: 'unsigned' }, YESTERDAY - 86_400_000)
  await identifications.flush()
  expect(await lackingOf(environmentId)).toEqual({ count: 1, isExact: true })
  const byOrigin = await countIdentified(test.database, environmentId, DAY, { proofs: proofKinds, byOrigin: true })
  expect([...byOrigin].map(([origin, { count }]) => [origin, count]).sort()).toEqual([
    ['', 1],
    ['https://a.example', 2],
    ['https://b.example', 1],
  ])
  expect(await listLacking(test.database, environmentId, DAY)).toMatchObject([{ id: 'u1', proof: 'wrong', origin: '' }])
  await deleteOldIdentified(test.database, environmentId, new Date(TODAY - 86_400_000).toISOString())
  expect(await stored(environmentId)).toBe(6)
})

it('keeps a bounded sample of many users, and tells about how many they are', async () => {
  const users = 6_000
  const environmentId = await environmentWith(users)
  const side = { environmentId, visitorKey }
  for (const ms of [YESTERDAY, TODAY])
    for (let first = 1; first <= users; first += 1_000) {
      for (let n = first; n < first + 1_000; n++) identifications.add(side, { userId: `u${n}`, proof: 'unsigned' }, ms)
      await identifications.flush()
      expect(await stored(environmentId)).toBeLessThanOrEqual(2 * sdkLimits.identifiedUsers)
    }
  const people = await lackingOf(environmentId)
  expect(people?.isExact).toBe(false)
  // The key is given, so the estimate is the same in each run.
  expect(Math.abs((people?.count ?? 0) / users - 1)).toBeLessThan(0.1)
  expect((await listLacking(test.database, environmentId, DAY)).length).toBe(sdkLimits.identifiedUsers)
})

it('each statement for a cluster is one for one worker', async () => {
  const identified = { day: DAY, origin: '', proof: 'unsigned', rank: 1, userId: 'u1', ms: TODAY } as const
  const parts = ofOne(1 as EnvironmentId, [identified])
  const sent = await sentToCluster(async (db) => {
    for (const store of [insertIdentified, upsertLast, trimSamples]) await store(db, parts)
    await deleteOldIdentified(db, 1 as EnvironmentId, new Date(TODAY).toISOString())
  })
  expect(sent).toHaveLength(5)
  expect(sent.filter(({ problems }) => problems.length > 0)).toEqual([])
})
