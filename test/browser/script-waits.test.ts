import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { banner, flow, heading, step, target } from '../support/rendered.ts'
import { IDENTIFIED, openScriptStage, type ScriptStage } from './script-stage.ts'

/** What the script does while nothing happens, and when it comes back. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY = '<main><h1>Projects</h1><a href="/next">Next page</a></main>'
const welcome = () =>
  flow([
    step('w', { type: 'dialog', blocks: [heading('Welcome')] }),
    step('x', { type: 'dialog', blocks: [heading('More')] }),
  ])
const callsOf = (...names: string[]) => stage.usher.calls.filter(({ name }) => names.includes(name))
const isShown = (page: Page) => page.evaluate('document.querySelector("[data-usher-widget]") !== null')

/** Counts how often a timer of the page wakes it up, which timers are set, and which observers observe something. */
const COUNT = `
  window.woken = 0
  window.pending = new Set()
  for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame']) {
    const own = window[name]
    window[name] = (run, ...words) => {
      const id = own(() => {
        window.woken += 1
        if (name !== 'setInterval') window.pending.delete(id)
        run()
      }, ...words)
      window.pending.add(id)
      return id
    }
  }
  window.observing = new Set()
  for (const name of ['MutationObserver', 'ResizeObserver', 'IntersectionObserver']) {
    window[name] = class extends window[name] {
      observe(...words) { observing.add(this); super.observe(...words) }
      disconnect() { observing.delete(this); super.disconnect() }
    }
  }
  for (const name of ['clearTimeout', 'clearInterval']) {
    const own = window[name]
    window[name] = (id) => {
      window.pending.delete(id)
      own(id)
    }
  }
`

it('a page on which nothing is to be shown is woken by no timer but that of the silent stream and observes nothing, before and after a flow', async () => {
  const elsewhere = { ...welcome(), decided: { where: { url: '/elsewhere' } } }
  await stage.show(elsewhere)
  const page = await (await stage.window()).newPage()
  onTestFinished(async () => await page.context().close())
  await page.addInitScript(COUNT)
  await stage.open(BODY, { page })
  await expect.poll(() => callsOf('stream').length).toBe(1)
  // The stream ends itself after a minute of silence.
  await expect.poll(() => page.evaluate('pending.size')).toBe(1)
  expect(await page.evaluate('observing.size')).toBe(0)
  const before = await page.evaluate('woken')
  await page.evaluate('history.pushState(null, "", "/somewhere")')
  await expect.poll(() => page.evaluate('pending.size')).toBe(1)
  expect((await page.evaluate('woken')) as number).toBeLessThanOrEqual((before as number) + 3)
  // Where it belongs, it is shown.
  await page.evaluate('history.pushState(null, "", "/elsewhere")')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => page.evaluate('pending.size')).toBeGreaterThan(1)
  expect(await page.evaluate('observing.size')).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.evaluate('[pending.size, observing.size]')).toEqual([1, 0])
})

it('takes down at once what is shown when guidance is switched off, starts nothing until it is on, and then goes on', async () => {
  await stage.show(welcome())
  const page = await stage.open(BODY)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  await expect.poll(() => stage.usher.reports.length).toBe(2)
  const decided = callsOf('decide').length
  stage.usher.hint({ within_ms: 3_600_000, off: true })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(callsOf('decide', 'release').length).toBe(decided)
  stage.usher.hint()
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  expect(stage.usher.sessions).toHaveLength(1)
})

it('a server that takes ten seconds holds nothing up: the page loads, its calls wait, and the flow shows when it answers', async () => {
  await stage.show(welcome())
  let answer = () => {}
  stage.usher.gate = new Promise((resolve) => {
    answer = resolve
  })
  const calls = `usher.init('pk_test'); window.settled = []; usher.identify('ada').then(() => settled.push('identify')); usher.track('x').then(() => settled.push('track'))`
  const page = await stage.open(BODY, { calls })
  await expect.poll(() => callsOf('identify').length).toBe(1)
  expect(await page.evaluate('[document.readyState, settled]')).toEqual(['complete', []])
  expect(await isShown(page)).toBe(false)
  answer()
  await page.getByRole('dialog', { name: 'Welcome' }).waitFor()
  await expect.poll(() => page.evaluate('settled')).toEqual(['identify', 'track'])
  expect(callsOf('identify').length).toBe(1)
  expect(stage.problems).toEqual([])
})

