import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { LiveTabs, shareOneStream, shows, streamAlone } from './live-tabs.ts'

let live: LiveTabs
beforeAll(async () => {
  live = await LiveTabs.open()
})
afterAll(async () => await live.stage.close())

// test/long/live.test.ts has as many tabs as a browser has connections, and other browsers without shared workers.
it('tabs share one stream, which outlives the tab that opened it and the process that holds it, and ends with the session', async () => {
  await shareOneStream(live, 2)
})

it('a session that ended elsewhere is noticed by the stream', async () => {
  const tab = await live.show(await live.stage.tab('owner'), '/live')
  await shows('first')(tab)
  await live.stage.server.database.query('delete from member_sessions', [])
  await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(live.streams).toBe(0)
})

it('a page that is opened with a request in its address shows the rows beside it', async () => {
  const answer = await live.stage.server.client.get('/users/nobody')
  const tab = await live.show(await live.stage.tab('owner'), `/live?open=${answer.headers['request-id']}`)
  await tab.getByRole('complementary', { name: 'Request' }).getByText('/users/nobody').first().waitFor()
  await tab.getByRole('row').filter({ hasText: 'first' }).first().waitFor()

  // When one is opened and closed the columns take the whole width again.
  const drawer = tab.getByRole('complementary', { name: 'Request' })
  await tab.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await tab.locator('.feed tbody a').first().click()
  await drawer.waitFor()
  await tab.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  const widths = '[...document.querySelectorAll(".feed th")].reduce((sum, head) => sum + head.offsetWidth, 0)'
  const full = await tab.locator('.feed').evaluate((feed) => feed.clientWidth)
  expect(await tab.evaluate(widths)).toBe(full)

  // Beside it every column of the errors fits, also with a long message.
  await live.stage.server.client.get('/nothing')
  await live.show(tab, `/live?view=errors&open=${answer.headers['request-id']}`)
  await tab.getByRole('columnheader', { name: 'Requests' }).waitFor()
  expect(await tab.locator('.live-l.scrolls').evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true)
})

it('says that it connects, and not that nothing arrives, until the server has sent what it has', async () => {
  const window = (await live.stage.tab('owner')).context()
  let answer: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await window.route(/\/api\/.*\/live$/, async (route) => {
    await held
    await route.continue()
  })
  const tab = await window.newPage()
  onTestFinished(async () => {
    await tab.close()
    await window.unrouteAll()
  })
  // Routes see what a page asks for, not what its shared worker does.
  await tab.addInitScript(
    `delete globalThis.SharedWorker
     globalThis.shown = []
     new MutationObserver(() => shown.push(document.querySelector('main')?.innerText)).observe(document, { childList: true, subtree: true })`,
  )
  await tab.goto(`${live.stage.server.url}/app/production/live`)
  await tab.getByText('Connecting to the feed…').waitFor()
  answer()
  await shows('first')(tab)
  expect((await tab.evaluate<string[]>('shown')).filter((text) => text?.includes('Nothing arrives'))).toEqual([])
})

it('where a browser cannot load shared workers, a tab has a stream of its own', async () => {
  const gone = 'class extends SharedWorker { constructor() { super("/app/assets/gone.js") } }'
  await streamAlone(live, `globalThis.SharedWorker = ${gone}`)
})
