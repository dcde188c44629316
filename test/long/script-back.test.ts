import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScriptStage, type ScriptStage } from '../browser/script-stage.ts'
import { launchKeepingChromium } from '../support/open-chromium.ts'
import { flow, heading, step } from '../support/rendered.ts'

/** A browser that really keeps the pages that are left. The one of `npm test` keeps none. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage(launchKeepingChromium)
})
afterAll(async () => await stage.close())

const dialog = (key: string) => step(key, { type: 'dialog', blocks: [heading(`Step ${key}`)] })
const CALLS = `
  window.id = Math.random()
  window.shows = []
  addEventListener('pageshow', ({ persisted }) => shows.push(persisted))
  usher.init('pk_test')
  usher.identify('ada')
`

it('a page that really comes back from the cache of the browser shows its flow at its step, once, and hears the stream again', async () => {
  await stage.show(flow([dialog('a'), dialog('b'), dialog('c')]))
  const session = await stage.page.context().newCDPSession(stage.page)
  const refused: unknown[] = []
  await session.send('Page.enable')
  session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => refused.push(notRestoredExplanations))
  const page = await stage.open('<main><a href="/next">Next page</a></main>', { calls: CALLS })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
  await expect.poll(() => stage.usher.reports.length).toBe(2)
  const streams = () => stage.usher.calls.filter(({ name }) => name === 'stream').length
  await expect.poll(streams).toBe(1)
  const id = await page.evaluate('id')

  await page.goto(`${stage.hosts.url}/next`)
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
  await expect.poll(streams).toBe(2)
  expect(await page.evaluate('id')).not.toBe(id)
  await page.evaluate('void setTimeout(() => history.back())')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  expect([refused, await page.evaluate('[id, shows]')]).toEqual([[], [id, [false, true]]])
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
  await expect.poll(streams).toBe(3)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'Step c' }).waitFor()
  expect(await page.evaluate('document.querySelectorAll("[data-usher-widget]").length')).toBe(1)
  await expect
    .poll(() => stage.usher.sessions.map(({ reports }) => reports.map((report) => 'step' in report && report.step)))
    .toEqual([['a', 'b', 'c']])
  expect(stage.problems).toEqual([])
})