it('where tabs cannot agree, by locks or by messages, the server decides between them, and only one shows', async () => {
  await stage.show(welcome())
  const window = await stage.window()
  onTestFinished(async () => await window.close())
  await window.addInitScript('delete window.BroadcastChannel; delete Navigator.prototype.locks')
  const tabs = [await window.newPage(), await window.newPage()] as const
  for (const page of tabs) await stage.open(BODY, { page })
  const browsers = () => new Set(callsOf('identify').map(({ body }) => body.browser_id))
  await expect.poll(() => browsers().size).toBe(2)
  await expect.poll(async () => (await Promise.all(tabs.map(isShown))).filter(Boolean).length).toBe(1)
  const first = (await isShown(tabs[0])) ? 0 : 1
  await (tabs[first] as Page).goto('about:blank')
  await (tabs[1 - first] as Page).getByRole('dialog', { name: 'Welcome' }).waitFor()
  expect(stage.usher.sessions).toHaveLength(1)
})

/** The channels that are open: a message to one of them throws a page that is kept away. */
const CHANNELS = `
  window.channels = new Set()
  window.BroadcastChannel = class extends BroadcastChannel {
    constructor(name) { super(name); channels.add(this) }
    close() { channels.delete(this); super.close() }
  }
`

/** The events that a page gets which is kept for the way back, or which stands still while it is behind. */
const kept = (name: string) => `dispatchEvent(new PageTransitionEvent("${name}", { persisted: true }))`
const still = (name: string) => `document.dispatchEvent(new Event("${name}"))`

it.each([
  ['goes into the cache of the browser', [kept('pagehide')], [kept('pageshow')]],
  ['goes there and stands still', [kept('pagehide'), still('freeze')], [still('resume'), kept('pageshow')]],
  ['stands still behind another one', [still('freeze')], [still('resume')]],
])('a page that %s holds nothing, and goes on at its step when it comes back', async (_what, leaving, coming) => {
  await stage.show(welcome())
  const page = await stage.open(BODY, { calls: `${CHANNELS}; ${IDENTIFIED}` })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  await expect.poll(() => stage.usher.reports.length).toBe(2)
  await expect.poll(() => callsOf('stream').length).toBe(1)
  const locks = 'navigator.locks.query().then(({ held, pending }) => held.length + pending.length)'
  expect(await page.evaluate(locks)).toBe(2)
  expect(await page.evaluate('channels.size')).toBe(2)
  // The browser of the tests keeps no pages. One that keeps them: test/long/script-back.test.ts.
  for (const event of leaving) await page.evaluate(event)
  expect(await isShown(page)).toBe(false)
  await expect.poll(() => callsOf('release').length).toBe(1)
  expect(await page.evaluate(locks)).toBe(0)
  expect(await page.evaluate('channels.size')).toBe(0)
  for (const event of coming) await page.evaluate(event)
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  await expect.poll(() => callsOf('stream').length).toBe(2)
  expect(stage.usher.sessions).toHaveLength(1)
})

it('a page that comes back from the cache of the browser after a reset in another tab shows nothing of the user before', async () => {
  await stage.show(welcome())
  const page = await stage.open(BODY)
  await page.getByRole('dialog', { name: 'Welcome' }).waitFor()
  const decided = callsOf('decide').length
  await page.evaluate('dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))')
  // A page that is kept hears nothing of it.
  await page.evaluate('localStorage.removeItem("usher.browser")')
  await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
  expect(await page.evaluate('usher.isIdentified()')).toBe(false)
  await page.evaluate(`usher.identify('bob')`)
  await page.getByRole('dialog', { name: 'Welcome' }).waitFor()
  expect(
    callsOf('decide')
      .slice(decided)
      .filter(({ visitor }) => visitor?.startsWith('v.ada')),
  ).toEqual([])
  const [first, last] = callsOf('identify').map(({ body }) => body.browser_id)
  expect(last).not.toBe(first)
})

