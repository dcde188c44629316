import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addNotifications, addSubscription, countDeliveries, idAt } from '../../test/support/deliveries.ts'
import { silent } from '../../test/support/log.ts'
import type { EnvironmentId } from '../database/database.ts'
import { newId } from '../ids.ts'
import { PARTITIONED } from './partitions.ts'
import { Retention } from './retention.ts'

const DAY_MS = 86_400_000
const TODAY = Date.parse('2026-03-10T12:00:00Z')

let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
  // The days of these tests are others than those that the template has.
  for (const table of PARTITIONED)
    for (const partition of (await partitions(table)).filter((name) => !name.endsWith('_default')))
      await test.database.query(`drop table ${partition}`, [])
})
afterAll(() => test.close())

const runAt = (nowMs: number) => new Retention({ database: test.database, log: silent, clock: () => nowMs }).run()

/** So much time has passed, and a server has seen it pass. */
async function runLater(nowMs: number): Promise<void> {
  await test.database.query('delete from retention_clock', [])
  await runAt(nowMs)
}

async function partitions(table: string): Promise<string[]> {
  const rows = await test.database.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  )
  return rows.map(({ name }) => name)
}

async function countIn(table: string): Promise<number | undefined> {
  return (await test.database.query<{ n: number }>(`select count(*) as n from ${table}`, []))[0]?.n
}

async function idsIn(table: string): Promise<string[]> {
  return (await test.database.query<{ id: string }>(`select id from ${table} order by id`, [])).map(({ id }) => id)
}

/** A day each, or on a cluster weeks that begin on the same day of the week. */
const AHEAD = inject('cluster').isDistributed
  ? ['0310', '0312', '0319', '0326', '0402']
  : ['0310', '0311', '0312', '0313', '0314', '0315', '0316', '0317']
/** The last day of the first partition, from its first. */
const LAST_DAY = inject('cluster').isDistributed ? 1 : 0

it('makes the days ahead, also with several nodes at once, and keeps 30 days', async () => {
  await Promise.all([runAt(TODAY), runAt(TODAY), runAt(TODAY)])
  for (const table of ['webhook_notifications', 'webhook_attempts'])
    expect(await partitions(table)).toEqual([...AHEAD.map((day) => `${table}_2026${day}`), `${table}_default`])
  const environmentId = await createEnvironment(test.database)
  const subscription = await addSubscription(test.database, environmentId, 'http://127.0.0.1:1/')
  await addNotifications(test.database, environmentId, [subscription], 5, TODAY)
  expect(await countIn('webhook_notifications_20260310')).toBe(5)
  // A clock that jumps for a while makes nothing old.
  await runAt(TODAY + 60 * DAY_MS)
  expect(await countIn('webhook_notifications')).toBe(5)
  await runAt(TODAY)
  await runLater(TODAY + 30 * DAY_MS)
  expect(await countIn('webhook_notifications')).toBe(5)
  await runLater(TODAY + (31 + LAST_DAY) * DAY_MS)
  expect(await countIn('webhook_notifications')).toBe(0)
  expect(await partitions('webhook_notifications')).not.toContain('webhook_notifications_20260310')
})

it('moves the rows of a day out of the default partition when the partition of that day is made', async () => {
  const environmentId = await createEnvironment(test.database)
  const day = TODAY + 100 * DAY_MS
  const ids = await addNotifications(test.database, environmentId, [], 2, day)
  const later = await addNotifications(test.database, environmentId, [], 1, day + 40 * DAY_MS)
  expect(await countIn('webhook_notifications_default')).toBe(3)
  await runLater(day)
  expect(await idsIn('webhook_notifications_20260618')).toEqual(ids.toSorted())
  expect(await idsIn('webhook_notifications_default')).toEqual(later)
  await runLater(day + 72 * DAY_MS)
  expect(await countIn('webhook_notifications_default')).toBe(0)
})

it('removes deliveries whose window has passed, but not replays of old notifications', async () => {
  const environmentId = await createEnvironment(test.database)
  const subscription = await addSubscription(test.database, environmentId, 'http://127.0.0.1:1/')
  const now = Date.now()
  await addNotifications(test.database, environmentId, [subscription], 3, now - 4 * DAY_MS)
  await addNotifications(test.database, environmentId, [subscription], 2, now - 2 * DAY_MS)
  await test.database.query(
    `insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, due_at, attempt, expires_at)
     values ($1::int, $2::uuid, $3::uuid, 0, now(), 0, now() + interval '3 days')`,
    [environmentId, idAt(now - 10 * DAY_MS), subscription],
  )
  await runLater(now)
  expect(await countDeliveries(test.database, environmentId)).toBe(3)
})

it('forgets old hours, expired secrets and the endpoints of deleted subscriptions, and keeps the rest', async () => {
  const { database } = test
  const environmentId = await createEnvironment(database)
  const subscriptionId = await addSubscription(database, environmentId, 'https://hook.example/')
  const now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const secrets = JSON.stringify([
    { secret: 'whsec_valid', expires_at: at(60_000) },
    { secret: 'whsec_expired', expires_at: at(-1_000) },
  ])
  await database.query(
    'update webhook_subscriptions set previous_secrets = $3::jsonb where environment_id = $1::int and id = $2::uuid',
    [environmentId, subscriptionId, secrets],
  )
  for (const id of [subscriptionId, newId()]) {
    await database.query('insert into webhook_endpoints values ($1::int, $2::uuid, 1, now(), false)', [
      environmentId,
      id,
    ])
  }
  for (const days of [1, 9]) {
    await database.query('insert into webhook_endpoint_hours values ($1::int, $2::uuid, $3::timestamptz, 1, 1)', [
      environmentId,
      subscriptionId,
      at(-days * 86_400_000),
    ])
  }
  await runLater(now)
  const count = async (table: string) =>
    (await database.query(`select from ${table} where environment_id = $1::int`, [environmentId])).length
  expect([await count('webhook_endpoints'), await count('webhook_endpoint_hours')]).toEqual([1, 1])
  const [row] = await database.query<{ previous_secrets: string }>(
    'select previous_secrets from webhook_subscriptions where environment_id = $1::int',
    [environmentId],
  )
  expect(JSON.parse(row?.previous_secrets ?? '')).toEqual([{ secret: 'whsec_valid', expires_at: at(60_000) }])
})

it('an environment whose rows are locked holds up no other', async () => {
  const { database } = test
  const [first, second] = [await createEnvironment(database), await createEnvironment(database)]
  await database.query(
    `insert into webhook_endpoint_hours
     select id, $2::uuid, now() - interval '9 days', 1, 1 from unnest($1::int[]) as id`,
    [[first, second], newId()],
  )
  const left = async () => {
    const rows = await database.query<{ id: EnvironmentId }>(
      'select environment_id as id from webhook_endpoint_hours where environment_id = any($1::int[])',
      [[first, second]],
    )
    return rows.map(({ id }) => id)
  }
  const locking = await database.begin()
  await locking.query('select from webhook_endpoint_hours where environment_id = $1::int for update', [first])
  await runLater(Date.now())
  await locking.abandon(new Error('not needed'))
  expect(await left()).toEqual([first])
  await runLater(Date.now())
  expect(await left()).toEqual([])
})
