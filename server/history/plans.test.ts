import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { explained, type Plan, rowsRead } from '../../test/support/explained.ts'
import type { EnvironmentId, OpenTransaction, Reader } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { ofOne } from '../database/parts.ts'
import { findStandings } from '../decisions/states.ts'
import { listSessions } from '../sessions/read.ts'
import { findOpenSessions } from './find.ts'
import { Histories, type HistoryKeys, loadHistories } from './histories.ts'
import { storeSessions } from './store.ts'

const LARGE = 1 as EnvironmentId
const SMALL = 2 as EnvironmentId
const id = (kind: string, number: string) => `md5('${kind}' || ${number})::uuid`
const rowsOfLarge = `select ${LARGE} as environment_id, n from generate_series(1, 5000) as n`
const rowsOfSmall =
  'select environment_id, n from generate_series(2, 400) as environment_id, generate_series(1, 10) as n'

/** A database with a claim, a session and a state for each of these rows, of so many contents. */
async function filled(rows: string, contents: number): Promise<TestDatabase> {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  const { pool } = test.database
  const all = `(${rows}) as rows`
  const content = `${id('content', `n % ${contents}`)}, ${id('version', `n % ${contents}`)}`
  await pool.query(`
    insert into content (environment_id, id, key, name, type, draft_version_id, published_version_id, created_at)
    select environment_id, ${content.split(', ')[0]}, 'c' || n, 'C', 'flow', ${content.split(', ')[1]},
           ${content.split(', ')[1]}, now()
      from ${all} where n < ${contents}`)
  await pool.query(`
    insert into content_versions (environment_id, id, content_id, number, revision, document, created_at, edited_at)
    select environment_id, published_version_id, id, 1, 1, '{}', now(), now() from content`)
  await pool.query(`
    insert into content_claims (environment_id, id, user_id, content_id, version_id, type, holder, epoch, sequence, state, reason,
                                lease_until, created_at)
    select environment_id, ${id('session', 'n')}, 'u' || n, ${content}, 'flow', 'h', 1, 0, 'claimed', 'auto', now(), now() from ${all}`)
  await pool.query(`
    insert into content_sessions (environment_id, id, user_id, content_id, version_id, type, state, reason, epoch, sequence,
                                  created_at, last_activity_at)
    select environment_id, ${id('session', 'n')}, 'u' || n, ${content}, 'flow', 'active', 'auto', 1, 1, now(), now() from ${all}`)
  await pool.query(`
    insert into content_states (environment_id, user_id, content_id, started, last_started_at, active_session_id)
    select environment_id, user_id, content_id, 1, now(), id from content_sessions`)
  await pool.query(`
    insert into content_answers (environment_id, session_id, question, id, user_id, content_id, version_id, name, text_answer, epoch,
                                 sequence, created_at)
    select environment_id, id, 'q', id, user_id, content_id, version_id, 'Q', 'a', 1, 1, now() from content_sessions`)
  await pool.query(
    'vacuum analyze content, content_versions, content_claims, content_sessions, content_states, content_answers',
  )
  return test
}

/** Of the user whose content has the greatest id: who reads all in their order comes to it last. */
async function findKeys({ database: { pool } }: TestDatabase): Promise<HistoryKeys & { userId: string }> {
  const { rows } = await pool.query(
    `select user_id as "userId", id as "sessionId", content_id as "contentId" from content_sessions
      where environment_id = ${LARGE} order by content_id desc limit 1`,
  )
  return rows[0]
}

const nodeTypes = (plan: Plan): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodeTypes)]

const partOf = (environmentId: EnvironmentId, keys: HistoryKeys) => ({
  environmentId,
  items: [keys],
  histories: new Histories(),
})

it('what is remembered of a user is looked up, without a sort, in the only environment of a database', async () => {
  const test = await filled(rowsOfLarge, 50)
  const keys = await findKeys(test)
  const plans = await explained(test.database.pool, async (transaction) => {
    await loadHistories(transaction as OpenTransaction, [partOf(LARGE, keys)])
    await findStandings(transaction as OpenTransaction, ofOne(LARGE, [keys.userId]))
  })
  const kinds = new Set(plans.flatMap(nodeTypes))
  expect([...kinds].filter((kind) => /Sort|Merge|Hash/.test(kind))).toEqual([])
})

it('what is remembered of a user is read by its keys, in a large environment among many small ones', async () => {
  // The average is wrong for the large one.
  const test = await filled(`${rowsOfLarge} union all ${rowsOfSmall}`, 50)
  const keys = await findKeys(test)
  const part = (environmentId: EnvironmentId) => partOf(environmentId, keys)
  const plans = await explained(test.database.pool, async (transaction) => {
    const db = transaction as OpenTransaction
    await loadHistories(db, [part(LARGE)])
    await loadHistories(db, [part(LARGE), part(SMALL)])
    await findStandings(db, ofOne(LARGE, [keys.userId]))
    await findStandings(db, [...ofOne(LARGE, [keys.userId]), ...ofOne(SMALL, [keys.userId])])
  })
  expect(plans.map(rowsRead).filter((count) => count > 4)).toEqual([])
})

it('sessions in the order of their activity are read by the ten minutes of it', async () => {
  const test = await filled(rowsOfLarge, 50)
  const { pool } = test.database
  // Ten of all contents in ten minutes.
  await pool.query(`update content_sessions set last_activity_at = timestamptz '2026-01-01' + sequence_of.n * interval '1 minute'
    from (select id, row_number() over (order by id) as n from content_sessions) as sequence_of
    where content_sessions.id = sequence_of.id`)
  await pool.query('vacuum analyze content_sessions')
  const { rows } = await pool.query(
    'select id, content_id from content_sessions order by last_activity_at offset 2500 limit 1',
  )
  const { id: middle, content_id } = rows[0]
  const horizon = { untilMs: Date.now(), exceptMs: [], sequence: 1 }
  const read = async (order: string, filter: object) => {
    const query = { limit: 3, order_by: [order], starting_after: middle, ...filter }
    return await explained(pool, async (transaction) => {
      const reader = { ...transaction, queryUnprepared: transaction.query } as unknown as Reader
      await listSessions(reader, LARGE, query, '', horizon)
    })
  }
  for (const order of ['last_activity_at', '-last_activity_at'])
    expect((await read(order, {})).map(rowsRead).filter((count) => count > 120)).toEqual([])
  expect((await read('last_activity_at', { content_id })).map(rowsRead).filter((count) => count > 101)).toEqual([])
})

it('a further report of a session writes no index', async () => {
  const test = await filled('select 1 as environment_id, n from generate_series(1, 3) as n', 2)
  const hot = await inTransaction(test.database, async (transaction) => {
    const [sessions = []] = await findOpenSessions(transaction, ofOne(LARGE, ['u1', 'u3']))
    const reported = sessions.map((each) => ({
      ...each,
      sequence: 2,
      step: 'b',
      lastActivityAt: each.lastActivityAt + 0.001,
    }))
    await storeSessions(transaction, ofOne(LARGE, reported))
    const [row] = await transaction.query<{ count: number }>(
      "select pg_stat_get_xact_tuples_hot_updated('content_sessions'::regclass)::int as count",
      [],
    )
    return row?.count
  })
  expect(hot).toBe(2)
})
