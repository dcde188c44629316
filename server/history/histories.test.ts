import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { Histories, storeHistories } from './histories.ts'
import type { ClaimRow } from './rows.ts'

/** On Citus a batch has one environment. */
const ENVIRONMENTS = (inject('cluster').isDistributed ? [1] : [1, 2]) as EnvironmentId[]
const RECEIPT = '{"n": 1}'
const LEASE = Date.parse('2026-01-01T00:00:30Z')

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  for (const environmentId of ENVIRONMENTS)
    await test.database.query(
      `insert into content_claims (environment_id, id, user_id, content_id, version_id, type, holder, epoch, sequence, state,
                                   reason, lease_until, hidden_at, receipt, created_at)
       select $1::int, ('00000000-0000-7000-8000-00000000000' || n)::uuid, 'u' || n, gen_random_uuid(), gen_random_uuid(),
              'flow', 'h', 1, 0, 'claimed', 'auto', to_timestamp($2::float8 / 1000), now(), $3::jsonb, now()
         from generate_series(1, 4) as n`,
      [environmentId, LEASE, RECEIPT],
    )
})
afterAll(async () => await test.close())

const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`
const claim = {
  ...{
    contentId: idOf(8),
    versionId: idOf(9),
    type: 'flow',
    groupId: null,
    reason: 'auto',
    createdAt: 1,
    isOver: false,
  },
  ...{ holder: 'h', epoch: 1, sequence: 0, state: 'claimed', leaseUntil: LEASE, hiddenAt: 1, receiptJson: null },
} as const satisfies Omit<ClaimRow, 'id' | 'userId'>

/** What each of these claims becomes, by its number. */
async function store(changes: Record<number, Partial<ClaimRow>>): Promise<string[]> {
  const parts = ENVIRONMENTS.map((environmentId) => {
    const histories = new Histories()
    for (const [number, change] of Object.entries(changes)) {
      const id = idOf(Number(number))
      const before = { ...claim, id, userId: `u${number}` }
      const { claims } = histories.of(before.userId)
      claims.load(id, before)
      claims.set(id, { ...before, hiddenAt: null, receiptJson: null, ...change })
    }
    return { environmentId, histories }
  })
  const sent: string[] = []
  const { database } = test
  const query = async (text: string, values: readonly unknown[]) => {
    sent.push(text)
    return await database.query(text, values)
  }
  await storeHistories({ query, isDistributed: database.isDistributed } as unknown as OpenTransaction, parts)
  return sent
}

async function stored(number: number) {
  return await test.database.query(
    `select holder, epoch, sequence, state, hidden_at, receipt, (extract(epoch from lease_until) * 1000)::float8 as lease
       from content_claims where environment_id = any($1::int[]) and id = $2::uuid`,
    [ENVIRONMENTS, idOf(number)],
  )
}

it('a claim that becomes a session is changed without a document, and others stay', async () => {
  const [text, ...others] = await store({ 1: { state: 'shown' } })
  expect(others).toEqual([])
  expect(text).toContain('update content_claims')
  const shown = { holder: 'h', epoch: 1, sequence: 0, state: 'shown', hidden_at: null, receipt: null, lease: LEASE }
  expect(await stored(1)).toEqual(ENVIRONMENTS.map(() => shown))
  expect(await stored(4)).toMatchObject(ENVIRONMENTS.map(() => ({ state: 'claimed', receipt: RECEIPT })))
})

it.each<[number, string, Partial<ClaimRow>, object]>([
  [2, 'whose lease changes too', { state: 'shown', leaseUntil: LEASE + 1 }, { state: 'shown', lease: LEASE + 1 }],
  [3, 'that has a report and was not shown', { sequence: 1 }, { state: 'claimed', sequence: 1, receipt: RECEIPT }],
])('claim %i, %s, is stored with what has changed', async (number, _, change, expected) => {
  await store({ [number]: change })
  expect(await stored(number)).toMatchObject(ENVIRONMENTS.map(() => expected))
})
