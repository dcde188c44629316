import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId } from '../database/database.ts'
import { newId } from '../ids.ts'
import { countAnswers } from './answer-queries.ts'
import { figuresOf, leftOf } from './figures.ts'
import { findFigures, findRuns } from './queries.ts'
import { sumRuns } from './sum.ts'

let test: TestDatabase
let environmentId: EnvironmentId
const content = newId()
const version = newId()
beforeAll(async () => {
  test = await createTestDatabase()
  environmentId = await newGuided()
})
afterAll(() => test.close())

async function newGuided(): Promise<EnvironmentId> {
  const id = await createEnvironment(test.database)
  await test.database.query('insert into guidance (environment_id) values ($1::int)', [id])
  return id
}

/** Runs that ended so many minutes ago, or are open. */
async function addRuns(runs: number, run: { step: string; steps: string[]; ended?: number; isCompleted?: boolean }) {
  const { step, steps, ended = null, isCompleted = false } = run
  await test.database.query(
    `insert into content_sessions (environment_id, id, content_id, version_id, type, user_id, state, reason, step, steps,
       epoch, sequence, created_at, last_activity_at, completed_at, ended_at, end_reason)
     select $1::int, gen_random_uuid(), $2::uuid, $3::uuid, 'flow', 'u_' || number, 'active', 'auto', $4::text, $5::jsonb, 1, 1,
            at - interval '1 minute', at, case when $7::boolean then at end,
            case when not $7::boolean and $6::int is not null then at end,
            case when not $7::boolean and $6::int is not null then 'close_button' end
       from generate_series(1, $8::int) as number, (select now() - make_interval(mins => coalesce($6::int, 30)) as at) as times`,
    [environmentId, content, version, step, JSON.stringify(steps), ended, isCompleted, runs],
  )
}

it('results are the same before and after runs are summed, and no run is summed twice', async () => {
  await addRuns(40, { step: 'b', steps: ['a', 'b'], ended: 120, isCompleted: true })
  await addRuns(30, { step: 'a', steps: ['a'], ended: 60 })
  await addRuns(5, { step: 'b', steps: ['a', 'b'], ended: 1 })
  await addRuns(7, { step: 'a', steps: ['a'] })
  const read = async () => {
    const sums = await findRuns(test.database, environmentId, content)
    const seen = (step: string) =>
      sums.filter((sum) => sum.reason === 'seen' && sum.step === step).reduce((all, { runs }) => all + runs, 0)
    return { ...figuresOf(sums), left: leftOf(sums, 'a'), a: seen('a'), b: seen('b') }
  }
  const before = await read()
  expect(before).toMatchObject({ seen: 82, completed: 40, open: 7, a: 82, b: 45 })
  expect(before.left).toEqual([{ reason: 'close_button', runs: 30 }])
  expect(before.median_seconds).toBeGreaterThan(50)
  expect(before.median_seconds).toBeLessThan(72)
  const [list] = await findFigures(test.database, environmentId)
  await Promise.all([sumRuns(test.database), sumRuns(test.database)])
  expect(await read()).toEqual(before)
  expect((await findFigures(test.database, environmentId))[0]).toEqual(list)
  expect(await sumRuns(test.database)).toBe(0)
  // Also not by a node whose clock is ahead: transactions that end runs of the last minutes may be under way.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  expect(await sumRuns(test.database)).toBe(0)
  clock.mockRestore()
  const rows = await test.database.query<{ runs: number }>(
    `select sum(runs)::int as runs from content_days where environment_id = $1::int and reason <> 'seen'`,
    [environmentId],
  )
  expect(rows[0]?.runs).toBe(70)
})

it('figures have a row for each day that is told apart and one for all before, however many days there are', async () => {
  const [guided, other] = [await newGuided(), newId()]
  await test.database.query(
    `insert into content_days (environment_id, content_id, version_id, day, step, reason, bucket, runs)
     select $1::int, content_id, $3::uuid, (now() at time zone 'UTC')::date - ago, 'b', reason, 0, 1
       from unnest(array[$2::uuid, $4::uuid]) as content_id, generate_series(1, 400) as ago,
            unnest(array['seen', 'completed', 'close_button']) as reason`,
    [guided, content, version, other],
  )
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const read = async (of?: Parameters<typeof findFigures>[2]) =>
    (await findFigures(test.database, guided, of))
      .map((row) => [row.content_id, row.day, row.runs, row.completed])
      .sort()
  const days = [
    [content, day(1), 2, 1],
    [content, null, 798, 399],
  ].sort()
  expect(await read({ contentId: content, since: day(1) })).toEqual(days)
  expect(await read({ since: day(1) })).toEqual([...days, [other, day(1), 2, 1], [other, null, 798, 399]].sort())
  expect(await read({ contentId: other })).toEqual([[other, null, 800, 400]])
})

