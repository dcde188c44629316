import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { explained, type Plan, rowsRead } from '../../test/support/explained.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { findStandings } from '../decisions/states.ts'
import { Histories, type HistoryKeys, loadHistories } from './histories.ts'

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
