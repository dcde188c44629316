import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'

let server: TestServer
let own: PublicEnvironment
beforeAll(async () => {
  server = await startTestServer()
  own = await openPublicSide(server.services, server.environmentId)
})
afterAll(async () => await server.close())

const exported = { event: 'exported' }

async function publish(document: { key: string } & Record<string, unknown>): Promise<void> {
  const saved = await server.client.post('/content', { name: document.key, ...document })
  expect(saved.body.error).toBeUndefined()
  const published = await server.client.post(`/content/${saved.body.id}/publish`, {})
  expect(published.body.error).toBeUndefined()
}

async function open(userId: string): Promise<Page> {
  const page = new Page({ url: server.url, token: own.token })
  expect((await page.identify(userId)).status).toBe(200)
  return page
}

async function claim(page: Page, content: string) {
  const { status, body } = await page.call('claim', { content })
  expect(status).toBe(200)
  return body
}

const show = async (page: Page, { id, epoch }: { id: string; epoch: number }, report: object) =>
  await page.call('progress', { id, epoch, reports: [{ sequence: 1, ...report }] })

const track = async (name: string, userId: string) =>
  expect((await server.client.post('/events', { name, user_id: userId })).status).toBe(200)

it('a step sees with the next decision what the back end has tracked, and a change of a segment', async () => {
  await server.client.post('/segments', { key: 'pros', scope: 'user', condition: { attribute: 'pro', is: 'true' } })
  const buttons = [{ label: 'Done', do: [{ end: 'completed' }] }]
  const condition = { all: [{ url: '/reports' }, exported] }
  const blocks = [{ heading: 'Export' }]
  await publish({
    key: 'steps',
    type: 'flow',
    steps: [
      { key: 'export', type: 'dialog', blocks, buttons, advance: [{ on: 'condition', condition, to: 'wait' }] },
      {
        key: 'wait',
        type: 'hidden',
        wait_until: { segment: 'pros', is: 'in' },
        advance: [{ on: 'otherwise', to: 'thanks' }],
        timeout: { after: '1h', to: 'thanks' },
      },
      { key: 'thanks', type: 'dialog', blocks, buttons },
    ],
  })
  const page = await open('ada')
  const claimed = await claim(page, 'steps')
  expect(claimed.document.outcomes).toEqual([false, false])
  expect(claimed.document.steps[0].advance[0].condition).toEqual({ all: [{ url: '/reports' }, { server: 0 }] })
  await show(page, claimed, { type: 'step_seen', step: 'export' })
  const outcomes = async () => (await page.call('decide')).body.sessions[0].outcomes
  expect(await outcomes()).toEqual([false, false])
  await track('exported', 'ada')
  expect(await outcomes()).toEqual([true, false])
  await server.client.post('/users', { id: 'ada', attributes: { pro: true } })
  expect(await outcomes()).toEqual([true, true])
  await server.client.post('/segments', { key: 'pros', scope: 'user', condition: { attribute: 'pro', is: 'false' } })
  expect(await outcomes()).toEqual([true, false])
  // A page that resumes gets them with the document.
  await page.call('release', { id: claimed.id, epoch: claimed.epoch })
  const resumed = await page.call('claim', { content: 'steps', session: claimed.id })
  expect(resumed.body.document.outcomes).toEqual([true, false])
})

it('what the server decides of where is decided anew with each decision', async () => {
  const blocks = [{ heading: 'Here' }]
  await publish({ key: 'here', type: 'banner', blocks, where: { any: [exported, { url: '/reports' }] } })
  await publish({ key: 'also', type: 'banner', blocks, where: exported })
  const page = await open('bob')
  const decided = async () =>
    (await page.call('decide')).body.content
      .filter(({ type }: { type: string }) => type === 'banner')
      .map(({ key, where }: { key: string; where: unknown }) => [key, where])
  expect(await decided()).toEqual([['here', { url: '/reports' }]])
  await track('exported', 'bob')
  expect(await decided()).toEqual([
    ['here', null],
    ['also', null],
  ])
})

const completed = async (userId: string) => {
  const { body } = await server.client.get(`/events?user_id=${userId}&limit=100`)
  return body.data.filter(({ name }: { name: string }) => name === 'checklist_task_completed').length
}

it('tasks are completed by what happened, at a decision of a page, once, and also for what happened before', async () => {
  await publish({
    key: 'first-steps',
    type: 'checklist',
    tasks: [
      { key: 'invite', name: 'Invite', complete_when: { event: 'invited' } },
      { key: 'export', name: 'Export', complete_when: exported },
      { key: 'look', name: 'Look', complete_when: { all: [exported, { url: '/reports' }] } },
    ],
  })
  const page = await open('cleo')
  await track('invited', 'cleo')
  const claimed = await claim(page, 'first-steps')
  expect(claimed.document.tasks.map((task: { completed: boolean }) => task.completed)).toEqual([true, false, false])
  expect(await completed('cleo')).toBe(0)
  await show(page, claimed, { type: 'shown' })
  expect(await completed('cleo')).toBe(1)
  await track('exported', 'cleo')
  // Nobody looks: the back end is told what a page would see, and nothing is written.
  await server.client.post('/decisions', { user_id: 'cleo', receipts: true })
  expect(await completed('cleo')).toBe(1)
  const tasks = async () =>
    (await page.call('decide')).body.sessions.find(({ id }: { id: string }) => id === claimed.id).tasks
  const [first, second] = await Promise.all([tasks(), tasks()])
  expect([first, second, await tasks()]).toEqual([1, 2, 3].map(() => ['invite', 'export']))
  expect(await completed('cleo')).toBe(2)
  // What the page decides is left to the page.
  const look = { id: claimed.id, epoch: 1, reports: [{ sequence: 2, type: 'task_completed', task: 'look' }] }
  expect((await page.call('progress', look)).body).toMatchObject({ state: 'completed' })
})

it('a task stays completed when its condition does not hold any more', async () => {
  await publish({
    key: 'latched',
    type: 'checklist',
    tasks: [
      { key: 'paid', name: 'Pay', complete_when: { attribute: 'paid', is: 'true' } },
      { key: 'more', name: 'More' },
    ],
  })
  await server.client.post('/users', { id: 'dora', attributes: { paid: true } })
  const page = await open('dora')
  await show(page, await claim(page, 'latched'), { type: 'shown' })
  await server.client.post('/users', { id: 'dora', attributes: { paid: false } })
  const [session] = (await page.call('decide')).body.sessions
  expect(session).toMatchObject({ tasks: ['paid'], outcomes: [false] })
})
