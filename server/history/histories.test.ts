import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { sentToCluster } from '../../test/support/one-worker.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { isRetryable } from '../database/errors.ts'
import { Histories, loadHistories, storeHistories } from './histories.ts'
import type { ClaimRow, SessionRow } from './rows.ts'

/** On Citus a batch has one environment. */
const ENVIRONMENTS = (inject('cluster').isDistributed ? [1] : [1, 2]) as EnvironmentId[]
const RECEIPT = '{"n": 1}'
const LEASE = Date.parse('2026-01-01T00:00:30Z')

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  for (const environmentId of ENVIRONMENTS) {
    await test.database.anchor(environmentId)
    await test.database.query(
      `insert into content_claims (environment_id, id, user_id, content_id, version_id, type, holder, epoch, sequence, state,
                                   reason, lease_until, hidden_at, receipt, created_at)
       select $1::int, ('00000000-0000-7000-8000-00000000000' || n)::uuid, 'u' || n, gen_random_uuid(), gen_random_uuid(),
              'flow', 'h', 1, 0, 'claimed', 'auto', to_timestamp($2::float8 / 1000), now(), $3::jsonb, now()
         from generate_series(1, 7) as n`,
      [environmentId, LEASE, RECEIPT],
    )
  }
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

const session = {
  ...{
    contentId: idOf(8),
    versionId: idOf(9),
    type: 'flow',
    groupId: null,
    reason: 'auto',
    state: 'active',
    step: 'a',
  },
  ...{ steps: ['a'], progress: '1/1', tasks: [], epoch: 1, sequence: 1, launcherActivated: false, counts: true },
  ...{ createdAt: 1, lastActivityAt: 1, completedAt: null, endedAt: null, endReason: null, receiptJson: null },
  ...{ overBecause: null, contentName: 'Tour', versionNumber: 1 },
} as const satisfies Omit<SessionRow, 'id' | 'userId'>

/** What each of these claims becomes, by its number: undefined is removed. With a session, if it `begins`. */
function partsOf(
  environments: readonly EnvironmentId[],
  changes: Record<number, Partial<ClaimRow> | undefined>,
  begins: boolean,
) {
  return environments.map((environmentId) => {
    const histories = new Histories()
    for (const [number, change] of Object.entries(changes)) {
      const id = idOf(Number(number))
      const before = { ...claim, id, userId: `u${number}` }
      const { claims, sessions } = histories.of(before.userId)
      claims.load(id, before)
      claims.set(id, change && { ...before, hiddenAt: null, receiptJson: null, ...change })
      if (begins) sessions.set(id, { ...session, id, userId: before.userId })
    }
    return { environmentId, histories }
  })
}

async function store(changes: Record<number, Partial<ClaimRow> | undefined>, begins = false): Promise<string[]> {
  const parts = partsOf(ENVIRONMENTS, changes, begins)
  const sent: string[] = []
  const transaction = await test.database.begin()
  const query = (text: string, values: readonly unknown[]) => {
    sent.push(text)
    return transaction.query(text, values)
  }
  try {
    await storeHistories({ query, isDistributed: transaction.isDistributed } as unknown as OpenTransaction, parts)
  } catch (error) {
    await transaction.abandon(error)
    throw error
  }
  await transaction.commit()
  return sent
}

async function stored(number: number) {
  return await test.database.query(
    `select holder, epoch, sequence, state, hidden_at, receipt, (extract(epoch from lease_until) * 1000)::float8 as lease
       from content_claims where environment_id = any($1::int[]) and id = $2::uuid`,
    [ENVIRONMENTS, idOf(number)],
  )
}

async function receiptsOfSessions(number: number) {
  return await test.database.query(
    'select receipt from content_sessions where environment_id = any($1::int[]) and id = $2::uuid',
    [ENVIRONMENTS, idOf(number)],
  )
}

