import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { publishTest, tour } from '../../test/support/content.ts'
import { countLockWaits } from '../../test/support/lock-waits.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { type AnswerCount, countAnswers } from './answer-queries.ts'
import { answerSumsOf } from './answer-sql.ts'
import { findRuns, type RunSum } from './queries.ts'
import { BEGAN, sumsOf } from './run-sql.ts'
import { sumRuns } from './sum.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  // Its sums are by the clock, and would take back those that are ahead.
  await server.services.housekeeping.stop()
})
afterAll(() => server.close())

it('a task that is completed during the first sum of an environment, after the sum has read its run, counts', async () => {
  const { client, database, environmentId } = server
  const tasks = ['first', 'late'].map((key) => ({ key, name: key }))
  const content = { key: 'list', type: 'checklist', name: 'List', tasks }
  const { id: contentId } = await publishTest(database, environmentId, content as never)
  await client.post('/users', { id: 'ada' })
  const { body: claim } = await client.post('/content_sessions', { content: 'list', user_id: 'ada', holder: 'h' })
  const report = (reports: object[]) => client.post(`/content_sessions/${claim.id}/progress`, { holder: 'h', reports })
  await report([
    { sequence: 1, type: 'shown' },
    { sequence: 2, type: 'task_completed', task: 'first' },
    { sequence: 3, type: 'completed' },
  ])
  const waits = (count: number) => expect.poll(() => countLockWaits(database)).toBe(count)
  const written = await inTransaction(database, async (db) => {
    // The sum has read the run when it waits for this row.
    await db.query(
      `insert into content_days (environment_id, content_id, version_id, day, step, reason, bucket, runs)
       select environment_id, content_id, version_id, ${BEGAN}, 'first', 'seen', 0, 0
         from content_sessions as session where environment_id = $1::int and id = $2::uuid`,
      [environmentId, claim.id],
    )
    const summed = sumRuns(database, Date.now() + 3_600_000)
    await waits(1)
    const late = report([{ sequence: 4, type: 'task_completed', task: 'late' }])
    await waits(2)
    return { summed, late }
  })
  await written.summed
  expect((await written.late).status).toBe(200)
  const runs = await findRuns(database, environmentId, contentId)
  expect(runs.map(({ step, reason, runs }) => `${step} ${reason} ${runs}`).toSorted()).toEqual([
    ' completed 1',
    'first seen 1',
    'late seen 1',
  ])
})

it('results are what the stored runs come to, however runs, answers, sums and a clock that is set back follow each other', async () => {
  const { client, database, environmentId } = server
  let contents = 0
  const property = fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 24 }), async (steps) => {
    const key = `survey-${++contents}`
    const { id, versionId } = await publishTest(database, environmentId, surveyOf(key))
    for (const run of [0, 1]) await client.post('/users', { id: `${key}-${run}` })
    const runs = new Runs(key)
    for (const step of steps) {
      await runs.carryOut(step)
      const isOf = 'session.content_id = $2::uuid'
      const all = await database.query<RunSum>(`select *, day::text from (${sumsOf(isOf)}) as sums`, [
        environmentId,
        id,
      ])
      expect(runCounts(await findRuns(database, environmentId, id))).toEqual(runCounts(all))
      const answers = await database.query<AnswerCount>(answerSumsOf(isOf), [environmentId, id])
      expect(answerCounts(await countAnswers(database, environmentId, id, versionId))).toEqual(answerCounts(answers))
    }
  })
  await fc.assert(property, { numRuns: inject('isLong') ? 200 : 12 })
})

const stepKeys = ['hello', 'ask', 'bye']

const surveyOf = (key: string) =>
  tour(key, {
    when: { frequency: 'always' },
    steps: [
      { key: 'hello', type: 'dialog', blocks: [{ heading: 'Hello' }] },
      {
        key: 'ask',
        type: 'dialog',
        blocks: [
          { question: 'ease', kind: 'nps', label: 'How easy was that?' },
          { question: 'use', kind: 'choice', label: 'What for?', options: ['Plans', 'Reports'], other: 'Else' },
        ],
      },
      { key: 'bye', type: 'dialog', blocks: [{ heading: 'Bye' }] },
    ],
  } as never)

