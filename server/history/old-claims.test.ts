import { expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { blocksRead, explained } from '../../test/support/explained.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { leastIdAt, newId } from '../ids.ts'
import { findClaims, MOST_CLAIMS_LOOKED_AT, OldClaims } from './old-claims.ts'

const ENVIRONMENT = 1 as EnvironmentId
const OTHER = 2 as EnvironmentId
const HOUR_MS = 60 * 60_000
const { signal } = new AbortController()

interface Claim {
  environmentId?: EnvironmentId
  claimedHoursAgo: number
  heldHoursAgo: number
}

async function emptyDatabase(): Promise<TestDatabase> {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  return test
}

/** Returns their ids. */
async function insertClaims({ database }: TestDatabase, claims: readonly Claim[]): Promise<string[]> {
  const now = Date.now()
  const ids = claims.map(({ claimedHoursAgo }) => idAt(now - claimedHoursAgo * HOUR_MS))
  await database.query(
    `insert into content_claims (environment_id, id, user_id, content_id, version_id, type, holder, epoch, sequence, state, reason,
                                 lease_until, created_at)
     select environment_id, id, 'u' || id, id, id, 'flow', 'h', 1, 0, 'shown', 'auto', now() - held * interval '1 hour',
            now() - claimed * interval '1 hour'
       from unnest($1::int[], $2::uuid[], $3::float8[], $4::float8[]) as given (environment_id, id, claimed, held)`,
    [
      claims.map(({ environmentId = ENVIRONMENT }) => environmentId),
      ids,
      claims.map(({ claimedHoursAgo }) => claimedHoursAgo),
      claims.map(({ heldHoursAgo }) => heldHoursAgo),
    ],
  )
  return ids
}

const idAt = (ms: number) => leastIdAt(ms).slice(0, 14) + newId().slice(14)

async function idsLeft({ database }: TestDatabase, environmentId = ENVIRONMENT): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    'select id from content_claims where environment_id = $1::int order by id',
    [environmentId],
  )
  return rows.map(({ id }) => id)
}

const many = (count: number, claim: Claim) => Array.from({ length: count }, () => claim)

it('deletes the claims that nobody has held for a day, and no others', async () => {
  const test = await emptyDatabase()
  const [, , held, fresh] = await insertClaims(test, [
    { claimedHoursAgo: 72, heldHoursAgo: 72 },
    { claimedHoursAgo: 48, heldHoursAgo: 25 },
    { claimedHoursAgo: 48, heldHoursAgo: 23 },
    { claimedHoursAgo: 1, heldHoursAgo: 1 },
  ])
  const others = await insertClaims(test, [{ environmentId: OTHER, claimedHoursAgo: 72, heldHoursAgo: 72 }])
  await new OldClaims().remove(test.database, ENVIRONMENT, signal)
  expect(await idsLeft(test)).toEqual([held, fresh])
  expect(await idsLeft(test, OTHER)).toEqual(others)
})

it('keeps a claim whose page comes back after it was found', async () => {
  const test = await emptyDatabase()
  const [id] = await insertClaims(test, [{ claimedHoursAgo: 72, heldHoursAgo: 72 }])
  const { database } = test
  const query: Queryable['query'] = async (text, values) => {
    if (text.startsWith('delete')) await database.query('update content_claims set lease_until = now()', [])
    return await database.query(text, values)
  }
  await new OldClaims().remove({ isDistributed: false, query } as Queryable, ENVIRONMENT, signal)
  expect(await idsLeft(test)).toEqual([id])
})

it('looks at some of the claims that are held each day in a round, and at all of them in turn', async () => {
  const test = await emptyDatabase()
  const claims = many(MOST_CLAIMS_LOOKED_AT, { claimedHoursAgo: 72, heldHoursAgo: 1 })
  const ids = await insertClaims(test, [...claims, { claimedHoursAgo: 48, heldHoursAgo: 48 }])
  const old = new OldClaims()
  await old.remove(test.database, ENVIRONMENT, signal)
  expect(await idsLeft(test)).toHaveLength(ids.length)
  await old.remove(test.database, ENVIRONMENT, signal)
  expect(await idsLeft(test)).toEqual(ids.slice(0, -1).sort())
  await test.database.query("update content_claims set lease_until = now() - interval '2 days' where id = $1::uuid", [
    ids[0],
  ])
  await old.remove(test.database, ENVIRONMENT, signal)
  expect(await idsLeft(test)).not.toContain(ids[0])
})

it('goes on at once while most of them can go', async () => {
  const test = await emptyDatabase()
  await insertClaims(test, many(2 * MOST_CLAIMS_LOOKED_AT + 1, { claimedHoursAgo: 72, heldHoursAgo: 72 }))
  await new OldClaims().remove(test.database, ENVIRONMENT, signal)
  expect(await idsLeft(test)).toEqual([])
})

it.skipIf(inject('cluster').isDistributed)(
  'reads a bounded part of an index, however many claims there are, also among many small environments',
  async () => {
    const test = await emptyDatabase()
    const small = Array.from({ length: 400 }, (_, index) => (OTHER + index) as EnvironmentId)
    await insertClaims(test, [
      ...small.flatMap((environmentId) => many(10, { environmentId, claimedHoursAgo: 72, heldHoursAgo: 1 })),
      ...many(20_000, { claimedHoursAgo: 72, heldHoursAgo: 1 }),
      ...many(10_000, { claimedHoursAgo: 1, heldHoursAgo: 1 }),
    ])
    const read = async () =>
      await explained(test.database.pool, async (db) => void (await findClaims(db, ENVIRONMENT, leastIdAt(0), 100)))
    const plans = await read()
    await test.database.pool.query('vacuum analyze content_claims')
    plans.push(...(await read()))
    for (const plan of plans) expect(blocksRead(plan)).toBeLessThan(110)
  },
)
