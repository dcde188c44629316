import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { exampleChecklist, exampleLauncher } from '../../contract/content/examples.ts'
import { internalEventNames } from '../../server/sessions/internal-events.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { tour } from '../support/content.ts'
import { addSubscription } from '../support/deliveries.ts'

/** What sessions tell by ordinary events: specification of guided flows, section 6. */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const ID = /^[0-9a-f-]{36}$/
const page = { url: 'https://app.example.com/a?b#c', viewport_width: 1280, viewport_height: 800, locale: 'en-GB' }
const pageValues = {
  page_url: 'https://app.example.com/a',
  viewport_width: 1280,
  viewport_height: 800,
  locale_code: 'en-GB',
}

interface Told {
  name: string
  attributes: Record<string, unknown>
}

/** Publishes a document, goes through the reports, and returns the ids of the run and its events in their order. */
async function tell(document: object, reports: object[]) {
  const { client } = server
  const { key, name } = document as { key: string; name: string }
  const { body: saved } = await client.post('/content', document)
  const { body: published } = await client.post(`/content/${saved.id}/publish`, {})
  expect(published.error?.message).toBeUndefined()
  await client.post('/users', { id: key, groups: [{ id: 'acme' }] })
  const { body: claim } = await client.post('/content_sessions', { content: key, user_id: key, holder: 'h' })
  const numbered = reports.map((report, index) => ({ sequence: index + 1, ...report }))
  const { body } = await client.post(`/content_sessions/${claim.id}/progress`, { holder: 'h', reports: numbered, page })
  expect(body.error?.message).toBeUndefined()
  const { data } = (await client.get(`/events?user_id=${key}&limit=100`)).body
  for (const event of data) expect(event).toMatchObject({ user_id: key, group_id: 'acme', attributes: pageValues })
  const events = (data as Told[]).reverse()
  const ids = { content: saved.id, version: published.published_version_id, session: claim.id, name }
  return { ids, events, attributesOf: (event: string) => events.find((one) => one.name === event)?.attributes }
}

const expected = {
  flow: [
    ...['flow_started', 'flow_step_seen', 'tooltip_target_missing', 'flow_step_seen'],
    ...['question_answered', 'question_answered', 'question_answered', 'flow_completed', 'flow_ended'],
  ],
  checklist: [
    ...['checklist_started', 'checklist_shown', 'checklist_hidden', 'checklist_shown', 'checklist_task_clicked'],
    ...['checklist_task_completed', 'checklist_completed', 'checklist_ended'],
  ],
  launcher: ['launcher_seen', 'launcher_activated', 'launcher_dismissed'],
  banner: ['banner_seen', 'question_answered', 'banner_dismissed'],
}

it('these are all events that Usher tracks itself', () => {
  expect([...new Set(Object.values(expected).flat())].sort()).toEqual([...internalEventNames].sort())
})

const namesOf = (events: readonly Told[]) => events.map(({ name }) => name)

it('a flow is told with its ids, its version, its steps and its answers', async () => {
  const choice = { question: 'which', kind: 'choice', label: 'Which?', options: ['a', 'b'], multiple: true }
  const document = tour('tour')
  const [hello, ask] = document.type === 'flow' ? document.steps : []
  const steps = [hello, { ...ask, blocks: [...(ask as { blocks: object[] }).blocks, choice] }]
  const { ids, events, attributesOf } = await tell({ ...document, steps }, [
    { type: 'step_seen', step: 'hello' },
    { type: 'target_missing', step: 'ask', matches: 0 },
    { type: 'step_seen', step: 'ask' },
    { type: 'answered', question: 'ease', value: 0 },
    { type: 'answered', question: 'why', value: 'so' },
    { type: 'answered', question: 'which', value: ['a', 'b'] },
    { type: 'completed' },
    { type: 'ended', reason: 'button' },
  ])
  expect(namesOf(events)).toEqual(expected.flow)
  const flow = {
    ...{ flow_id: ids.content, flow_version_id: ids.version, flow_session_id: ids.session },
    ...{ flow_name: ids.name, flow_version_number: 1 },
  }
  for (const { attributes } of events) expect(attributes).toMatchObject(flow)
  expect(attributesOf('flow_started')).toEqual({ ...flow, ...pageValues, flow_start_reason: 'auto' })
  const step = { flow_step_id: expect.stringMatching(ID), flow_step_cvid: 'hello', flow_step_number: 1 }
  expect(attributesOf('flow_step_seen')).toEqual({ ...flow, ...pageValues, ...step })
  expect(attributesOf('tooltip_target_missing')).toMatchObject({ flow_step_cvid: 'ask', flow_step_number: 2 })
  const answers = events.filter(({ name }) => name === 'question_answered').map(({ attributes }) => attributes)
  expect(answers).toEqual([
    expect.objectContaining({ question_cvid: 'ease', question_type: 'nps', number_answer: 0 }),
    expect.objectContaining({ question_cvid: 'why', question_name: 'Why?', question_type: 'text', text_answer: 'so' }),
    expect.objectContaining({ question_cvid: 'which', question_type: 'choice', list_answer: '["a","b"]' }),
  ])
  expect(attributesOf('flow_ended')).toEqual({ ...flow, ...pageValues, flow_end_reason: 'button' })
  const { body } = await server.client.get(`/content_sessions/${ids.session}?expand=answers`)
  expect(body.answers.map((one: { answer_value: string }) => one.answer_value)).toEqual(['0', '["a","b"]', 'so'])
})

