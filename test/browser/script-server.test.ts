import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildScript } from '../support/built.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type HostPages, startHostPages } from '../support/host-pages.ts'
import { openChromium } from '../support/open-chromium.ts'
import { openPublicSide } from '../support/page.ts'
import { hostPage } from './script-stage.ts'
import { watch } from './stage.ts'

/** The script and the real server, on a page of another origin. */
let server: TestServer
let hosts: HostPages
let token: string
let chromium: Awaited<ReturnType<typeof openChromium>>
let page: Page
let problems: string[]
beforeAll(async () => {
  await buildScript()
  ;[server, hosts, chromium] = await Promise.all([startTestServer(), startHostPages(), openChromium()])
  ;({ token } = await openPublicSide(server.services, server.environmentId))
  page = await tab()
  problems = watch(page)
})
afterAll(async () => {
  await chromium.close()
  await Promise.all([server.close(), hosts.close()])
})

async function tab(): Promise<Page> {
  const context = await chromium.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  return await context.newPage()
}

async function open(user: string, attributes: object, on = page): Promise<void> {
  const calls = `usher.init(${JSON.stringify(token)}); usher.identify(${JSON.stringify(user)}, ${JSON.stringify(attributes)})`
  hosts.show({ html: hostPage(server.url, '<h1>Reports</h1><button data-testid="export">Export</button>', { calls }) })
  await on.goto(`${hosts.url}/projects/7`)
}

async function publish(document: Record<string, unknown>): Promise<string> {
  const saved = await server.client.post('/content', { name: document.key, ...document })
  expect(saved.body.error).toBeUndefined()
  const published = await server.client.post(`/content/${saved.body.id}/publish`, {})
  expect(published.body.error).toBeUndefined()
  return saved.body.id as string
}

const sessionsOf = async (user: string) =>
  (await server.client.get(`/content_sessions?user_id=${user}&expand=answers`)).body.data as {
    [key: string]: unknown
  }[]
const eventsOf = async (user: string) =>
  ((await server.client.get(`/events?user_id=${user}&limit=100`)).body.data as { name: string }[])
    .map(({ name }) => name)
    .reverse()

