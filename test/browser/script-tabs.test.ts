import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { banner, checklist, flow, heading, step, task } from '../support/rendered.ts'
import { openScriptStage, type ScriptStage } from './script-stage.ts'

/** Two tabs of one browser, and two browsers. */
const ROUNDS = inject('isLong') ? 200 : 4

let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY = '<main><h1>Projects</h1></main>'
const welcome = () =>
  flow([
    step('w', { type: 'dialog', blocks: [heading('Welcome')] }),
    step('x', { type: 'dialog', blocks: [heading('More')] }),
  ])
const isShown = (page: Page) => page.evaluate('document.querySelector("[data-usher-widget]") !== null')

/** Notes, in every page of the window, from when to when a widget is in it, by the clock that all pages share. */
const NOTE = `
  window.shown = []
  const look = () => {
    const is = document.querySelector('[data-usher-widget]') !== null
    const last = window.shown.at(-1)
    const now = performance.timeOrigin + performance.now()
    if (is && (!last || last[1])) window.shown.push([now, 0])
    if (!is && last && !last[1]) last[1] = now
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true })
`

it(`two tabs never show a flow at the same time, in ${ROUNDS} rounds`, async () => {
  const window = await stage.window()
  await window.addInitScript(NOTE)
  const tabs = [await window.newPage(), await window.newPage()] as const
  for (let round = 0; round < ROUNDS; round++) {
    await stage.show(welcome())
    const options = { calls: `usher.init('pk_test'); usher.identify('round-${round}')` }
    await Promise.all(tabs.map((page) => stage.open(BODY, { ...options, page })))
    await expect.poll(async () => (await Promise.all(tabs.map(isShown))).filter(Boolean).length).toBe(1)
    const first = (await isShown(tabs[0])) ? 0 : 1
    const [one, other] = [tabs[first] as Page, tabs[1 - first] as Page]
    // The next tab continues within two seconds when the first one is left.
    expect(await other.evaluate('window.shown')).toEqual([])
    const left = Date.now()
    await one.goto('about:blank')
    await other.getByRole('dialog', { name: 'Welcome' }).waitFor()
    if (inject('isLong')) expect(Date.now() - left).toBeLessThan(2_000)
    const later = (await other.evaluate('window.shown')) as [number, number][]
    expect(later.map(([from]) => from > left - 50)).toEqual([true])
    expect(stage.usher.sessions).toHaveLength(1)
  }
  await window.close()
})

it('a flow that was closed in one window is not shown in the other one while the server has not heard of it', async () => {
  await stage.show(welcome())
  const window = await stage.window()
  const tabs = [await window.newPage(), await window.newPage()] as const
  for (const page of tabs) await stage.open(BODY, { page })
  await expect.poll(async () => (await Promise.all(tabs.map(isShown))).filter(Boolean).length).toBe(1)
  const [one, other] = (await isShown(tabs[0])) ? tabs : [tabs[1], tabs[0]]
  await expect.poll(() => stage.usher.reports.length).toBe(1)
  const waits = `navigator.locks.query().then(({ pending }) => pending.some(({ name }) => name.startsWith('usher flow')))`
  await expect.poll(() => other.evaluate(waits)).toBe(true)
  const tries = () => stage.usher.calls.filter(({ name }) => name === 'progress').length
  stage.usher.failure = (name) => (name === 'progress' ? { status: 503, text: '{}' } : undefined)
  await one.getByRole('button', { name: 'Close' }).click()
  await expect.poll(tries).toBe(4)
  expect(stage.usher.calls.filter(({ name }) => name === 'claim')).toHaveLength(1)
  stage.usher.failure = undefined
  await expect.poll(() => other.evaluate(waits)).toBe(false)
  expect(stage.usher.sessions).toMatchObject([{ isOver: true }])
  expect(stage.usher.calls.filter(({ name }) => name === 'claim')).toHaveLength(1)
  await window.close()
})

it('a second device gets the flow only when the first one gives it up, and goes on at the same step', async () => {
  await stage.show(welcome())
  const page = await stage.open(BODY)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  const phone = await (await stage.window()).newPage()
  await stage.open(BODY, { page: phone })
  await expect.poll(() => stage.usher.calls.filter(({ name }) => name === 'identify').length).toBe(2)
  expect(await isShown(phone)).toBe(false)
  // Leaving releases the claim. The other device learns it by the stream, or asks again.
  await page.goto('about:blank')
  stage.usher.hint()
  await phone.getByRole('dialog', { name: 'More' }).waitFor()
  expect(stage.usher.sessions[0]).toMatchObject({ epoch: 2 })
  await phone.context().close()
})

