import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { button, checklist, flow, heading, step, task } from '../support/rendered.ts'
import { IDENTIFIED, openScriptStage, type ScriptStage } from './script-stage.ts'

/** A network that fails or is slow, a page that is left meanwhile, and a server that asks for a pause. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY = '<main><h1>Projects</h1></main>'
const callsOf = (...names: string[]) => stage.usher.calls.filter(({ name }) => names.includes(name))
const welcome = () => step('w', { type: 'dialog', blocks: [heading('Welcome')] })

async function newPage(): Promise<Page> {
  const page = await (await stage.window()).newPage()
  onTestFinished(async () => await page.context().close())
  return page
}

/** Something that is opened later. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

it('what was tracked and written arrives when the page is left at once, in whatever state it was', async () => {
  const go = button('Go', { track: 'went' }, { set: 'tour', value: 'done' }, { open: '/other' })
  await stage.show(flow([{ ...welcome(), buttons: [go] }]))
  const page = await stage.open(BODY)
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => stage.usher.reports.length).toBe(1)
  // The first call has to ask whether it may be sent, and is not answered before the page is left.
  const held = gate()
  stage.usher.preflight = held.opened
  await page.getByRole('button', { name: 'Go' }).click()
  await page.waitForURL('**/other')
  await expect.poll(() => callsOf('update').length).toBe(1)
  held.open()
  await expect.poll(() => callsOf('track').length).toBe(1)
  expect(callsOf('track')[0]?.body).toEqual({ name: 'went', attributes: {}, key: expect.any(String) })
  expect(callsOf('update')[0]?.body).toMatchObject({ attributes: { tour: 'done' }, token: 'pk_test' })
})

it('a page that is left before the server has heard of the first step does not give up the claim, which would end it', async () => {
  await stage.show(flow([welcome()]))
  const held = gate()
  const isHeld = stage.page.route('**/sdk/progress', async (route) => {
    if (route.request().headers()['content-type'] === 'application/json') await held.opened
    await route.continue().catch(() => {})
  })
  await isHeld
  const page = await stage.open(BODY)
  await page.getByRole('dialog').waitFor()
  await page.goto(`${stage.hosts.url}/other`)
  await page.getByRole('dialog').waitFor()
  await page.unroute('**/sdk/progress')
  held.open()
  expect(stage.usher.sessions).toHaveLength(1)
  expect(callsOf('release')).toEqual([])
})

it('a script that could not be loaded is asked for again, and so is a part of it', async () => {
  await stage.show(checklist([task('one')]))
  const page = await newPage()
  const refused: string[] = []
  await page.route(/\/(core|checklist-run)-/, async (route) => {
    const name = route
      .request()
      .url()
      .replace(/.*\/(\w+).*/, '$1')
    if (refused.includes(name)) return await route.continue()
    refused.push(name)
    await route.abort()
  })
  await page.clock.install()
  await stage.open(BODY, { page })
  await expect.poll(() => refused).toEqual(['core'])
  await page.clock.fastForward(5_000)
  await expect.poll(() => refused).toEqual(['core', 'checklist'])
  await expect.poll(() => callsOf('release').length).toBe(1)
  await page.clock.fastForward(20_000)
  await page.getByRole('region').waitFor()
})

it('calls after the script could not be loaded are answered, as those before', async () => {
  await stage.show()
  const page = await newPage()
  let tries = 0
  await page.route('**/core-*', async (route) => {
    tries += 1
    await route.abort()
  })
  await page.clock.install()
  await stage.open(BODY, { page, calls: `${IDENTIFIED}; usher.track('before').then((one) => { window.answer = one })` })
  for (let number = 1; number <= 5; number++) {
    await expect.poll(() => tries).toBe(number)
    await page.clock.fastForward(100_000)
  }
  const answer = { ok: false, problem: 'the script could not be loaded' }
  await expect.poll(() => page.evaluate('window.answer')).toEqual(answer)
  expect(await page.evaluate(`usher.track('after')`)).toEqual(answer)
  expect(await page.evaluate('usher.isIdentified()')).toBe(false)
})

it('hints that come one after the other lead to a decision now and then, and to one after the last of them', async () => {
  await stage.show()
  const page = await newPage()
  await stage.open(BODY, { page })
  await expect.poll(() => callsOf('stream').length).toBe(1)
  await page.clock.install()
  const asked = async () => {
    // All that was received is done with.
    await page.evaluate(
      'new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0) })',
    )
    return callsOf('decide').length
  }
  stage.usher.hint()
  await expect.poll(() => callsOf('decide').length).toBe(1)
  for (let number = 0; number < 20; number++) stage.usher.hint()
  expect(await asked()).toBe(1)
  await page.clock.runFor(1_000)
  await expect.poll(() => callsOf('decide').length).toBe(2)
  await page.clock.runFor(5_000)
  expect(await asked()).toBe(2)
})

/** Notes the addresses whose answers the page has read. */
const NOTE = `
  window.answered = []
  const { text } = Response.prototype
  Response.prototype.text = async function () {
    const read = await text.call(this)
    setTimeout(() => answered.push(this.url))
    return read
  }
`

it('a pause that the server asks for is kept, one of years is none that ends at once, and each try has the same key', async () => {
  await stage.show()
  const page = await newPage()
  await page.clock.install()
  await page.addInitScript(NOTE)
  const refusal = (seconds: number) => ({ status: 429, text: '{}', headers: { 'retry-after': String(seconds) } })
  const failures: Record<string, ReturnType<typeof refusal> | null> = {
    stream: null,
    decide: refusal(600),
    track: refusal(99_999_999),
  }
  stage.usher.failure = (name) => failures[name]
  await stage.open(BODY, { page })
  await expect.poll(() => callsOf('stream').length).toBeGreaterThan(0)
  const answers = (name: string) => page.evaluate(`answered.filter((url) => url.endsWith('/${name}')).length`)
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
  await page.evaluate(`usher.track('x')`)
  await expect.poll(() => answers('decide')).toBe(1)
  await expect.poll(() => answers('track')).toBe(1)
  await page.clock.fastForward(300_000)
  expect(callsOf('decide', 'track').map(({ name }) => name)).toEqual(['decide', 'track'])
  await page.clock.fastForward(400_000)
  await expect.poll(() => answers('decide')).toBe(2)
  await page.clock.fastForward(3_600_000)
  await expect.poll(() => callsOf('track').length).toBe(2)
  const [first, second] = callsOf('track').map(({ body }) => body.key)
  expect(first).toMatch(/^[\w-]{8,64}$/)
  expect(second).toBe(first)
})
