import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ListEventsQuery } from '../../contract/queries.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import type { Services } from '../services.ts'
import { answerEvents, eventSource } from './list.ts'

/** One user has a third of all events; ten of them have a rare name. Two fifths of all have one busy name. */
const ROWS = 30_000
const LIMIT = 100

let test: TestDatabase
let environmentId: EnvironmentId

const idOf = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

beforeAll(async () => {
  test = await createTestDatabase({ statement_timeout: '120000' })
  environmentId = await createEnvironment(test.database)
  await test.database.pool.query(
    `insert into events (environment_id, id, name, user_id, group_id, attributes, time, created_at)
     select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            case when n % 3000 = 0 then 'rare' when n % 5 < 2 then 'busy' else 'name ' || n % 50 end,
            case when n % 3 = 0 then 'busy' else 'u' || n % 1000 end, 'g' || n % 100, '{}', at, at
       from generate_series(1, ${ROWS}) as n, lateral (select timestamptz '2026-01-01' + n * interval '1 second' as at) as times`,
    [environmentId],
  )
  await test.database.pool.query('vacuum analyze events, pending_deletions')
})
afterAll(() => test.close())

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]

/** The parts of the plans of a page that read events. */
async function explainPage(query: ListEventsQuery): Promise<Plan[]> {
  const plans: Plan[] = []
  const { database } = test
  const explaining = async (text: string, values: readonly unknown[]) => {
    const [row] = await database.queryUnprepared(`explain (analyze, format json) ${text}`, values)
    plans.push(...flatten((row as unknown as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan))
    return await database.queryUnprepared(text, values)
  }
  const reader = { isDistributed: false, query: explaining, queryUnprepared: explaining } as unknown as Reader
  const services = {
    listReader: { read: <T>(read: (db: Reader) => T) => read(reader) },
    commits: { horizon: () => ({ untilMs: Date.now(), exceptMs: [] }) },
    sharedReads: { read: <T>(_environment: number, _list: string, read: () => T) => read() },
  } as unknown as Services
  await answerEvents(services, environmentId, eventSource(query), query, '')
  return plans.filter((plan) => plan['Relation Name'] === 'events')
}

const middle = { starting_after: idOf(ROWS / 2 - ((ROWS / 2) % 30)) }
const cases: [string, ListEventsQuery, number][] = [
  ['the newest events', {}, LIMIT + 1],
  ['a busy user', { user_id: 'busy' }, LIMIT + 1],
  ['a busy user, from the middle', { user_id: 'busy', ...middle }, LIMIT + 1],
  ['a busy user, the oldest first', { user_id: 'busy', order_by: ['time'] }, LIMIT + 1],
  ['a busy user, by created_at', { user_id: 'busy', order_by: ['created_at'] }, LIMIT + 1],
  ['a rare name of a busy user', { user_id: 'busy', name: 'rare' }, 10],
  ['a busy name of everybody', { name: 'busy' }, LIMIT + 1],
  ['a busy name, from the middle', { name: 'busy', ...middle }, LIMIT + 1],
  ['an ordinary user', { user_id: 'u7' }, 30],
  // All of its events, or a page of them.
  ['a group', { group_id: 'g7' }, ROWS / 100],
  ['a name that a group does not have', { group_id: 'g7', name: 'rare' }, 0],
  ['a range of time', { 'time[gte]': '2026-01-01T01:00:00Z', 'time[lt]': '2026-01-01T02:00:00Z' }, LIMIT + 1],
]

it.each(cases)('a page of %s reads its own events and no others', async (_, query, most) => {
  const plans = await explainPage({ limit: LIMIT, ...query })
  expect(plans.map((plan) => plan['Node Type'])).not.toContain('Seq Scan')
  const read = plans.map((plan) => (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'])
  expect(plans).not.toEqual([])
  expect(Math.max(...read)).toBeLessThanOrEqual(Math.max(most, 1))
})