const runCounts = (sums: readonly RunSum[]) =>
  countsOf(sums, ({ day, step, reason, bucket, runs }) => [`${day} ${step} ${reason} ${bucket}`, runs])

const answerCounts = (sums: readonly AnswerCount[]) =>
  countsOf(sums, ({ question, value, answers }) => [`${question} ${value}`, answers])

function countsOf<Sum>(sums: readonly Sum[], of: (sum: Sum) => [key: string, count: number]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const sum of sums) {
    const [key, count] = of(sum)
    counts[key] = (counts[key] ?? 0) + count
  }
  return counts
}

type Step =
  | { do: 'sum'; aheadMinutes: number }
  | { do: 'set back' }
  | { do: 'see' | 'complete' | 'end'; run: number }
  | { do: 'answer'; run: number; value: number | string }

const run = fc.nat({ max: 1 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sum' as const), aheadMinutes: fc.constantFrom(0, 60) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'set back' as const }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('see', 'complete', 'end'), run }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('answer' as const), run, value: fc.constantFrom(3, 7, 'Plans', 'mine') }),
  },
)

interface OpenRun {
  id: string
  sequence: number
  seen: number
}

/** Runs of one content, each by a user of its own. After one has ended, the next one of its user begins. */
class Runs {
  readonly #open = new Map<number, OpenRun>()
  readonly #contentKey: string

  constructor(contentKey: string) {
    this.#contentKey = contentKey
  }

  async carryOut(step: Step): Promise<void> {
    if (step.do === 'sum') return void (await sumRuns(server.database, Date.now() + step.aheadMinutes * 60_000))
    if (step.do === 'set back') return await setClockBack()
    const run = this.#open.get(step.run) ?? (await this.#begin(step.run))
    if (step.do === 'see') await report(run, { type: 'step_seen', step: stepKeys[run.seen++ % 3] })
    if (step.do === 'complete') await report(run, { type: 'completed' })
    if (step.do === 'answer') {
      const question = typeof step.value === 'number' ? 'ease' : 'use'
      await report(run, { type: 'answered', question, value: step.value })
    }
    if (step.do === 'end') {
      await report(run, { type: 'ended', reason: 'close_button' })
      this.#open.delete(step.run)
    }
  }

  async #begin(number: number): Promise<OpenRun> {
    const user_id = `${this.#contentKey}-${number}`
    const call = { content: this.#contentKey, user_id, holder: 'h', reason: 'manual' }
    const { status, body } = await server.client.post('/content_sessions', call)
    expect(status).toBe(200)
    const run = { id: body.id, sequence: body.sequence, seen: 1 }
    this.#open.set(number, run)
    await report(run, { type: 'step_seen', step: stepKeys[0] })
    return run
  }
}

async function report(run: OpenRun, given: object): Promise<void> {
  const reports = [{ sequence: ++run.sequence, ...given }]
  const { status } = await server.client.post(`/content_sessions/${run.id}/progress`, { holder: 'h', reports })
  expect(status).toBe(200)
}

/** By a day: everything that is stored is a day ahead of the clock. */
async function setClockBack(): Promise<void> {
  const { database, environmentId } = server
  const move = (table: string, columns: readonly string[], to: (column: string) => string) =>
    database.query(
      `update ${table} set ${columns.map((column) => `${column} = ${to(column)}`).join(', ')} where environment_id = $1::int`,
      [environmentId],
    )
  // Citus refuses the sum of a time with a zone and an interval, which could depend on the session.
  const aDayOn = (column: string) => `(${column} at time zone 'UTC' + interval '1 day') at time zone 'UTC'`
  await move('content_sessions', ['created_at', 'last_activity_at', 'completed_at', 'ended_at'], aDayOn)
  await move('content_sums', ['summed_until', 'answers_until'], aDayOn)
  for (const table of ['content_days', 'content_answer_days']) {
    // Not onto a day that has not moved yet.
    await move(table, ['day'], (day) => `${day} + 100001`)
    await move(table, ['day'], (day) => `${day} - 100000`)
  }
}
