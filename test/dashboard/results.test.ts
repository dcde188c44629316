import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ChecklistDocument, FlowDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'

const environment = 'production'
const survey = starters[3]?.document as FlowDocument
let server: TestServer
let admin: Browser
let at: { environment: string; content_id: string }
beforeAll(async () => {
  server = await startTestServer()
  admin = await memberOf(server, 'admin')
  const { id } = await admin.call('createContent', { environment, document: survey })
  at = { environment, content_id: id }
})
afterAll(async () => await server.close())

async function publish(change: Partial<FlowDocument> = {}, of = at): Promise<void> {
  const { draft } = await admin.call('getContent', of)
  const document = { ...(draft.document as FlowDocument), ...change }
  await admin.call('saveDraft', { ...of, document, expected_draft: draft.revision })
  const { draft: saved } = await admin.call('getContent', of)
  const version = { expected_draft: saved.revision, inside: 'finish', description: '' } as const
  await admin.call('publishContent', { ...of, ...version })
}

async function report(user: string, reports: object[], key = survey.key): Promise<void> {
  await server.client.post('/users', { id: user })
  const claim = { content: key, user_id: user, holder: 'page', reason: 'manual' }
  const { body } = await server.client.post('/content_sessions', claim)
  const numbered = reports.map((one, index) => ({ sequence: index + 1, ...one }))
  await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports: numbered })
}
const answer = (user: string, value: number) =>
  report(user, [
    { type: 'step_seen', step: 'ask' },
    { type: 'answered', question: 'recommend', value },
  ])

it('compares two versions also by the answers to their NPS', async () => {
  await publish()
  await answer('ada', 3)
  await publish({ name: 'Another name' })
  await answer('jun', 10)
  const results = await admin.call('getResults', at)
  expect(results).toMatchObject({ number: 2, seen: 1, missed: null })
  const nps = (value: number) => Array.from({ length: 11 }, (_, index) => (index === value ? 1 : 0))
  expect(results.questions.find(({ kind }) => kind === 'nps')?.counts).toEqual(nps(10))
  expect(results.against).toMatchObject({ number: 1, seen: 1, questions: [{ key: 'recommend', counts: nps(3) }] })
  // The days are of all versions: the line over time says when each went live.
  expect(results.days).toMatchObject([{ seen: 2, completed: 0 }])
  expect(results.versions.map(({ number }) => number)).toEqual([2, 1])
})

it('lists the users behind each figure, in pages, and nobody else', async () => {
  const listed = async (
    filter: { of: 'seen' | 'open' | 'left' | 'reached' | 'answered' } & Record<string, string | number>,
  ) => {
    const { data } = await admin.call('listCountedRuns', { ...at, ...filter } as never)
    return data.map(({ user_id }) => user_id).sort()
  }
  await report('mara', [
    { type: 'step_seen', step: 'ask' },
    { type: 'ended', reason: 'close_button' },
  ])
  expect(await listed({ of: 'seen' })).toEqual(['jun', 'mara'])
  expect(await listed({ of: 'seen', version: 1 })).toEqual(['ada'])
  expect(await listed({ of: 'open' })).toEqual(['jun'])
  expect(await listed({ of: 'left', step: 'ask' })).toEqual(['mara'])
  expect(await listed({ of: 'left', step: 'ask', reason: 'escape' })).toEqual([])
  expect(await listed({ of: 'reached', step: 'ask' })).toEqual(['jun', 'mara'])
  expect(await listed({ of: 'answered', question: 'recommend', value: '10' })).toEqual(['jun'])
  expect(await listed({ of: 'answered', question: 'recommend', value: '3' })).toEqual([])
  const first = await admin.call('listCountedRuns', { ...at, of: 'seen', limit: 1 })
  const second = await admin.call('listCountedRuns', { ...at, of: 'seen', limit: 1, cursor: first.next ?? '' })
  expect([first.data[0]?.user_id, second.data[0]?.user_id, second.next]).toEqual(['mara', 'jun', null])
})

