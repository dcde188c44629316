import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import {
  addNotifications,
  addSubscription,
  eventually,
  openInbox,
  testSender,
} from '../../../test/support/deliveries.ts'
import { silent } from '../../../test/support/log.ts'
import type { EnvironmentId } from '../../database/database.ts'
import { DeliveryLoop } from './delivery.ts'
import { indexWalks } from './planner.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase(indexWalks)
  // Otherwise it could make the statistics first.
  await test.database.query('alter table webhook_deliveries set (autovacuum_enabled = off)', [])
})
afterAll(async () => await test.close())

async function hasStatistics(): Promise<boolean> {
  const rows = await test.database.query(`select 1 from pg_stats where tablename = 'webhook_deliveries'`, [])
  return rows.length > 0
}

/** The index by which PostgreSQL finds a delivery by its key. */
async function indexOfKey(environmentId: EnvironmentId): Promise<string> {
  const rows = await test.database.queryUnprepared<{ 'QUERY PLAN': string }>(
    `explain delete from webhook_deliveries as delivery
      using unnest(array[gen_random_uuid()], array[gen_random_uuid()]) as given (notification_id, subscription_id)
      where delivery.environment_id = $1::int and delivery.notification_id = given.notification_id
        and delivery.subscription_id = given.subscription_id`,
    [environmentId],
  )
  return /using (\w+)/.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))?.[1] ?? 'none'
}

// On a cluster the statistics are those of the workers.
it.skipIf(inject('cluster').isDistributed)(
  'the first backlog of a new installation is analysed, and deliveries are found by their key from then on',
  async () => {
    const environmentId = await createEnvironment(test.database)
    const receiver = await openInbox()
    onTestFinished(() => receiver.close())
    const subscription = await addSubscription(test.database, environmentId, receiver.url)
    await addNotifications(test.database, environmentId, [subscription], 2_000)
    expect(await hasStatistics()).toBe(false)
    const delivery = new DeliveryLoop({ database: test.database, sender: testSender(), log: silent, graceMs: 0 })
    onTestFinished(() => delivery.stop())
    delivery.start()
    await eventually('some are sent', () => receiver.arrivals.length > 500)
    expect(await hasStatistics()).toBe(true)
    expect(await indexOfKey(environmentId)).toBe('webhook_deliveries_pkey')
  },
)
