import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EveryPage, openEveryPage, PAGES } from '../browser/every-page.ts'
import { memberOf } from '../support/dashboard.ts'
import type { Engine, EngineTab } from '../support/engine.ts'
import { launchFirefox } from '../support/firefox.ts'
import { launchWebKit } from '../support/webkit.ts'

/** The dashboard in other engines than Chromium: that its pages are there, and that the preview draws. */
let all: EveryPage
beforeAll(async () => {
  all = await openEveryPage()
})
afterAll(async () => await all.stage.close())

describe.each([
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
])('in %s', (_name, launch) => {
  let engine: Engine
  let tab: EngineTab
  beforeAll(async () => {
    engine = await launch()
    tab = await engine.newTab()
    const { cookie } = await memberOf(all.stage.server, 'admin')
    await show('/sign-in')
    await tab.evaluate(`document.cookie = ${JSON.stringify(`${cookie}; path=/`)}`)
  })
  afterAll(async () => await engine.close())

  const show = async (path: string) => await tab.goto(`${all.stage.server.url}/app${path}`)

  /** What a page says of itself; a page that failed has an alert. */
  const seen = `({
    hasHeading: document.querySelector('h1') !== null,
    isLoading: document.querySelector('[aria-busy=true]') !== null,
    failed: [...document.querySelectorAll('[role=alert]')].map((one) => one.textContent),
    tooWide: [document.documentElement, document.querySelector('aside')]
      .filter((one) => one && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'hidden')
      .map((one) => one.tagName),
  })`

  it.each(Object.keys(PAGES))('%s', async (name) => {
    await show(all.pathOf(name, 'data'))
    await expect.poll(() => tab.evaluate(seen)).toEqual({ hasHeading: true, isLoading: false, failed: [], tooWide: [] })
  })

  it('the preview of a step is drawn, and drawn again when it changes', async () => {
    await show(all.pathOf('steps', 'data'))
    await tab.evaluate(`void addEventListener('message', ({ data }) => { window.heard = data })`)
    const dark = `[...document.querySelectorAll('button, [role=radio]')].find((one) => one.textContent.trim() === 'Dark')`
    await expect.poll(() => tab.evaluate(`!!(${dark})`)).toBe(true)
    await expect
      .poll(async () => {
        await tab.evaluate(`void (${dark}).click()`)
        return await tab.evaluate('window.heard')
      })
      .toEqual({ usher: 'shown', isVisible: true })
  })
})