it('a claim that becomes a session is changed with its session, and others stay', async () => {
  const sent = await store({ 1: { state: 'shown' } }, true)
  expect(sent).toHaveLength(test.database.isDistributed ? 2 : 1)
  expect(sent.at(-1)).toContain('update content_claims')
  expect(await receiptsOfSessions(1)).toEqual(ENVIRONMENTS.map(() => ({ receipt: RECEIPT })))
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

it.each<[number, string, Partial<ClaimRow> | undefined, object[]]>([
  [5, 'that is hidden at once', { state: 'hidden', hiddenAt: 2 }, [{ state: 'hidden', receipt: null }]],
  [6, 'that is removed at once', undefined, []],
])('a session gets the receipt of claim %i, %s', async (number, _, change, expected) => {
  await store({ [number]: change }, true)
  expect(await receiptsOfSessions(number)).toEqual(ENVIRONMENTS.map(() => ({ receipt: RECEIPT })))
  expect(await stored(number)).toMatchObject(ENVIRONMENTS.flatMap(() => expected))
})

const onOnePostgres = it.skipIf(inject('cluster').isDistributed)

onOnePostgres('the batch of a session whose claim is gone meanwhile is run again', async () => {
  await test.database.query('delete from content_claims where environment_id = any($1::int[]) and id = $2::uuid', [
    ENVIRONMENTS,
    idOf(7),
  ])
  const error = await store({ 7: { state: 'shown' } }, true).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(isRetryable(error)).toBe(true)
  expect(await receiptsOfSessions(7)).toEqual([])
})

onOnePostgres('a session has of its claim what never changes', async () => {
  await store({ 4: { state: 'shown' } }, true)
  const same = ['content_id', 'version_id', 'type', 'user_id', 'group_id', 'reason', 'epoch'].map(
    (name) => `session.${name} is not distinct from claim.${name}`,
  )
  const rows = await test.database.query(
    `select ${same.join(' and ')} as "isSame" from content_sessions as session join content_claims as claim using (environment_id, id)
      where environment_id = any($1::int[]) and id = $2::uuid`,
    [ENVIRONMENTS, idOf(4)],
  )
  expect(rows).toEqual(ENVIRONMENTS.map(() => ({ isSame: true })))
})

it.each([true, false])('answers are read only for a job that may change them: %s', async (hasAnswers) => {
  const sent: string[] = []
  const transaction = await test.database.begin()
  const query = (text: string, values: readonly unknown[]) => {
    sent.push(text)
    return transaction.query(text, values)
  }
  const [environmentId] = ENVIRONMENTS as [EnvironmentId]
  const part = { environmentId, items: [{ userId: 'u4', sessionId: idOf(4), hasAnswers }], histories: new Histories() }
  await loadHistories({ query, isDistributed: transaction.isDistributed } as unknown as OpenTransaction, [part])
  await transaction.commit()
  expect(sent.some((text) => text.includes('content_answers'))).toBe(hasAnswers)
})

it('a session is stored as it is, with what few sessions have and with what most have', async () => {
  const id = '00000000-0000-7000-8000-000000000010'
  const usual = { ...session, id, userId: 'u10' }
  const rare = { ...usual, state: 'completed', tasks: ['t'], epoch: 2, launcherActivated: true, counts: false } as const
  const columns = 'state, tasks::text, epoch, launcher_activated, counts'
  const usualRow = { state: 'active', tasks: '[]', epoch: 1, launcher_activated: false, counts: true }
  const rareRow = { state: 'completed', tasks: '["t"]', epoch: 2, launcher_activated: true, counts: false }
  let before: SessionRow | undefined
  for (const [next, row] of [[rare, rareRow] as const, [usual, usualRow] as const, [rare, rareRow] as const]) {
    const parts = ENVIRONMENTS.map((environmentId) => {
      const histories = new Histories()
      const { sessions } = histories.of('u10')
      if (before) sessions.load(id, before)
      sessions.set(id, next)
      return { environmentId, histories }
    })
    const transaction = await test.database.begin()
    await storeHistories(transaction, parts)
    await transaction.commit()
    const found = await test.database.query(
      `select ${columns} from content_sessions where environment_id = any($1::int[]) and id = $2::uuid`,
      [ENVIRONMENTS, id],
    )
    expect(found).toEqual(ENVIRONMENTS.map(() => row))
    before = next
  }
})

it('each statement for a cluster is one for one worker', async () => {
  const parts = partsOf(ENVIRONMENTS.slice(0, 1), { 1: { state: 'shown' }, 2: { state: 'hidden' }, 3: undefined }, true)
  const sent = await sentToCluster((db) => storeHistories(db, parts))
  expect(sent.length).toBeGreaterThan(4)
  expect(sent.filter(({ problems }) => problems.length > 0)).toEqual([])
})
