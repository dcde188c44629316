import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { blocksRead, explained, rowsRead } from '../../test/support/explained.ts'
import type { EnvironmentId } from '../database/database.ts'
import { deleteEventsOf } from './events.ts'
import { deleteMembershipsOf } from './memberships.ts'
import { deleteNotificationsOf } from './notifications.ts'
import type { LastRemovedKey } from './steps.ts'

/** One user and one group have all rows, and PostgreSQL knows that: it expects to find any owner's rows everywhere. */

const ENVIRONMENT = 1 as EnvironmentId
const ROWS = 10_000
const MOST = 500
const AT = '2026-01-01T00:00:00.000Z'
let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
  const { pool } = test.database
  const id = `('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const numbers = `generate_series(1, ${ROWS}) as n`
  await pool.query(
    `insert into events (environment_id, id, name, user_id, group_id, attributes, time, created_at)
     select ${ENVIRONMENT}, ${id}, 'n', 'all', 'all', '{}', now(), now() from ${numbers}`,
  )
  await pool.query(
    `insert into webhook_notifications (environment_id, id, topic, object, user_id, group_id, created_at)
     select ${ENVIRONMENT}, ${id}, 'n', '{}', 'all', 'all', now() from ${numbers}`,
  )
  await pool.query('vacuum analyze events, webhook_notifications')
})
afterAll(() => test.close())

const boundary = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const STATEMENTS = [deleteMembershipsOf, deleteEventsOf, deleteNotificationsOf].map(
  (deleteFirst) => [deleteFirst.name, deleteFirst] as const,
)
const objectsOf = (id: string) => [{ id, createdAt: AT }]
/** All memberships are of one user, or of one group. */
const PAIRS = { user: `'all', 'g' || n`, group: `'u' || n, 'all'` }

describe.each(['user', 'group'] as const)('a step of the deletion of a %s', (owner) => {
  beforeAll(async () => {
    const { pool } = test.database
    await pool.query('truncate group_memberships')
    await pool.query(
      `insert into group_memberships
         (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
       select ${ENVIRONMENT}, ${PAIRS[owner]}, gen_random_uuid(), '{}', now(), '${AT}', '${AT}'
         from generate_series(1, ${ROWS}) as n`,
    )
    await pool.query('vacuum analyze group_memberships')
  })

  it.each(STATEMENTS)('reads as few blocks late as early: %s', async (_, deleteFirst) => {
    const blocks: number[] = []
    await explained(test.database.pool, async (db, plans) => {
      let after: LastRemovedKey | undefined
      for (let isLeft = true; isLeft; ) {
        const part = { owner, objects: objectsOf('all'), boundary, most: MOST, after }
        ;({ isLeft, last: after } = await deleteFirst(db, ENVIRONMENT, part))
        blocks.push(plans.splice(0).reduce((sum, plan) => sum + blocksRead(plan), 0))
      }
    })
    // The step after the last row finds nothing.
    expect(blocks).toHaveLength(ROWS / MOST + 1)
    expect(blocks.at(-2)).toBeLessThan((blocks[0] as number) * 1.2 + 10)
  })

  it.each(STATEMENTS)('that has nothing reads no row of others: %s', async (_, deleteFirst) => {
    const part = { owner, objects: objectsOf('nobody'), boundary, most: MOST }
    const plans = await explained(test.database.pool, (db) => deleteFirst(db, ENVIRONMENT, part))
    expect(Math.max(...plans.map(rowsRead))).toBeLessThanOrEqual(1)
  })
})
