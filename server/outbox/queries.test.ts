import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addNotifications, addSubscription, eventually } from '../../test/support/deliveries.ts'
import type { EnvironmentId } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { deleteNotificationsOf } from '../deletions/notifications.ts'
import { newId } from '../ids.ts'
import { type DeliveryOutcome, writeOutcomes } from '../webhooks/delivery/outcome-queries.ts'

let test: TestDatabase
let environmentId: EnvironmentId
let subscriptionId: string

beforeAll(async () => {
  test = await createTestDatabase()
  environmentId = await createEnvironment(test.database)
  subscriptionId = await addSubscription(test.database, environmentId, 'https://hook.example/')
})
afterAll(async () => await test.close())

async function leased(notificationId: string): Promise<DeliveryOutcome> {
  const leaseId = newId()
  await test.database.query(
    `update webhook_deliveries set state = 3, lease_id = $3::uuid
      where environment_id = $1::int and notification_id = $2::uuid`,
    [environmentId, notificationId, leaseId],
  )
  const result = { ok: true, status: 200, timing: { totalMs: 1 }, responseText: 'u_0' }
  const attempt = { id: newId(), at: new Date().toISOString(), result }
  return { notificationId, subscriptionId, leaseId, attempts: 1, end: { transition: 'deliver' }, attempt }
}

async function attemptsOf(notificationId: string): Promise<number> {
  const rows = await test.database.query(
    'select from webhook_attempts where environment_id = $1::int and notification_id = $2::uuid',
    [environmentId, notificationId],
  )
  return rows.length
}

it('the deletion of a user waits for an outcome that is being written, and deletes its attempt', async () => {
  const [notificationId = ''] = await addNotifications(test.database, environmentId, [subscriptionId], 1)
  const outcome = await leased(notificationId)
  let deletion: Promise<unknown> | undefined
  await inTransaction(test.database, async (settling) => {
    await settling.query(
      'select from webhook_deliveries where environment_id = $1::int and notification_id = $2::uuid for update',
      [environmentId, notificationId],
    )
    const objects = [{ id: 'u_0', createdAt: undefined }]
    deletion = inTransaction(test.database, (deleting) =>
      deleteNotificationsOf(deleting, environmentId, { owner: 'user', objects, boundary: newId(), most: 100 }),
    )
    await eventually('the deletion waits', waitsForLock)
    await settling.query(
      `insert into webhook_attempts (environment_id, id, subscription_id, notification_id, attempt, at, total_ms, response)
       values ($1::int, $2::uuid, $3::uuid, $4::uuid, 1, now(), 1, 'u_0')`,
      [environmentId, outcome.attempt?.id, subscriptionId, notificationId],
    )
  })
  await deletion
  expect(await attemptsOf(notificationId)).toBe(0)
})

async function waitsForLock(): Promise<boolean> {
  const { isDistributed } = test.database
  const waiting = isDistributed ? 'select from citus_lock_waits' : 'select from pg_locks where not granted'
  return (await test.database.query(waiting, [])).length > 0
}

it('an outcome is counted and logged once, however often it is written', async () => {
  const [notificationId = ''] = await addNotifications(test.database, environmentId, [subscriptionId], 1)
  const outcome = await leased(notificationId)
  expect((await writeOutcomes(test.database, environmentId, [outcome])).written).toBe(1)
  expect((await writeOutcomes(test.database, environmentId, [outcome])).written).toBe(0)
  expect(await attemptsOf(notificationId)).toBe(1)
})

it('an outcome with a lost lease changes and logs nothing, beside a valid one', async () => {
  const ids = await addNotifications(test.database, environmentId, [subscriptionId], 2)
  const [stale, valid] = await Promise.all(ids.map((id) => leased(id)))
  await leased(stale?.notificationId ?? '')
  const end = { transition: 'retry' as const, dueAt: new Date().toISOString() }
  expect(
    (
      await writeOutcomes(test.database, environmentId, [
        stale as DeliveryOutcome,
        { ...(valid as DeliveryOutcome), end },
      ])
    ).written,
  ).toBe(1)
  expect(await attemptsOf(stale?.notificationId ?? '')).toBe(0)
  expect(await attemptsOf(valid?.notificationId ?? '')).toBe(1)
})