it('a checklist that is opened again after another device has got its place goes away, and comes back by a claim', async () => {
  await stage.show(checklist([task('one'), task('two')]))
  const window = await stage.window()
  await window.addInitScript(NOTE)
  const page = await stage.open(BODY, { page: await window.newPage() })
  const told = () => stage.usher.reports.map(({ type }) => type)
  await page.getByRole('button', { name: 'Collapse' }).click()
  await expect.poll(told).toEqual(['shown', 'hidden'])
  const taken = { status: 200, text: JSON.stringify({ holder: true, slot: false, sequence: 3, state: 'active' }) }
  const answers = [taken]
  stage.usher.failure = (name) => (name === 'progress' ? answers.pop() : undefined)
  await page.locator('[data-usher-widget]').getByRole('button').first().click()
  await expect.poll(told).toEqual(['shown', 'hidden', 'shown'])
  expect(await page.evaluate('window.shown.length')).toBe(2)
  expect(stage.usher.calls.filter(({ name }) => name === 'claim')).toHaveLength(2)
  await window.close()
})

it('a start on another device ends the flow here at the hint', async () => {
  await stage.show(welcome())
  const page = await stage.open(BODY)
  await page.getByRole('dialog', { name: 'Welcome' }).waitFor()
  await expect.poll(() => stage.usher.reports.length).toBe(1)
  await expect.poll(() => stage.usher.calls.some(({ name }) => name === 'stream')).toBe(true)
  // Also when no decision has named the session before.
  for (const session of stage.usher.sessions) session.isOver = true
  stage.usher.hint()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(stage.usher.calls.filter(({ name }) => name === 'renew')).toEqual([])
})

it('an event on the back end shows a flow within a second', async () => {
  await stage.show()
  const page = await stage.open(BODY)
  await expect.poll(() => stage.usher.calls.some(({ name }) => name === 'stream')).toBe(true)
  stage.usher.contents.push(welcome())
  const begun = Date.now()
  stage.usher.hint()
  await page.getByRole('dialog', { name: 'Welcome' }).waitFor()
  if (inject('isLong')) expect(Date.now() - begun).toBeLessThan(1_000)
})

it('a reset in one tab is one in all tabs: nothing of the user before is shown or told there, and the next user is one browser', async () => {
  await stage.show({ ...welcome(), id: 'cnt_w' }, { ...banner(), id: 'cnt_b' })
  const window = await stage.window()
  const [one, other] = [await window.newPage(), await window.newPage()]
  await stage.open(BODY, { page: one, calls: `usher.init('pk_test'); usher.identify('ada')` })
  await one.getByRole('dialog', { name: 'Welcome' }).waitFor()
  await stage.open(BODY, { page: other, calls: `usher.init('pk_test'); usher.identify('ada')` })
  await other.bringToFront()
  await expect.poll(() => stage.usher.calls.filter(({ name }) => name === 'identify').length).toBe(2)
  const [holder, reader] = (await isShown(one)) ? [one, other] : [other, one]
  await reader.evaluate('usher.reset()')
  await expect.poll(() => isShown(holder)).toBe(false)
  expect(await holder.evaluate('usher.isIdentified()')).toBe(false)
  const told = stage.usher.calls.length
  const refused = { ok: false, problem: 'the user was reset' }
  expect(await holder.evaluate(`Promise.all([usher.track('x'), usher.start('tour')])`)).toEqual([refused, refused])
  expect(stage.usher.calls.slice(told)).toEqual([])
  // The next user, in whichever tab, is in one browser, also when the other tab forgets the user before once more.
  await reader.evaluate(`usher.identify('bob')`)
  await reader.getByRole('dialog', { name: 'Welcome' }).waitFor()
  await holder.evaluate(`usher.reset()`)
  await holder.evaluate(`usher.identify('bob')`)
  expect(await reader.evaluate('usher.isIdentified()')).toBe(true)
  const browsers = stage.usher.calls.flatMap(({ name, body }) => (name === 'identify' ? [body.browser_id] : []))
  expect(new Set(browsers.slice(0, 2)).size).toBe(1)
  expect(new Set(browsers.slice(2)).size).toBe(1)
  expect(browsers[0]).not.toBe(browsers[2])
  await window.close()
})
