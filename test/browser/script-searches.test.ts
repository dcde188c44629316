import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { banner, flow, heading, launcher, step, target } from '../support/rendered.ts'
import { profileScript } from '../support/script-profile.ts'
import { openScriptStage, type ScriptStage } from './script-stage.ts'

/** What it costs a page to be looked at. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const script = (code: string) => `<script nonce="host">${code}</script>`
const shown = (name = 'Step a') => stage.page.getByRole('dialog', { name }).waitFor()
const pointer = (id: string, locator: string) =>
  ({ ...launcher(), id, label: id, target: target('', { locators: [locator] }) }) as never

/** By the clock of the page, each search for a class takes 20 ms. Notes the searches of each look. */
const SLOW = script(`
  const [now, all] = [performance.now.bind(performance), Document.prototype.querySelectorAll]
  let late = 0, current = null
  window.looks = []
  performance.now = () => now() + late
  Document.prototype.querySelectorAll = function (selector) {
    if (selector.startsWith('.')) {
      late += 20
      if (!current) { looks.push(current = []); queueMicrotask(() => (current = null)) }
      current.push(selector)
    }
    return all.call(this, selector)
  }`)

it('a search begins no other one after 15 ms: the next look goes on with those that are left, and all have their turn', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `c${index}`)
  await stage.show(...ids.map((id) => pointer(id, `css=.${id}`)))
  const page = await stage.open('<button class="c7">Here</button>', { head: SLOW })
  await page.getByRole('button', { name: 'c7' }).waitFor()
  const looks = (await page.evaluate('looks')) as string[][]
  expect(Math.max(...looks.map(({ length }) => length))).toBe(1)
  expect(new Set(looks.flat()).size).toBe(8)
})

it('contents that ask for the same element share one search', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `c${index}`)
  await stage.show(...ids.map((id) => pointer(id, 'css=.here')))
  const page = await stage.open('<button class="here">Here</button>', { head: SLOW })
  for (const name of ids) await page.getByRole('button', { name }).waitFor()
  const looks = (await page.evaluate('looks')) as string[][]
  expect(Math.max(...looks.map(({ length }) => length))).toBe(1)
})

it('a tab that nobody sees is not searched, also when what is shown there has lost its target, and is when it is seen again', async () => {
  await stage.show(flow([step('a', { target: target('', { locators: ['css=.here'] }) })]))
  const page = await stage.open('<button class="here">Here</button>', { head: SLOW })
  await shown()
  const turn = (state: string) =>
    `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' })`
  const before = await page.evaluate(`${turn('hidden')}; document.querySelector('button').remove(); looks.length`)
  await page.evaluate(`(async () => {
    for (let i = 0; i < 5; i++) { document.body.append('x'); await new Promise((done) => setTimeout(done, 300)) }
  })()`)
  expect(await page.evaluate('looks.length')).toBe(before)
  await page.evaluate(`${turn('visible')}; document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByRole('dialog', { name: 'Step a' }).waitFor({ state: 'detached' })
})

it('a video is drawn in a tooltip and in a banner', async () => {
  const video = { video: 'https://videos.example/1', title: 'How it works' }
  await stage.show({ ...flow([step('a', { blocks: [heading('Step a'), video] })]), id: 'c1' }, {
    ...banner(),
    id: 'c2',
    blocks: [video],
  } as never)
  const page = await stage.open('<button data-testid="a">A</button>')
  await page.route('https://videos.example/**', (route) => route.abort())
  await shown()
  await expect.poll(() => page.locator('iframe[title="How it works"]').count()).toBe(2)
})

it('asks no element for its labels, which searches the whole page each time', async () => {
  await stage.show(flow([step('a', { target: target('', { locators: ['role=button[name="Send it"]'] }) })]))
  const page = await stage.open(
    `<label>Send <button>x</button></label><label for="y">Send it</label><button id="y">y</button>`,
    {
      head: script(`
      window.asked = 0
      const { get } = Object.getOwnPropertyDescriptor(HTMLButtonElement.prototype, 'labels')
      Object.defineProperty(HTMLButtonElement.prototype, 'labels', { get() { asked += 1; return get.call(this) } })`),
    },
  )
  await shown()
  expect(await page.evaluate('asked')).toBe(0)
})

it('finds its target among 5,000 elements with constant mutations, and in test:long no task of ours is longer than 50 ms', async () => {
  const locators = ['role=button[name="Never"]', 'text=Nowhere', 'testid=never', 'testid=a']
  const help = { ...launcher(), id: 'c2', target: target('', { locators: locators.slice(0, 3) }) } as never
  await stage.show({ ...flow([step('a', { target: target('', { locators }) })]), id: 'c1' }, help)
  const page = await stage.open(
    `<button data-testid="a">A</button><div id="m"></div>${script(`
    for (let i = 0; i < 5000; i++) { const e = document.createElement(i % 9 ? 'div' : 'button'); e.textContent = 'text ' + i; e.style.contain = 'content'; m.append(e) }
    setInterval(() => { m.children[Math.floor(Math.random() * 5000)].textContent = String(Math.random()) }, 20)`)}`,
  )
  await shown()
  if (!inject('isLong')) return
  // Processor time: a machine with other work does not stretch it.
  const again = async () => {
    await page.reload()
    await shown()
    await page.waitForTimeout(1_500)
  }
  expect((await profileScript(page, again)).longestMs).toBeLessThan(50)
})