it('counts the runs and answers of the last days alone, where they are asked for', async () => {
  await server.database.query(
    `update content_sessions set created_at = now() - interval '9 days' where environment_id = $1::int and user_id = 'jun'`,
    [server.environmentId],
  )
  const days = async (most?: number) => {
    const { seen, questions } = await admin.call('getResults', { ...at, ...(most ? { days: most } : {}) })
    const { data } = await admin.call('listCountedRuns', { ...at, of: 'seen', ...(most ? { days: most } : {}) })
    return [seen, questions[0]?.answers, data.map(({ user_id }) => user_id)]
  }
  expect(await days()).toEqual([2, 1, ['mara', 'jun']])
  expect(await days(7)).toEqual([1, 0, ['mara']])
  expect(await days(10)).toEqual(await days())
})

it('exports how often each answer was given, by version', async () => {
  const { text } = await admin.send('exportResults', { ...at, of: 'answers' })
  expect(text.split('\n').slice(0, -1).sort()).toEqual([
    '1,recommend,3,1',
    '2,recommend,10,1',
    'version,question,answer,answers',
  ])
})

it('exports the chosen version and the chosen days alone, in a file that is named after the version', async () => {
  const exported = async (of: { of?: 'answers'; version?: number; days?: number }) => {
    const { text, headers } = await admin.send('exportResults', { ...at, ...of })
    return { lines: text.split('\n').slice(1, -1), name: String(headers['content-disposition']) }
  }
  const first = await exported({ version: 1 })
  expect(first.lines.length).toBeGreaterThan(0)
  expect(first.lines.every((line) => line.startsWith('1,'))).toBe(true)
  expect(first.name).toContain(`${survey.key}-version-1-results.csv`)
  expect((await exported({ of: 'answers', version: 1 })).lines).toEqual(['1,recommend,3,1'])
  // Of the second version, one run began nine days ago.
  expect((await exported({ of: 'answers', version: 2 })).lines).toEqual(['2,recommend,10,1'])
  expect((await exported({ of: 'answers', version: 2, days: 7 })).lines).toEqual([])
  const days = async (of: { days?: number }) =>
    new Set((await exported({ version: 2, ...of })).lines.map((line) => line.split(',')[1]))
  expect([(await days({})).size, (await days({ days: 7 })).size]).toEqual([2, 1])
  expect((await admin.send('exportResults', { ...at, version: 99 })).status).toBe(404)
})

