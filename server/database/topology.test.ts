import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { eventually } from '../../test/support/deliveries.ts'
import type { Database, EnvironmentId } from './database.ts'
import { lockSchema } from './schema-lock.ts'
import { openSession } from './session.ts'
import { distributedTables } from './tables.ts'
import { confirmTopology, type DistributedState, findTopology, PLAIN, unsafeReason } from './topology.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

/** The driver keeps the connections of a pool to itself. */
const clientsOf = ({ pool }: Database) => (pool as unknown as { _clients: pg.Client[] })._clients

it('reports how the tables of this database are stored', async () => {
  expect(await findTopology(test.connection)).toEqual({ isDistributed: test.database.isDistributed })
})

it('a server that starts waits while the tables are being distributed', async () => {
  const distributing = await openSession(test.connection)
  await lockSchema(distributing)
  let found = false
  const starting = findTopology(test.connection).then(() => {
    found = true
  })
  await eventually('it waits', async () => {
    const waiting = await test.database.query(
      `select 1 as one from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like 'select pg_try_advisory_lock_shared%'`,
      [],
    )
    return waiting.length === 1
  })
  expect(found).toBe(false)
  await distributing.end()
  await starting
})

it('a server that began to start before the tables were distributed is refused', async () => {
  const confirmed = confirmTopology(test.connection, PLAIN)
  if (test.database.isDistributed) await expect(confirmed).rejects.toThrow('start it again')
  else await confirmed
})

it.skipIf(!inject('cluster').isDistributed)(
  'a transaction gives its settings to the worker, which warns of nothing',
  async () => {
    const environmentId = 1 as EnvironmentId
    await test.database.anchor(environmentId)
    const notices: string[] = []
    const transaction = await test.database.begin(1_234)
    for (const client of clientsOf(test.database)) client.on('notice', ({ message }) => notices.push(message ?? ''))
    const rows = await transaction.query(
      `select current_setting('lock_timeout') as lock_timeout, current_setting('random_page_cost') as random_page_cost
         from environment_anchors where environment_id = $1::int`,
      [environmentId],
    )
    await transaction.commit()
    expect(rows).toEqual([{ lock_timeout: '1234ms', random_page_cost: '1.1' }])
    expect(notices).toEqual([])
  },
)

describe('an unsafe set-up of a cluster is refused with one line', () => {
  const all: DistributedState[] = distributedTables.map((name) => ({
    name,
    column: 'environment_id',
    colocation: 1,
    isCopied: false,
  }))
  const change = (name: string, part: Partial<DistributedState>) =>
    all.map((state) => (state.name === name ? { ...state, ...part } : state))

  it('takes all tables distributed by environment_id and colocated', () => {
    expect(unsafeReason(all)).toBeUndefined()
  })

  it.each([
    ['a table that is not distributed', all.filter(({ name }) => name !== 'events'), /events.*usher shard/],
    ['a control table that is', [...all, { ...(all[0] as DistributedState), name: 'accounts' }], /accounts/],
    ['another column', change('users', { column: 'id' }), /users is not distributed by environment_id/],
    ['a reference table', change('groups', { column: null }), /groups is not distributed by environment_id/],
    ['tables apart', change('events', { colocation: 2 }), /not colocated/],
    ['statements copied to several workers', change('events', { isCopied: true }), /shard_replication_factor/],
  ])('refuses %s', (_, states, line) => {
    expect(unsafeReason(states)).toMatch(line)
    expect(unsafeReason(states)).not.toContain('\n')
  })
})
