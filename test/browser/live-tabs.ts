import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { load, openStage, type Stage, watch } from './stage.ts'

/** Tabs on Live, and events that they show. */
export class LiveTabs {
  readonly stage: Stage

  private constructor(stage: Stage) {
    this.stage = stage
  }

  static async open(): Promise<LiveTabs> {
    const live = new LiveTabs(await openStage())
    await live.track('first')
    return live
  }

  async track(name: string): Promise<void> {
    expect((await this.stage.server.client.post('/events', { name, user_id: 'u_1' })).status).toBe(200)
  }

  /** How many streams the server sends. */
  readonly streams = () => this.stage.server.services.live.watchers

  /** One more tab, all in the window of one owner. */
  async openTab(window: BrowserContext, path: string, script?: string): Promise<Page> {
    const page = await window.newPage()
    onTestFinished(async () => await page.close())
    if (script !== undefined) await page.addInitScript(script)
    return await this.show(page, path)
  }

  async show(page: Page, path: string): Promise<Page> {
    await load(page, `${this.stage.server.url}/app/production${path}`)
    return page
  }

  /** As when the process of the browser that runs the worker crashes. */
  async killWorkers(): Promise<void> {
    const session = await this.stage.chromium.newBrowserCDPSession()
    const { targetInfos } = await session.send('Target.getTargets')
    // The browser has windows of other test files too.
    const ours = targetInfos.filter(({ url }) => url.startsWith(this.stage.server.url))
    const workers = ours.filter(({ type }) => type === 'shared_worker')
    expect(workers).toHaveLength(1)
    for (const { targetId } of workers) await session.send('Target.closeTarget', { targetId })
    await session.detach()
  }
}

export const shows = (name: string) => async (page: Page) =>
  await page.getByRole('cell', { name }).or(page.getByText(name)).first().waitFor()

/** So many tabs share one stream, which outlives the tab that opened it and the process that holds it, and ends with the session. */
export async function shareOneStream(live: LiveTabs, count: number): Promise<void> {
  const { streams } = live
  const home = await live.stage.tab('owner')
  const tabs: Page[] = []
  for (let index = 0; index < count; index += 1) tabs.push(await live.openTab(home.context(), '/live'))
  const problems = tabs.map(watch)
  await Promise.all(tabs.map(shows('first')))
  expect(streams()).toBe(1)
  await live.track('to_all')
  await Promise.all(tabs.map(shows('to_all')))
  await live.show(home, '')

  const [first, ...rest] = tabs as [Page, ...Page[]]
  await first.close()
  await live.track('to_the_others')
  await Promise.all(rest.map(shows('to_the_others')))

  await live.killWorkers()
  await expect.poll(streams).toBe(0)
  await live.track('while_nobody_listens')
  await Promise.all(rest.map(shows('while_nobody_listens')))
  expect(streams()).toBe(1)
  expect(problems.flat()).toEqual([])

  await home
    .getByRole('button', { name: /account and appearance/ })
    .first()
    .click()
  await home.getByRole('menuitem', { name: 'Sign out' }).click()
  for (const tab of [home, ...rest]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(streams).toBe(0)
}

/** Without shared workers a tab has a stream of its own, until it leaves Live. */
export async function streamAlone(live: LiveTabs, script: string): Promise<void> {
  const other = await live.stage.tab('owner')
  await other.goto('about:blank')
  const tab = await live.openTab(other.context(), '/live', script)
  await shows('first')(tab)
  await live.track(`alone_${script.length}`)
  await shows(`alone_${script.length}`)(tab)
  await live.show(tab, '/keys')
  await expect.poll(live.streams).toBe(0)
}