/** A tab on a computer that sleeps from when the second step is shown: its clock jumps, and the lease on the server is over. */
async function sleep(): Promise<Page> {
  await stage.show(welcome())
  const page = await (await stage.window()).newPage()
  onTestFinished(async () => await page.context().close())
  await page.clock.install()
  await stage.open(BODY, { page })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  await expect.poll(() => stage.usher.reports.length).toBe(2)
  await expect.poll(() => callsOf('stream').length).toBe(1)
  const [session] = stage.usher.sessions
  if (session) session.leaseUntil = 0
  return page
}

it('a tab that has slept for hours identifies itself again, hears the stream, and goes on at its step, which is told once', async () => {
  const page = await sleep()
  // Its visitor token has run out, too.
  let isKnown = false
  stage.usher.failure = (name) => {
    isKnown ||= name === 'identify'
    return isKnown ? undefined : { status: 401, text: '{"error":{"code":"visitor_expired"}}' }
  }
  await page.clock.fastForward('05:00:00')
  await expect.poll(() => callsOf('identify').length).toBe(2)
  await expect.poll(() => callsOf('claim').at(-1)?.body).toMatchObject({ session: expect.any(String) })
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  await expect.poll(() => callsOf('stream').length).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect
    .poll(() => stage.usher.reports.map(({ type }) => type))
    .toEqual(['step_seen', 'step_seen', 'completed', 'ended'])
  expect(stage.usher.sessions).toHaveLength(1)
})

it('a tab that has slept while another device finished the flow shows nothing of it when it wakes', async () => {
  const page = await sleep()
  const [session] = stage.usher.sessions
  if (session) Object.assign(session, { isOver: true, holder: 'phone', epoch: session.epoch + 1 })
  const decided = callsOf('decide').length
  await page.clock.fastForward('05:00:00')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => callsOf('decide').length).toBeGreaterThan(decided)
  expect(await isShown(page)).toBe(false)
  expect(stage.usher.reports).toHaveLength(2)
})

it('a claim whose part of the script cannot be loaded is released at once, and claimed again when it can', async () => {
  await stage.show(banner())
  const page = await (await stage.window()).newPage()
  onTestFinished(async () => await page.context().close())
  await page.route('**/ambient-run-*.js*', (route) => route.abort())
  await stage.open(BODY, { page })
  await expect.poll(() => callsOf('release').length).toBeGreaterThan(0)
  expect(callsOf('claim')[0]?.name).toBe('claim')
  expect(await isShown(page)).toBe(false)
  // The next page can load it, and nothing holds the content.
  await page.unroute('**/ambient-run-*.js*')
  await page.reload()
  await page.getByRole('region', { name: 'Announcement' }).waitFor()
})

it('what is drawn again in its place was visible all the time, and what cannot be is told to be hidden', async () => {
  await stage.show(flow([step('a', { type: 'tooltip', target: target('a'), blocks: [heading('Here')] })]))
  const calls = `window.log = []; usher.on('flowvisibilitychange', ({ visible }) => log.push(visible)); ${IDENTIFIED}`
  const page = await stage.open('<main><button data-testid="a">A</button></main>', { calls })
  const shown = page.getByText('Here', { exact: true })
  await shown.waitFor()
  expect(await page.evaluate('log')).toEqual([true])
  // The page removes what is shown, and it comes back.
  await page.evaluate('document.querySelector("[data-usher-widget]").remove()')
  await shown.waitFor()
  expect(await page.evaluate('log')).toEqual([true])
  // With its target it is gone, until the target is back.
  await page.evaluate('document.body.replaceChildren()')
  await expect.poll(() => page.evaluate('log')).toEqual([true, false])
  await page.evaluate(`document.body.innerHTML = '<main><button data-testid="a">A</button></main>'`)
  await shown.waitFor()
  await expect.poll(() => page.evaluate('log')).toEqual([true, false, true])
})