it('a flow is told by the name of its version, whatever its draft is called', async () => {
  const { client } = server
  const document = tour('renamed', { name: 'One', when: { frequency: 'always' } })
  const { body: saved } = await client.post('/content', document)
  await client.post(`/content/${saved.id}/publish`, {})
  await client.post('/users', { id: 'reader' })
  const run = async () => {
    const { body } = await client.post('/content_sessions', { content: 'renamed', user_id: 'reader', holder: 'h' })
    const reports = [{ sequence: 1, type: 'step_seen', step: 'hello' }]
    await client.post(`/content_sessions/${body.id}/progress`, { holder: 'h', reports })
    await client.post('/content', { ...document, name: 'Two' })
    await client.post(`/content_sessions/${body.id}/end`, {})
  }
  await run()
  await run()
  await client.post(`/content/${saved.id}/publish`, {})
  await run()
  const { data } = (await client.get('/events?user_id=reader&limit=100&order_by=created_at')).body
  const names = (data as Told[]).map(({ attributes }) => `${attributes.flow_version_number} ${attributes.flow_name}`)
  expect(names).toEqual([...Array(6).fill('1 One'), ...Array(3).fill('2 Two')])
})

it('a checklist, a launcher and a banner are told with theirs', async () => {
  const list = await tell(exampleChecklist, [
    { type: 'shown' },
    { type: 'hidden' },
    { type: 'shown' },
    { type: 'task_clicked', task: 'read' },
    { type: 'completed' },
    { type: 'ended', reason: 'close_button' },
  ])
  expect(namesOf(list.events)).toEqual(expected.checklist)
  const launcher = await tell({ ...exampleLauncher, do: [] }, [
    { type: 'shown' },
    { type: 'activated' },
    { type: 'ended', reason: 'close_button' },
  ])
  expect(namesOf(launcher.events)).toEqual(expected.launcher)
  const blocks = [{ question: 'ease', kind: 'rating', label: 'How easy?' }]
  const banner = await tell({ key: 'asks', type: 'banner', name: 'Asks', blocks }, [
    { type: 'shown' },
    { type: 'answered', question: 'ease', value: 5 },
    { type: 'ended', reason: 'close_button' },
  ])
  expect(namesOf(banner.events)).toEqual(expected.banner)
  for (const { ids, events } of [list, launcher, banner])
    for (const { attributes } of events)
      expect(attributes).toMatchObject({
        ...{ content_id: ids.content, content_version_id: ids.version, content_session_id: ids.session },
      })
  expect(list.attributesOf('checklist_task_completed')).toMatchObject({ checklist_task_id: expect.stringMatching(ID) })
  expect(list.attributesOf('checklist_task_clicked')?.checklist_task_id).toBe(
    list.attributesOf('checklist_task_completed')?.checklist_task_id,
  )
})

// Each worker of a cluster has numbers of its own.
it.skipIf(inject('cluster').isDistributed)(
  'a report stores its session, state, answers, events and their notifications in one transaction',
  async () => {
    const { database, environmentId } = server
    await addSubscription(database, environmentId, 'http://127.0.0.1:1/')
    await tell(tour('together'), [
      { type: 'step_seen', step: 'ask' },
      { type: 'answered', question: 'ease', value: 7 },
    ])
    const transactions = async (table: string) => {
      const own = `environment_id = $1::int and user_id = 'together'`
      const topics = table === 'webhook_notifications' ? `and topic like 'event.tracked.%'` : ''
      const rows = await database.query<{ xmin: string }>(`select xmin::text from ${table} where ${own} ${topics}`, [
        environmentId,
      ])
      return rows.map(({ xmin }) => xmin)
    }
    const tables = ['content_sessions', 'content_states', 'content_answers', 'events', 'webhook_notifications']
    const found = await Promise.all(tables.map(transactions))
    expect(found.map(({ length }) => length)).toEqual([1, 1, 1, 3, 3])
    expect(new Set(found.flat()).size).toBe(1)
  },
)
