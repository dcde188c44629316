import type pg from 'pg'
import type { Condition } from '../../contract/conditions/condition.ts'
import { type CountRequest, countStatement } from '../../server/conditions/count-sql.ts'
import { COUNT_SETTINGS } from '../../server/conditions/counter.ts'
import { isSelectedSql } from '../../server/conditions/members-sql.ts'
import { Parameters } from '../../server/conditions/parameters.ts'
import { withClient } from '../address.ts'
import type { Bench } from '../bench.ts'
import { cpuMicros } from '../proc.ts'
import { ENVIRONMENT, seed, seedEvents, withDatabase } from '../seed.ts'
import type { Measured, Row } from './row.ts'

/** Conditions for all users at once. What is compared is the CPU time of PostgreSQL. */

const USERS = 100_000
const EVENTS = 400_000
const MANY_USERS = 1_000_000
const RUNS = 10
const PAGE = 100
const SIGNED_UP_AFTER = '2025-06-01T00:00:00Z'

interface Statement {
  text: string
  values: unknown[]
}

const plan: Condition = { attribute: 'plan', is: 'equals', value: 'growth' }
const signedUp: Condition = { attribute: 'signed_up_at', is: 'after', value: SIGNED_UP_AFTER }
const created: Condition = { event: 'project_created', within: '200w' }
const lines: Condition = {
  all: [
    plan,
    created,
    ...[9, 19, 29, 39, 49, 59, 69, 79].map((value): Condition => ({ attribute: 'seats', is: 'more', value })),
  ],
}

/**
 * By hand, with the same answer: no number and no boolean has the text `growth`, and a missing plan is not it. Events that a
 * deletion covers are counted by hand; there are none here.
 */
const GROWING = `select count(*) from users where environment_id = $1::int and attributes ->> 'plan' = 'growth'`
/** By hand it would fail on a text that is no date-time. */
const NEWCOMERS = `select count(*) from users where environment_id = $1::int
  and (attributes ->> 'signed_up_at')::timestamptz > timestamptz '${SIGNED_UP_AFTER}'`
const CREATORS = `select count(*) from users as one where environment_id = $1::int and exists (
  select from events as event where event.environment_id = $1::int and event.user_id = one.id
     and event.name = 'project_created' and event.time <= now() and event.time >= now() - interval '200 weeks')`

export const conditionRows: Row[] = [
  row('count-attributes', 'count of a condition on an attribute, against SQL by hand', 0.7, () => ({
    ours: countStatement(requestOf(plan), 1),
    other: { text: GROWING, values: [ENVIRONMENT] },
  })),
  row('count-times', 'count of a condition on a date-time, against SQL by hand', 0.1, () => ({
    ours: countStatement(requestOf(signedUp), 1),
    other: { text: NEWCOMERS, values: [ENVIRONMENT] },
  })),
  row('count-events', 'count of a condition on events, against SQL by hand', 0.7, () => ({
    ours: countStatement(requestOf(created), 1),
    other: { text: CREATORS, values: [ENVIRONMENT] },
  })),
  row('count-lines', 'count of ten lines, each by itself and all together, against all together', 0.4, () => ({
    ours: countStatement(requestOf(lines), 1),
    other: wholeOf(lines),
  })),
  {
    name: 'members-page',
    work: `a page of ${PAGE} members of a segment that one user in a thousand is in, ${MANY_USERS.toLocaleString('en')} users`,
    target: { most: 1_000, unit: 'ms' },
    full: true,
    measure: measurePage,
  },
]

function row(name: string, what: string, least: number, statements: () => Record<'ours' | 'other', Statement>): Row {
  return {
    name,
    work: `${what}, ${USERS.toLocaleString('en')} users`,
    target: { least },
    measure: (bench) => measure(bench, statements()),
  }
}

function requestOf(condition: Condition): CountRequest {
  const meanings = { segments: () => undefined, keptDays: undefined }
  return { environmentId: ENVIRONMENT, condition, scope: 'user', now: Date.now(), ...meanings }
}

function wholeOf(condition: Condition): Statement {
  const parameters = new Parameters()
  const isSelected = isSelectedSql(condition, { ...requestOf(condition), parameters })
  const text = `select count(*) from users as object where object.environment_id = $1::int and ${isSelected}`
  return { text, values: [ENVIRONMENT, ...parameters.values] }
}

async function measure(bench: Bench, { ours, other }: Record<'ours' | 'other', Statement>): Promise<Measured> {
  const database = await bench.postgres.createDatabase()
  bench.atEnd(() => bench.postgres.dropDatabase(database))
  bench.progress(`storing ${USERS} users`)
  await seed(database, USERS, 0)
  await seedEvents(database, EVENTS, USERS)
  return await withClient({ connectionString: database }, async (client) => {
    await client.query('set search_path = usher')
    // As the server counts.
    for (const [name, value] of Object.entries(COUNT_SETTINGS)) await client.query(`set ${name} = '${value}'`)
    await expectSameAnswer(client, ours, other)
    const micros = { ours: 0, other: 0 }
    for (let count = 0; count <= RUNS; count += 1)
      for (const [side, { text, values }] of Object.entries({ ours, other })) {
        const before = cpuMicros(bench.postgres.pid)
        await client.query(text, values)
        // The first run of each fills the caches.
        if (count > 0) micros[side as keyof typeof micros] += cpuMicros(bench.postgres.pid) - before
      }
    const each = (sum: number) => `${Math.round(sum / RUNS / 1_000)} ms`
    const note = `${each(micros.ours)} of CPU time, against ${each(micros.other)}`
    return { value: micros.other / micros.ours, note }
  })
}

async function expectSameAnswer(client: pg.Client, ours: Statement, other: Statement): Promise<void> {
  const [counted] = (await client.query<{ whole: number }>(ours.text, ours.values)).rows
  const [byHand] = (await client.query<{ count: string }>(other.text, other.values)).rows
  if (counted?.whole !== Number(byHand?.count))
    throw new Error(`${counted?.whole} are counted, ${byHand?.count} by hand`)
}

/** The slowest of some pages, each after the one before. A page that looked at enough users may be short. */
async function measurePage(bench: Bench): Promise<Measured> {
  const database = await bench.postgres.createDatabase()
  bench.atEnd(() => bench.postgres.dropDatabase(database))
  bench.progress(`storing ${MANY_USERS} users`)
  await seed(database, MANY_USERS, 0)
  await withDatabase(database, async (db) => {
    const rare = `update users set attributes = attributes || '{"rare": true}' where environment_id = $1::int and hashtext(id) % 1000 = 0`
    await db.query(rare, [ENVIRONMENT])
    await db.query('vacuum (analyze) users', [])
  })
  const { server } = await bench.siteOn(database)
  const segment = { key: 'rare', name: 'Rare', condition: { attribute: 'rare', is: 'true' } }
  const saved = await server.call('POST', '/segments', segment)
  if (saved.status !== 200) throw new Error(`/segments answered ${saved.status}: ${await saved.text()}`)
  const times: number[] = []
  const sizes: number[] = []
  let path: string | undefined = `/users?segment=rare&limit=${PAGE}`
  for (let count = 0; count < RUNS && path !== undefined; count += 1) {
    const started = performance.now()
    const response = await server.call('GET', path)
    const page = (await response.json()) as { data: unknown[]; next_page_url: string | null }
    times.push(performance.now() - started)
    sizes.push(page.data.length)
    const next: URL | undefined = page.next_page_url ? new URL(page.next_page_url) : undefined
    path = next && next.pathname + next.search
  }
  return { value: Math.max(...times), note: `pages of ${sizes.join(', ')}` }
}