it('runs that end after the clock of the database was set back count, and those summed before it count once', async () => {
  const read = async () => figuresOf(await findRuns(test.database, environmentId, content))
  const sumAt = async (minutesAgo: number) => await sumRuns(test.database, Date.now() - minutesAgo * 60_000)
  await sumAt(0)
  const before = await read()
  await sumAt(90)
  expect(await read()).toEqual(before)
  await addRuns(3, { step: 'b', steps: ['a', 'b'], ended: 95, isCompleted: true })
  const after = { ...before, seen: before.seen + 3, completed: before.completed + 3 }
  expect(await read()).toMatchObject({ seen: after.seen, completed: after.completed })
  await sumAt(200)
  expect(await read()).toMatchObject({ seen: after.seen, completed: after.completed })
  await sumAt(0)
  await sumAt(0)
  expect(await read()).toMatchObject({ seen: after.seen, completed: after.completed, open: before.open })
})

it('answers are the same before and after they are summed, and no sum has a text that a user wrote', async () => {
  const { database } = test
  const surveyEnvironment = await newGuided()
  const [surveyed, survey] = [newId(), newId()]
  const document = {
    steps: [{ blocks: [{ question: 'use', kind: 'choice', options: ['Plans', 'Reports'], other: 'Else' }] }],
  }
  await database.query(
    `insert into content_versions (environment_id, id, content_id, number, document, description, revision, edited_at, created_at)
     values ($1::int, $2::uuid, $3::uuid, 1, $4::text, '', 1, now(), now())`,
    [surveyEnvironment, survey, surveyed, JSON.stringify(document)],
  )
  const answer = (ended: number | null, given: { number?: number; text?: string; list?: string[] }, question: string) =>
    database.query(
      `with run as (
         insert into content_sessions (environment_id, id, content_id, version_id, type, user_id, state, reason, step, steps,
           epoch, sequence, created_at, last_activity_at, ended_at, end_reason)
         values ($1::int, gen_random_uuid(), $2::uuid, $3::uuid, 'flow', 'ada', 'active', 'auto', 'a', '["a"]', 1, 1,
                 now() - interval '3 hours', now(), now() - make_interval(mins => $4::int), 'button') returning *)
       insert into content_answers (environment_id, session_id, question, id, user_id, content_id, version_id, name,
         number_answer, text_answer, list_answer, epoch, sequence, created_at)
       select environment_id, id, $5::text, gen_random_uuid(), user_id, content_id, version_id, 'Use',
              $6::float8, $7::text, $8::jsonb, 1, 1, created_at from run`,
      [
        ...[surveyEnvironment, surveyed, survey, ended, question, given.number ?? null, given.text ?? null],
        given.list ? JSON.stringify(given.list) : null,
      ],
    )
  await answer(120, { text: 'Plans' }, 'use')
  await answer(90, { text: 'my secret' }, 'use')
  await answer(80, { list: ['Plans', 'Reports', 'another secret'] }, 'use')
  await answer(1, { text: 'Reports' }, 'use')
  await answer(null, { text: 'Reports' }, 'use')
  await answer(70, { number: 9 }, 'ease')
  const read = async () => {
    const counts = await countAnswers(database, surveyEnvironment, surveyed, survey)
    return Object.fromEntries(counts.map(({ question, value, answers }) => [`${question} ${value}`, answers]))
  }
  const before = await read()
  const expected = { 'use ': 5, 'use =Plans': 2, 'use =Reports': 3, 'use +': 2, 'ease ': 1, 'ease =9': 1 }
  expect(before).toEqual(expected)
  await Promise.all([sumRuns(database), sumRuns(database)])
  expect(await read()).toEqual(expected)
  const sums = await database.query<{ value: string; answers: number }>(
    'select value, sum(answers)::int as answers from content_answer_days where environment_id = $1::int group by 1',
    [surveyEnvironment],
  )
  expect(Object.fromEntries(sums.map(({ value, answers }) => [value, answers]))).toEqual({
    ...{ '': 4, '=Plans': 2, '=Reports': 1, '+': 2, '=9': 1 },
  })
  // The clock of the database was ahead, and is set back.
  await sumRuns(database, Date.now() - 75 * 60_000)
  expect(await read()).toEqual(expected)
  await answer(78, { text: 'Plans' }, 'use')
  const more = { ...expected, 'use ': 6, 'use =Plans': 3 }
  expect(await read()).toEqual(more)
  await sumRuns(database)
  expect(await read()).toEqual(more)
})