it('shows a published flow, remembers its steps and answers, and tells them as events', async () => {
  const id = await publish({
    key: 'first-report',
    type: 'flow',
    who: { attribute: 'name', is: 'exists' },
    where: { all: [{ url: '/projects/*' }, { element: ['testid=export'] }] },
    steps: [
      {
        key: 'where-it-is',
        type: 'tooltip',
        target: { locators: ['testid=export', 'role=button[name="Export"]'], placement: 'bottom' },
        blocks: [{ heading: 'Share your work' }, { text: 'Hi {{ user.name | there }}, this is **new**.' }],
        advance: [{ on: 'target_click', to: 'thanks' }],
        buttons: [{ label: 'Not now', do: [{ end: 'dismissed' }] }],
      },
      {
        key: 'thanks',
        type: 'dialog',
        blocks: [{ heading: 'How easy was that?' }, { question: 'ease', kind: 'nps', label: '0 to 10' }],
        buttons: [{ label: 'Done', style: 'primary', do: [{ track: 'thanked' }, { end: 'completed' }] }],
      },
    ],
  })
  await open('ada', { name: 'Ada <b>' })
  await page.getByRole('dialog', { name: 'Share your work' }).waitFor()
  await page.getByRole('dialog').getByText('this is new.').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('dialog', { name: 'How easy was that?' }).waitFor()
  await page.getByRole('radio', { name: '9' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect
    .poll(() => eventsOf('ada'))
    .toEqual(
      expect.arrayContaining([
        'flow_started',
        'flow_step_seen',
        'question_answered',
        'flow_completed',
        'flow_ended',
        'thanked',
      ]),
    )
  const [session] = await sessionsOf('ada')
  expect(session).toMatchObject({ content_id: id, completed: true, end_reason: 'button' })
  expect(session?.answers).toMatchObject([{ question_cvid: 'ease', answer_value: '9' }])
  await page.reload()
  expect(await page.evaluate(`usher.identify('ada')`)).toEqual({ ok: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(problems).toEqual([])
})

it('an event that the back end sends shows a flow on an open page, and a second device goes on where the first one left', async () => {
  await publish({
    key: 'after-event',
    type: 'flow',
    who: { event: 'report_exported' },
    steps: [
      {
        key: 'one',
        type: 'dialog',
        blocks: [{ heading: 'Well done' }],
        buttons: [{ label: 'Next', do: [{ next: true }] }],
      },
      {
        key: 'two',
        type: 'dialog',
        blocks: [{ heading: 'And now' }],
        buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
      },
    ],
  })
  // No name: the first flow is not for them.
  await open('bea', {})
  expect(await page.evaluate(`usher.identify('bea')`)).toEqual({ ok: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await server.client.post('/events', { name: 'report_exported', user_id: 'bea' })
  await page.getByRole('dialog', { name: 'Well done' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'And now' }).waitFor()
  await expect.poll(async () => (await sessionsOf('bea')).map(({ progress }) => progress)).toContain('2/2')
  const phone = await tab()
  await open('bea', {}, phone)
  await page.goto('about:blank')
  await phone.getByRole('dialog', { name: 'And now' }).waitFor()
  await phone.getByRole('button', { name: 'Done' }).click()
  await expect.poll(async () => (await sessionsOf('bea')).map(({ completed }) => completed)).toContain(true)
  await phone.context().close()
})

it('a hidden step waits for an event of the back end, on an open page', async () => {
  await publish({
    key: 'waits',
    type: 'flow',
    who: { attribute: 'waits', is: 'true' },
    steps: [
      {
        key: 'go',
        type: 'dialog',
        blocks: [{ heading: 'Invite two' }],
        buttons: [{ label: 'Next', do: [{ next: true }] }],
      },
      {
        key: 'wait',
        type: 'hidden',
        wait_until: { event: 'invited', at_least: 1 },
        advance: [{ on: 'otherwise', to: 'end' }],
        timeout: { after: '1h', to: 'end' },
      },
      {
        key: 'end',
        type: 'dialog',
        blocks: [{ heading: 'They are in' }],
        buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
      },
    ],
  })
  await open('cleo', { waits: true })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(async () => (await eventsOf('cleo')).filter((name) => name === 'flow_step_seen').length).toBe(2)
  await server.client.post('/events', { name: 'invited', user_id: 'cleo' })
  await page.getByRole('dialog', { name: 'They are in' }).waitFor()
  expect(problems).toEqual([])
})

it('a first target that stays away is told once, and nothing is shown or remembered', async () => {
  const target = { locators: ['testid=nowhere'], timeout: '1s' }
  const steps = [
    {
      key: 'one',
      type: 'tooltip',
      target,
      blocks: [{ heading: 'Nowhere' }],
      buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
    },
  ]
  await publish({ key: 'nowhere', type: 'flow', who: { attribute: 'lost', is: 'true' }, steps })
  await open('dora', { lost: true })
  await expect.poll(() => eventsOf('dora')).toEqual(['tooltip_target_missing'])
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await sessionsOf('dora')).toEqual([])
})

it('attributes that the API refuses are left out and named in the console, and the user is identified with the rest', async () => {
  const warned: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warned.push(message.text()))
  await open('mio', { seats: 'many' })
  const results = await page.evaluate(`(async () => [
    await usher.identify('mio', {
      plan: 'scale',
      count: { add: '1' },
      since: { set: 'soon', data_type: 'datetime' },
      kind: { set: 1, data_type: 'word' },
      seats: { add: 1 },
    }),
    await usher.updateUser({ team: 'design', size: { subtract: true } }),
    usher.isIdentified(),
  ])()`)
  expect(results).toEqual([{ ok: true }, { ok: true }, true])
  const { attributes } = (await server.client.get('/users/mio')).body as { attributes: Record<string, unknown> }
  expect(attributes).toMatchObject({ plan: 'scale', team: 'design', seats: 'many' })
  for (const name of ['count', 'since', 'kind', 'size']) expect(attributes).not.toHaveProperty(name)
  const named = warned.flatMap((text) => /"(\w+)" was left out: \S/.exec(text)?.[1] ?? [])
  // A page that is not verified is not told that nothing can be added to what is stored.
  expect(named.sort()).toEqual(['count', 'kind', 'since', 'size'])
})

it('a call that is refused for a mistake is named in the console once, also when nobody looks at its result', async () => {
  const warned: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warned.push(message.text()))
  await open('nora', {})
  await page.evaluate("Promise.all([usher.track('a/b'), usher.track('a/b'), usher.start('no-such-content')])")
  expect(warned.splice(0)).toEqual([expect.stringMatching(/^usher: track: name: must be 1 to 100 characters/)])
  const calls = "usher.init('pk_wrong'); usher.identify('nora'); usher.track('read')"
  hosts.show({ html: hostPage(server.url, '<h1>Reports</h1>', { calls }) })
  await page.goto(hosts.url)
  await expect.poll(() => warned[0]).toMatch(/^usher: identify: This is not a public token/)
})

it('a launcher tells that its element stays away, and by which locator it is found', async () => {
  const target = { locators: ['testid=nowhere', 'testid=help'], timeout: '1s' }
  const who = { attribute: 'lost', is: 'true' }
  const looks = { look: 'beacon', label: 'What is new' }
  const id = await publish({ key: 'beacon', type: 'launcher', who, target, ...looks, do: [{ track: 'opened' }] })
  const told = async () => {
    const rows = await server.database.query<{ name: string }>(
      `select name from counts where environment_id = $1::int and kind = 'target' and step = 'hour'
          and name like (select published_version_id::text from content where id = $2::uuid) || ' %' order by name`,
      [server.environmentId, id],
    )
    return rows.map(({ name }) => name.slice(name.indexOf(' ') + 1))
  }
  await open('lea', { lost: true })
  await expect.poll(told).toEqual(['launcher missing'])
  await page.evaluate(`document.body.append(Object.assign(document.createElement('button'), { textContent: 'Help' }))`)
  await page.evaluate(`document.body.lastElementChild.dataset.testid = 'help'`)
  await expect.poll(told).toEqual(['launcher 1', 'launcher missing'])
})
