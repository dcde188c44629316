import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { createEnvironment, createTestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import type { EnvironmentId } from '../database/database.ts'
import { OpenTransaction } from '../database/transaction.ts'
import { Counters } from './counters.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const refusal = { status: 400, code: 'invalid', field: 'id', keyId: 1, requestId: 'r', message: 'm', at: NOW }

it.skipIf(inject('cluster').isDistributed)(
  'the counts of many environments are stored by as many statements as those of one, each in its own environment',
  async () => {
    const test = await createTestDatabase()
    onTestFinished(() => test.close())
    const environments = [await createEnvironment(test.database), await createEnvironment(test.database)]
    const statements = vi.spyOn(OpenTransaction.prototype, 'query')
    onTestFinished(() => statements.mockRestore())
    const flush = async (ids: readonly EnvironmentId[]) => {
      const counters = new Counters(test.database, silent)
      for (const [index, id] of ids.entries()) {
        const tally = counters.of(id)
        tally.add('request', '200', index + 1)
        tally.refuse({ ...refusal, code: `of ${index}` })
        tally.lastAt = NOW + index * 1_000
        counters.changeTotal(id, 'users', 10 * (index + 1))
      }
      statements.mockClear()
      await counters.flush(NOW)
      return statements.mock.calls.length
    }
    const ofOne = await flush(environments.slice(0, 1))
    expect(await flush(environments)).toBe(ofOne)
    const rows = await test.database.query(
      `select users::int, groups::int, last_request_at as at,
              (select count::int from counts
                where environment_id = totals.environment_id and kind = 'request' and step = 'minute') as requests,
              (select string_agg(code || ' ' || count, ',') from request_errors
                where environment_id = totals.environment_id) as refusals
         from environment_totals as totals order by environment_id`,
      [],
    )
    expect(rows).toEqual([
      { users: 20, groups: 0, at: '2026-01-02T03:04:05.000Z', requests: 2, refusals: 'of 0 2' },
      { users: 20, groups: 0, at: '2026-01-02T03:04:06.000Z', requests: 2, refusals: 'of 1 1' },
    ])
  },
)

it('stores when keys were used, also after the clock of the machine was set back', async () => {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  const stored = vi.spyOn(test.database, 'query')
  let monotonic = 5
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic)
  onTestFinished(() => void vi.restoreAllMocks())
  const counters = new Counters(test.database, silent)
  for (const now of [NOW, NOW - 3_600_000]) {
    counters.useKey(1, now)
    await counters.flush(now)
    monotonic += 10_000
  }
  expect(stored.mock.calls.filter(([text]) => text.includes('api_keys'))).toHaveLength(2)
})
