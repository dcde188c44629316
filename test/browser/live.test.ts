import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { load, openStage, type Stage, watch } from './stage.ts'

/** More than the six connections that a browser has to one server over HTTP/1.1. */
const TABS = 7
/** On a machine that may be slow. */
const POLL = { timeout: 60_000 }

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await track('first')
})
afterAll(async () => await stage.close())

async function track(name: string): Promise<void> {
  expect((await stage.server.client.post('/events', { name, user_id: 'u_1' })).status).toBe(200)
}

async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await load(page, `${stage.server.url}/app/production${path}`)
  return page
}

async function signIn(): Promise<BrowserContext> {
  const context = await stage.signIn('owner')
  onTestFinished(async () => await context.close())
  return context
}

const shows = (name: string) => async (page: Page) =>
  await page.getByRole('cell', { name }).or(page.getByText(name)).first().waitFor()

const streams = () => stage.server.services.live.watchers

it('seven tabs share one stream, which outlives the tab that opened it and the process that holds it', async () => {
  const context = await signIn()
  const tabs: Page[] = []
  for (let index = 0; index < TABS; index += 1) tabs.push(await openTab(context, '/live'))
  const problems = tabs.map(watch)
  await Promise.all(tabs.map(shows('first')))
  expect(streams()).toBe(1)
  await track('to_seven')
  await Promise.all(tabs.map(shows('to_seven')))
  await openTab(context, '')

  const [first, ...rest] = tabs as [Page, ...Page[]]
  await first.close()
  await track('to_six')
  await Promise.all(rest.map(shows('to_six')))

  await killWorkers()
  await expect.poll(streams, POLL).toBe(0)
  await track('while_nobody_listens')
  await Promise.all(rest.map(shows('while_nobody_listens')))
  expect(streams()).toBe(1)
  expect(problems.flat()).toEqual([])
})

/** As when the process of the browser that runs the worker crashes. */
async function killWorkers(): Promise<void> {
  const session = await stage.chromium.newBrowserCDPSession()
  const { targetInfos } = await session.send('Target.getTargets')
  // The browser has windows of other test files too.
  const workers = targetInfos.filter(({ type, url }) => type === 'shared_worker' && url.startsWith(stage.server.url))
  expect(workers).toHaveLength(1)
  for (const { targetId } of workers) await session.send('Target.closeTarget', { targetId })
  await session.detach()
}

it('signing out in one tab ends the stream and leads every tab to sign-in', async () => {
  const context = await signIn()
  const live = [await openTab(context, '/live'), await openTab(context, '/live')]
  const users = await openTab(context, '/users')
  await Promise.all(live.map(shows('first')))
  expect(streams()).toBe(1)
  await users
    .getByRole('button', { name: /account and appearance/ })
    .first()
    .click()
  await users.getByRole('menuitem', { name: 'Sign out' }).click()
  for (const tab of [users, ...live]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(streams, POLL).toBe(0)
})

it('a session that ended elsewhere is noticed by the stream', async () => {
  const context = await signIn()
  const tab = await openTab(context, '/live')
  await shows('first')(tab)
  await stage.server.database.query('delete from member_sessions', [])
  await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(streams, POLL).toBe(0)
})

it('a page that is opened with a request in its address shows the rows beside it', async () => {
  const context = await signIn()
  const answer = await stage.server.client.get('/users/nobody')
  const tab = await openTab(context, `/live?open=${answer.headers['request-id']}`)
  await tab.getByRole('complementary', { name: 'Request' }).getByText('/users/nobody').first().waitFor()
  await tab.getByRole('row').filter({ hasText: 'first' }).first().waitFor()
})

it.each([
  ['has no shared workers', 'delete globalThis.SharedWorker'],
  ['refuses them', "globalThis.SharedWorker = class { constructor() { throw new DOMException('', 'SecurityError') } }"],
  [
    'cannot load them',
    'globalThis.SharedWorker = class extends SharedWorker { constructor() { super("/app/assets/gone.js") } }',
  ],
])('where a browser %s, a tab has a stream of its own', async (_, script) => {
  const context = await signIn()
  await context.addInitScript(script)
  const tab = await openTab(context, '/live')
  await shows('first')(tab)
  await track(`alone_${script.length}`)
  await shows(`alone_${script.length}`)(tab)
  await load(tab, `${stage.server.url}/app/production/keys`)
  await expect.poll(streams, POLL).toBe(0)
})
