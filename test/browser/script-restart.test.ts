import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildScript } from '../support/built.ts'
import { usherJson } from '../support/command.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { type HostPages, startHostPages } from '../support/host-pages.ts'
import { openChromium } from '../support/open-chromium.ts'
import { call, type ServerProcess, spawnServer } from '../support/process.ts'
import { hostPage } from './script-stage.ts'

/** The script and a server in a process of its own, which is killed while a flow is on the screen. */
let test: TestDatabase
let hosts: HostPages
let chromium: Awaited<ReturnType<typeof openChromium>>
let settings: Record<string, string>
let server: ServerProcess
let page: Page
beforeAll(async () => {
  await buildScript()
  ;[test, hosts, chromium] = await Promise.all([createTestDatabase(), startHostPages(), openChromium()])
  settings = { DATABASE_URL: test.url, PORT: String(await freePort()) }
  server = await spawnServer(settings)
  page = await (await chromium.newContext({ reducedMotion: 'reduce' })).newPage()
})
afterAll(async () => {
  await chromium.close()
  await server.end('SIGKILL')
  await Promise.all([hosts.close(), test.close()])
})

const dialog = (key: string, label: string, action: object) => ({
  key,
  type: 'dialog',
  blocks: [{ heading: `Step ${key}` }],
  buttons: [{ label, do: [action] }],
})

async function publish(document: object): Promise<void> {
  const { body } = await call(server, 'POST', '/content', document)
  expect(body.error).toBeUndefined()
  expect((await call(server, 'POST', `/content/${body.id}/publish`, {})).body.error).toBeUndefined()
}

/** Each time a widget comes into the page, by its heading, and the most that were in it at once. */
const NOTE = `
  window.drawn = []
  window.most = 0
  const known = new WeakSet()
  new MutationObserver(() => {
    const widgets = [...document.querySelectorAll('[data-usher-widget]')]
    window.most = Math.max(window.most, widgets.length)
    for (const one of widgets) {
      if (known.has(one)) continue
      known.add(one)
      window.drawn.push(one.shadowRoot.querySelector('h3').textContent)
    }
  }).observe(document, { subtree: true, childList: true })
`

const eventsOf = async (user: string): Promise<string[]> =>
  (await call(server, 'GET', `/events?user_id=${user}&limit=100`)).body.data
    .map(({ name }: { name: string }) => name)
    .sort()
const step = (name: string) => page.getByRole('dialog', { name })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

it('a server that is killed in the middle of a flow and started again: the flow goes on, each step is drawn and told once, and events reach the open page again', async () => {
  await publish({
    key: 'killed',
    name: 'Killed',
    type: 'flow',
    steps: [
      dialog('a', 'To b', { next: true }),
      dialog('b', 'To c', { next: true }),
      dialog('c', 'Done', { end: 'completed' }),
    ],
  })
  await publish({
    key: 'after',
    name: 'After',
    type: 'flow',
    who: { event: 'came_back' },
    steps: [dialog('live', 'Fine', { end: 'completed' })],
  })
  const words = ['tokens', 'create', '--environment', 'Production']
  const { token } = await usherJson<{ token: string }>(words, settings)
  await page.addInitScript(NOTE)
  const calls = `usher.init(${JSON.stringify(token)}); usher.identify('ada')`
  hosts.show({ html: hostPage(server.url, '<h1>Reports</h1>', { calls }) })
  await page.goto(hosts.url)
  await step('Step a').waitFor()
  await expect.poll(() => eventsOf('ada')).toEqual(['flow_started', 'flow_step_seen'])

  await server.end('SIGKILL')
  // Nobody answers now, and the user goes on.
  await press('To b')
  await step('Step b').waitFor()
  server = await spawnServer(settings)
  await expect.poll(() => eventsOf('ada')).toEqual(['flow_started', 'flow_step_seen', 'flow_step_seen'])

  await press('To c')
  await step('Step c').waitFor()
  await server.end('SIGKILL')
  await press('Done')
  await step('Step c').waitFor({ state: 'detached' })
  server = await spawnServer(settings)
  const whole = ['flow_completed', 'flow_ended', 'flow_started', ...Array(3).fill('flow_step_seen')]
  await expect.poll(() => eventsOf('ada')).toEqual(whole)
  expect(await page.evaluate('[drawn, most]')).toEqual([['Step a', 'Step b', 'Step c'], 1])
  const sessions = (await call(server, 'GET', '/content_sessions?user_id=ada')).body.data
  expect(sessions).toMatchObject([{ completed: true, end_reason: 'button' }])

  await call(server, 'POST', '/events', { name: 'came_back', user_id: 'ada' })
  await step('Step live').waitFor()
  await press('Fine')
  await expect.poll(async () => (await eventsOf('ada')).filter((name) => name === 'flow_completed').length).toBe(2)
  expect(await page.evaluate('[drawn, most]')).toEqual([['Step a', 'Step b', 'Step c', 'Step live'], 1])
})
