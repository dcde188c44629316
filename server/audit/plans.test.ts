import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type Plan, rowsRead } from '../../test/support/explained.ts'
import type { Reader } from '../database/database.ts'
import { type AuditFilter, listAuditEntries } from './queries.ts'

const ENTRIES = 20_000
let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  await test.database.pool.query(`
    insert into audit_entries (account_id, id, at, actor_kind, actor_name, action, target_kind, target_id)
    select 1, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(n::text, 12, '0'))::uuid,
           at, 'key', 'x', 'endpoint.tested', 'endpoint', n::text
      from generate_series(1, ${ENTRIES}) as n,
           lateral (select date_trunc('milliseconds', now()) - n * interval '1 minute' as at) as times`)
  await test.database.pool.query('vacuum analyze audit_entries')
})
afterAll(() => test.close())

/** The rows that the list reads, planned for the values of the filter as it is, and those that it has. */
async function read(filter: Omit<AuditFilter, 'limit'>): Promise<{ read: number; listed: number }> {
  const plans: Plan[] = []
  const queryUnprepared = async (text: string, values: readonly unknown[]) => {
    const { rows } = await test.database.pool.query(`explain (analyze, buffers, format json) ${text}`, [...values])
    plans.push(rows[0]['QUERY PLAN'][0].Plan)
    return await test.database.queryUnprepared(text, values)
  }
  const query = test.database.query.bind(test.database)
  const db = { isDistributed: false, query, queryUnprepared } as Reader
  const { rows } = await listAuditEntries(db, 1, { ...filter, limit: 50 })
  return { read: Math.max(...plans.map(rowsRead)), listed: rows.length }
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

it.skipIf(inject('cluster').isDistributed)(
  'few entries since a time are found without reading those before it',
  async () => {
    const found = await read({ since: ago(10.5) })
    expect(found.listed).toBe(10)
    expect(found.read).toBeLessThan(50)
    expect(await read({ since: '1969-01-01T00:00:00Z' })).toMatchObject({ listed: 50 })
  },
)
