import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { blocksRead, explained, type Plan } from '../../test/support/explained.ts'
import type { EnvironmentId, Reader, Transaction } from '../database/database.ts'
import { countAnswers, findTexts, MOST_ANSWERS_LOOKED_AT } from './answer-queries.ts'
import { ALL_TIME, type Place } from './place.ts'
import { findFigures, findRuns, findSums } from './queries.ts'

/** Runs of one content that are over and summed, in a table that PostgreSQL would read with several workers. */

const ENVIRONMENT = 1 as EnvironmentId
const CONTENT = '01900000-0000-7000-8000-000000000001'
const RUNS = 30_000
let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
  const { pool } = test.database
  await pool.query(`
    insert into content_sessions (environment_id, id, user_id, content_id, version_id, type, state, reason, step, steps, epoch,
                                  sequence, created_at, last_activity_at, completed_at, ended_at, receipt)
    select ${ENVIRONMENT}, md5(n::text)::uuid, 'u' || n, '${CONTENT}', '${CONTENT}', 'flow', 'completed', 'auto', 'a', '["a"]', 1, 1,
           at, at, at, at, jsonb_build_object('text', repeat('x', 100))
      from generate_series(1, ${RUNS}) as n, lateral (select now() - n * interval '1 second' as at) as times`)
  await pool.query(
    `insert into content_sums (environment_id, summed_until, answers_until) values (${ENVIRONMENT}, now(), now())`,
  )
  await pool.query(`
    insert into content_answers (environment_id, session_id, question, id, user_id, content_id, version_id, name, number_answer,
                                 epoch, sequence, created_at)
    select environment_id, id, 'ease', id, user_id, content_id, version_id, 'How easy?', 7, 1, 1, created_at from content_sessions`)
  await pool.query(`
    insert into content_answer_days (environment_id, content_id, version_id, question, value, day, answers)
    values (${ENVIRONMENT}, '${CONTENT}', '${CONTENT}', 'ease', '=7', now(), ${RUNS})`)
  await pool.query(`
    insert into content_days (environment_id, content_id, version_id, day, step, reason, bucket, runs)
    values (${ENVIRONMENT}, '${CONTENT}', '${CONTENT}', now(), 'a', 'completed', 0, ${RUNS})`)
})
afterAll(() => test.close())

const partsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(partsOf)]

async function plansOfResults(): Promise<Plan[]> {
  return await explained(test.database.pool, async (transaction: Transaction) => {
    const query = transaction.query.bind(transaction)
    const db = { isDistributed: false, query, queryUnprepared: query } satisfies Reader
    await findRuns(db, ENVIRONMENT, CONTENT)
    await findSums(db, ENVIRONMENT, CONTENT, [CONTENT], ALL_TIME)
    await findFigures(db, ENVIRONMENT)
    await countAnswers(db, ENVIRONMENT, CONTENT, CONTENT)
  })
}

it('a search for a text looks at a bounded number of answers, and goes on where it stopped', async () => {
  const { database } = test
  const texts = MOST_ANSWERS_LOOKED_AT + 50
  await database.pool.query(`
    insert into content_answers (environment_id, session_id, question, id, user_id, content_id, version_id, name, text_answer,
                                 epoch, sequence, created_at)
    select ${ENVIRONMENT}, md5(n::text)::uuid, 'why', md5('why' || n)::uuid, 'u' || n, '${CONTENT}', '${CONTENT}', 'Why?',
           case when n = ${texts} then 'The Oldest' else 'Because' end, 1, 1, now() - (n / 10) * interval '1 second'
      from generate_series(1, ${texts}) as n`)
  const search = (q: string, before: Place | undefined) =>
    findTexts(database, ENVIRONMENT, { contentId: CONTENT, versionId: CONTENT, since: ALL_TIME }, 'why', {
      q,
      before,
      limit: 20,
      options: [],
      nps: 'score',
    })
  const first = await search('oldest', undefined)
  expect([first.rows, first.next]).toEqual([[], expect.anything()])
  const second = await search('oldest', first.next as Place)
  expect([second.rows.map(({ text }) => text), second.next]).toEqual([['The Oldest'], null])
  // Several have the same time: none of them is left out between two pages.
  let next: Place | null | undefined
  const seen = new Set<string>()
  for (let page = 0; page < 5; page++) {
    const found = await search('', next ?? undefined)
    for (const { id } of found.rows) seen.add(id)
    next = found.next
  }
  expect(seen.size).toBe(100)
})

it('results read the sums and the runs since then, without workers, however many runs are summed', async () => {
  const unknown = await plansOfResults()
  await test.database.pool.query(
    'vacuum analyze content_sessions, content_sums, content_days, content_answers, content_answer_days',
  )
  const known = await plansOfResults()
  for (const plan of [...unknown, ...known]) {
    expect(blocksRead(plan)).toBeLessThan(20)
    expect(partsOf(plan).filter((part) => part['Node Type'].startsWith('Gather'))).toEqual([])
  }
  const expected = known.flatMap(partsOf).filter((part) => part['Relation Name'] === 'content_sessions')
  expect(expected.filter((part) => part['Plan Rows'] > RUNS / 100)).toEqual([])
})