it('shows no run and no answer of a user whose deletion is under way', async () => {
  await report('gone', [
    { type: 'step_seen', step: 'ask' },
    { type: 'answered', question: 'reason', value: 'My own words' },
  ])
  const shown = async () => {
    const { data: runs } = await admin.call('listCountedRuns', { ...at, of: 'seen' })
    const { data: texts } = await admin.call('listAnswers', { ...at, question: 'reason' })
    const receipt = await admin.call('getReceipt', { ...at, user_id: 'gone' })
    return [runs.some(({ user_id }) => user_id === 'gone'), texts.map(({ text }) => text), receipt.runs.length]
  }
  expect(await shown()).toEqual([true, ['My own words'], 1])
  // As a deletion of a long history begins: the rows are removed later, in steps.
  await server.database.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
     select environment_id, 'user', user_id, id, now() from content_sessions
      where environment_id = $1::int and user_id = 'gone'`,
    [server.environmentId],
  )
  expect(await shown()).toEqual([false, [], 0])
})

it('counts which locator of a target found its element, and each report once', async () => {
  const steps: FlowDocument['steps'] = [
    {
      ...{ key: 'ask', type: 'tooltip', target: { locators: ['testid=export', 'text=Export'] } },
      ...{ blocks: [{ heading: 'Export' }], buttons: [{ label: 'Next', do: [{ next: true }] }] },
    },
  ]
  const { id } = await admin.call('createContent', {
    environment,
    document: { key: 'attached', type: 'flow', name: 'Attached', steps },
  })
  const { draft } = await admin.call('getContent', { environment, content_id: id })
  const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
  await admin.call('publishContent', { environment, content_id: id, ...version })
  const claim = { content: 'attached', user_id: 'ada', holder: 'page', reason: 'manual' }
  const { body } = await server.client.post('/content_sessions', claim)
  const reports = [
    { sequence: 1, type: 'target_missing', step: 'ask', matches: 2 },
    { sequence: 2, type: 'step_seen', step: 'ask', locator: 'text=Export' },
    { sequence: 3, type: 'step_seen', step: 'ask', locator: 'css=#unknown' },
  ]
  for (let time = 0; time < 2; time++)
    await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports })
  await server.services.counters.flush()
  const { data } = await admin.call('listTargets', { environment, content_id: id })
  expect(data).toMatchObject([
    {
      ...{ step: 'ask', number: 1, missing: 1, missing_since: null },
      locators: [
        { locator: 'testid=export', found: 0 },
        { locator: 'text=Export', found: 1 },
      ],
    },
  ])
  expect(data[0]?.hours.at(-1)).toEqual({ found: 1, missing: 1 })
})

it('an element that is missing is named with its step, in the list, on the content, in results and on Home', async () => {
  const shown = { blocks: [{ heading: 'Hello' }], buttons: [{ label: 'Next', do: [{ next: true as const }] }] }
  const steps: FlowDocument['steps'] = [
    { key: 'hello', type: 'dialog', ...shown },
    { key: 'later', type: 'tooltip', target: { locators: ['testid=export'] }, ...shown },
  ]
  const document: FlowDocument = { key: 'second', type: 'flow', name: 'Second', steps }
  const { id } = await admin.call('createContent', { environment, document })
  const of = { environment, content_id: id }
  const { draft } = await admin.call('getContent', of)
  const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
  await admin.call('publishContent', { ...of, ...version })
  for (let user = 1; user <= 6; user++) {
    await server.client.post('/users', { id: `second_${user}` })
    const claim = { content: 'second', user_id: `second_${user}`, holder: 'page', reason: 'manual' }
    const { body } = await server.client.post('/content_sessions', claim)
    const reports = [
      { sequence: 1, type: 'step_seen', step: 'hello' },
      user === 1
        ? { sequence: 2, type: 'step_seen', step: 'later', locator: 'testid=export' }
        : { sequence: 2, type: 'target_missing', step: 'later', matches: 0 },
    ]
    await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports })
  }
  await server.services.counters.flush()
  const missed = { step: 'later', number: 2, missed: 5, tries: 6, since: null }
  const { data } = await admin.call('listContent', { environment })
  expect(data.find(({ key }) => key === 'second')?.missed).toEqual(missed)
  expect((await admin.call('getContent', of)).missed).toEqual(missed)
  expect((await admin.call('getResults', of)).missed).toEqual(missed)
  const { guidance } = await admin.call('getHome', { environment })
  expect(guidance).toMatchObject({ kind: 'target_missing', content_id: id, step: 2, count: 5, share: 5 / 6 })
  const plan = await admin.call('planPublication', of)
  expect(plan.warnings).toContainEqual({
    param: 'steps[1].target',
    message: 'was not found in 83 % of the tries of the last day',
  })
})

it('says of a checklist in how many runs each task was completed', async () => {
  const document: ChecklistDocument = {
    ...{ key: 'tasks', type: 'checklist', name: 'Tasks' },
    tasks: [
      { key: 'invite', name: 'Invite' },
      { key: 'plan', name: 'Plan' },
    ],
  }
  const { id } = await admin.call('createContent', { environment, document })
  const { draft } = await admin.call('getContent', { environment, content_id: id })
  const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
  await admin.call('publishContent', { environment, content_id: id, ...version })
  const { body } = await server.client.post('/content_sessions', { content: 'tasks', user_id: 'ada', holder: 'page' })
  const reports = [
    { sequence: 1, type: 'shown' },
    { sequence: 2, type: 'task_clicked', task: 'plan' },
  ]
  await server.client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports })
  const results = await admin.call('getResults', { environment, content_id: id })
  expect(results.tasks).toEqual([
    { key: 'invite', name: 'Invite', completed: 0 },
    { key: 'plan', name: 'Plan', completed: 1 },
  ])
  const runs = await admin.call('listCountedRuns', { environment, content_id: id, of: 'reached', step: 'plan' })
  expect(runs.data.map(({ user_id }) => user_id)).toEqual(['ada'])
})

it('says how far the steps of branches are indented', async () => {
  const [dialog] = survey.steps
  const wait = {
    ...{ key: 'wait', type: 'hidden', timeout: { after: '60s', to: 'other' } },
    advance: [
      { on: 'otherwise', to: 'one' },
      { on: 'otherwise', to: 'other' },
    ],
  }
  const steps = [wait, { ...dialog, key: 'one' }, { ...dialog, key: 'other' }] as FlowDocument['steps']
  const { id } = await admin.call('createContent', { environment, document: { ...survey, key: 'branched', steps } })
  const results = await admin.call('getResults', { environment, content_id: id })
  expect(results.steps.map(({ depth }) => depth)).toEqual([0, 1, 1])
})

it('lists the texts of the runs that are counted above them: of the same version, and of the same days', async () => {
  const { id } = await admin.call('createContent', { environment, document: { ...survey, key: 'texts' } })
  const at = { environment, content_id: id }
  const said = (value: string) => [
    { type: 'step_seen', step: 'ask' },
    { type: 'answered', question: 'reason', value },
  ]
  const say = (user: string, value: string) => report(user, said(value), 'texts')
  await publish({}, at)
  await say('old', 'Of long ago')
  await say('new', 'Of the first version')
  await server.database.query(
    `update content_sessions set created_at = now() - interval '9 days' where environment_id = $1::int and user_id = 'old'`,
    [server.environmentId],
  )
  await publish({ name: 'The second' }, at)
  await report(
    'second',
    [...said('Of the second version'), { type: 'answered', question: 'recommend', value: 0 }],
    'texts',
  )
  const texts = async (of: { version?: number; days?: number }) => {
    const { questions } = await admin.call('getResults', { ...at, ...of })
    const { data } = await admin.call('listAnswers', { ...at, ...of, question: 'reason' })
    expect(questions.find(({ key }) => key === 'reason')?.answers).toBe(data.length)
    return data.map(({ text }) => text)
  }
  expect(await texts({})).toEqual(['Of the second version'])
  expect(await texts({ version: 1 })).toEqual(['Of the first version', 'Of long ago'])
  expect(await texts({ version: 1, days: 7 })).toEqual(['Of the first version'])
  const scores = async (version: number) => {
    const { data } = await admin.call('listAnswers', { ...at, version, question: 'reason' })
    return data.map(({ score }) => score)
  }
  expect([await scores(1), await scores(2)]).toEqual([[null, null], [0]])
})

it('exports one line for each version, day, step and reason, of ended and open runs together', async () => {
  await report('nia', [{ type: 'step_seen', step: 'ask' }])
  const { text } = await admin.send('exportResults', { ...at, of: 'runs' })
  const lines = text.split('\n').slice(1, -1)
  expect(new Set(lines.map((line) => line.slice(0, line.lastIndexOf(',')))).size).toBe(lines.length)
  const seen = lines.filter((line) => line.startsWith('2,') && line.includes(',ask,seen,'))
  const runs = seen.map((line) => Number(line.slice(line.lastIndexOf(',') + 1)))
  expect(runs.reduce((sum, count) => sum + count, 0)).toBe((await admin.call('getResults', at)).seen)
})

describe('of a content that was live for years', () => {
  let at: { environment: string; content_id: string }
  let versionId: string
  beforeAll(async () => {
    const { id } = await admin.call('createContent', { environment, document: { ...survey, key: 'lasting' } })
    at = { environment, content_id: id }
    await publish({}, at)
    const { database, environmentId } = server
    const [row] = await database.query<{ id: string }>('select published_version_id as id from content where id = $1', [
      id,
    ])
    versionId = (row as { id: string }).id
    await database.query(
      `insert into content_days (environment_id, content_id, version_id, day, step, reason, bucket, runs)
       select $1::int, $2::uuid, $3::uuid, current_date - day::int, 'step_' || step, reason, 0, 1
         from generate_series(1, 1000) as day, generate_series(1, 5) as step,
              unnest(array['seen', 'completed', 'escape']) as reason`,
      [environmentId, id, versionId],
    )
  })

  /** The rows that its statements return while this is done. */
  async function rowsRead(work: () => Promise<unknown>): Promise<number> {
    const spy = vi.spyOn(server.database, 'queryUnprepared')
    try {
      await work()
      const answers = await Promise.all(spy.mock.results.map(({ value }) => value as Promise<unknown[]>))
      return answers.flat().length
    } finally {
      spy.mockRestore()
    }
  }

  it('the list of versions reads a row for each, however many days and steps are summed', async () => {
    let versions: { seen: number; completed: number }[] = []
    const read = await rowsRead(async () => {
      versions = (await admin.call('listVersions', at)).data
    })
    expect(versions).toMatchObject([{ seen: 10_000, completed: 5_000 }])
    expect(read).toBeLessThan(10)
  })

  it('its results read a row for each day and for each step and reason, not for each of these', async () => {
    const seen: number[] = []
    const read = async (days: { days?: number }) =>
      await rowsRead(async () => {
        const results = await admin.call('getResults', { ...at, ...days })
        expect(results.days).toHaveLength(days.days === undefined ? 60 : Math.min(60, results.seen / 10))
        seen.push(results.seen, results.completed, results.left[0]?.runs ?? 0)
      })
    expect(await read({})).toBeLessThan(1_050)
    expect(await read({ days: 7 })).toBeLessThan(50)
    expect(seen.slice(0, 3)).toEqual([10_000, 5_000, 5_000])
    expect(seen[3]).toBeLessThanOrEqual(70)
  })

  it('exports the runs and answers of all its versions by their numbers, also of more than 500, in a statement each', async () => {
    const { database, environmentId } = server
    await database.query(
      `insert into content_versions (environment_id, id, content_id, number, document, revision, edited_at, created_at, published_at)
       select $1::int, gen_random_uuid(), content_id, number + n, document, 1, now(), now(), now()
         from content_versions, generate_series(1, 600) as n where id = $2::uuid`,
      [environmentId, versionId],
    )
    await database.query(
      `insert into content_answer_days (environment_id, content_id, version_id, question, value, day, answers)
       select $1::int, content_id, id, 'recommend', unnest(array['', '=9']), current_date, number
         from content_versions where environment_id = $1::int and content_id = $2::uuid and number in (1, 300, 601)`,
      [environmentId, at.content_id],
    )
    const answers = await admin.send('exportResults', { ...at, of: 'answers' })
    const header = 'version,question,answer,answers'
    expect(answers.text.split('\n')).toEqual([
      header,
      '601,recommend,9,601',
      '300,recommend,9,300',
      '1,recommend,9,1',
      '',
    ])
    const runs = await admin.send('exportResults', { ...at, of: 'runs' })
    const lines = runs.text.split('\n').slice(1, -1)
    expect(lines.length).toBe(15_000)
    expect(lines.every((line) => line.startsWith('1,'))).toBe(true)
    const spy = vi.spyOn(database, 'queryUnprepared')
    await admin.send('exportResults', { ...at, of: 'answers' })
    expect(spy.mock.calls.filter(([text]) => text.includes('content_answer_days'))).toHaveLength(1)
    spy.mockRestore()
    const ofLastDays = await rowsRead(() => admin.send('exportResults', { ...at, of: 'runs', days: 7 }))
    expect(ofLastDays).toBeLessThan(8 * 15)
  })
})

it('reads the names of the users that it lists, and none of their other attributes', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`text_${n}`, 'x'.repeat(8_000)]))
  const users = Array.from({ length: 20 }, (_, n) => `named_${n}`)
  const { id } = await admin.call('createContent', { environment, document: { ...survey, key: 'named' } })
  const of = { environment, content_id: id }
  await publish({}, of)
  for (const [n, user] of users.entries()) {
    await report(user, [{ type: 'step_seen', step: 'ask' }], 'named')
    await server.client.post('/users', { id: user, attributes: { ...attributes, name: n === 0 ? 7 : `Name ${n}` } })
  }
  const bytes = await bytesRead(async () => {
    const { data } = await admin.call('listCountedRuns', { ...of, of: 'seen', limit: 500 })
    const names = data.map(({ user_id, user_name }) => [user_id, user_name])
    expect(names.toReversed()).toEqual(users.map((user, n) => [user, n === 0 ? null : `Name ${n}`]))
  })
  expect(bytes).toBeLessThan(1024 * 1024)
})

/** The bytes of the rows that its statements return while this is done. */
async function bytesRead(work: () => Promise<void>): Promise<number> {
  const spies = (['query', 'queryUnprepared'] as const).map((name) => vi.spyOn(server.database, name))
  try {
    await work()
    const answers = await Promise.all(spies.flatMap(({ mock }) => mock.results.map(({ value }) => value)))
    return JSON.stringify(answers).length
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
