import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { explained, rowsRead } from '../../test/support/explained.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { findStandings } from '../decisions/states.ts'
import { Histories, loadHistories } from './histories.ts'

/** One large environment and many small ones: the average is wrong for it. */

const LARGE = 1 as EnvironmentId
const SMALL = 2 as EnvironmentId
const id = (kind: string, number: string) => `md5('${kind}' || ${number})::uuid`
const CONTENTS = 50
let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
  const { pool } = test.database
  const all = `(select ${LARGE} as environment_id, n from generate_series(1, 5000) as n union all
    select environment_id, n from generate_series(2, 400) as environment_id, generate_series(1, 10) as n) as rows`
  const content = `${id('content', `n % ${CONTENTS}`)}, ${id('version', `n % ${CONTENTS}`)}`
  await pool.query(`
    insert into content (environment_id, id, key, name, type, draft_version_id, published_version_id, created_at)
    select environment_id, ${content.split(', ')[0]}, 'c' || n, 'C', 'flow', ${content.split(', ')[1]},
           ${content.split(', ')[1]}, now()
      from ${all} where n < ${CONTENTS}`)
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
})
afterAll(() => test.close())

const keys = { userId: 'u7', sessionId: '', contentId: '' }

it('what is remembered of a user is read by its keys, however large the environment is', async () => {
  const { rows } = await test.database.pool.query(
    `select id as "sessionId", content_id as "contentId" from content_sessions where environment_id = 1 and user_id = 'u7'`,
  )
  Object.assign(keys, rows[0])
  const part = (environmentId: EnvironmentId) => ({ environmentId, items: [keys], histories: new Histories() })
  const plans = await explained(test.database.pool, async (transaction) => {
    const db = transaction as OpenTransaction
    await loadHistories(db, [part(LARGE)])
    await loadHistories(db, [part(LARGE), part(SMALL)])
    await findStandings(db, ofOne(LARGE, ['u7']))
    await findStandings(db, [...ofOne(LARGE, ['u7']), ...ofOne(SMALL, ['u7'])])
  })
  expect(plans.map(rowsRead).filter((count) => count > 4)).toEqual([])
})
