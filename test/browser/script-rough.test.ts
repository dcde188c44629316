import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RenderedButton, RenderedContent } from '../../contract/content/rendered.ts'
import { banner, button, checklist, flow, heading, launcher, step, target, task } from '../support/rendered.ts'
import { openScriptStage, type ScriptStage } from './script-stage.ts'

/** Pages that make it hard. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const tip = (locator: string) => flow([step('a', { target: target('', { locators: [locator] }) })])
const script = (code: string) => `<script nonce="host">${code}</script>`
const shown = (name = 'Step a') => stage.page.getByRole('dialog', { name }).waitFor()
const box = (selector: string) =>
  stage.page.evaluate(
    `(() => { const { x, y, width, height } = ${selector}.getBoundingClientRect(); return { x, y, width, height } })()`,
  ) as Promise<{ x: number; y: number; width: number; height: number }>
const TIP = 'document.querySelector("[data-usher-widget]").shadowRoot.querySelector(".tip")'

it.each([
  ['testid', 'testid=go', '<button data-testid="go">Go</button>'],
  ['data-usher', 'testid=go', '<button data-usher="go">Go</button>'],
  ['role and name', 'role=button[name="Export now"]', '<button>Other</button><button><b>Export</b> now</button>'],
  ['role by aria-label', 'role=link[name="Home"]', '<a href="#" aria-label="Home">x</a><a href="#">y</a>'],
  ['role and label', 'role=textbox[name="Full name"]', '<label for="n">Full name</label><input id="n"><input>'],
  ['role in a label', 'role=checkbox[name="I agree"]', '<label><input type="checkbox"> I agree</label>'],
  ['text', 'text=world', '<p>Hello <b>world</b></p>'],
  ['css', 'css=ul > li:nth-child(2)', '<ul><li>1<li>2<li>3</ul>'],
  ['a hidden twin', 'testid=go', '<button data-testid="go" hidden>Go</button><button data-testid="go">Go</button>'],
])('finds a target by %s', async (_name, locator, body) => {
  await stage.show(tip(locator))
  await stage.open(body)
  await shown()
  expect(stage.problems).toEqual([])
})

it('several elements are as good as none: the next locator is tried, and nothing is shown without one', async () => {
  await stage.show(flow([step('a', { target: target('', { locators: ['css=button', 'testid=one'] }) })]))
  await stage.open('<button>1</button><button data-testid="one">2</button>')
  await shown()
  await expect.poll(() => stage.usher.reports[0]).toMatchObject({ type: 'step_seen', locator: 'testid=one' })
})

it('finds a target in open shadow roots, and follows a click in there', async () => {
  const advance = [{ on: 'target_click' as const, to: null, end: 'completed' as const }]
  await stage.show(flow([step('a', { advance, target: target('deep') })]))
  await stage.open(
    `<x-a></x-a>${script(`
    const root = document.querySelector('x-a').attachShadow({ mode: 'open' })
    const inner = document.createElement('x-b'); root.append(inner)
    const button = document.createElement('button'); button.dataset.testid = 'deep'; button.textContent = 'Deep'
    inner.attachShadow({ mode: 'open' }).append(button)`)}`,
  )
  await shown()
  await stage.page.getByText('Deep', { exact: true }).click()
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen', 'completed', 'ended'])
})

it('waits for a target that comes later, and shows nothing until then', async () => {
  await stage.show(tip('testid=late'))
  const page = await stage.open('<main id="m"></main>')
  await expect.poll(() => stage.usher.calls.some(({ name }) => name === 'identify')).toBe(true)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(stage.usher.sessions).toEqual([])
  await page.evaluate(`document.getElementById('m').innerHTML = '<button data-testid="late">Late</button>'`)
  await shown()
})

it('a flow that was completed is not shown again while the server has not heard of it', async () => {
  await stage.show(tip('testid=a'))
  const page = await stage.open('<button data-testid="a">A</button>')
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen'])
  stage.usher.failure = (name) => (name === 'progress' ? null : undefined)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const decisions = () => stage.usher.calls.filter(({ name }) => name === 'decide').length
  const before = decisions()
  stage.usher.hint()
  await expect.poll(decisions).toBeGreaterThan(before)
  // The page looks again at each change of its elements.
  await page.evaluate(`document.body.append('changed'); new Promise((done) => setTimeout(done, 1500))`)
  expect(await page.getByRole('dialog').count()).toBe(0)
  stage.usher.failure = undefined
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen', 'completed', 'ended'])
  expect(stage.usher.calls.filter(({ name }) => name === 'claim')).toHaveLength(1)
})

it('a target that is removed and added again every 50 ms keeps its tooltip', async () => {
  await stage.show(tip('testid=a'))
  const page = await stage.open(
    `<main id="m"></main>${script(`
    setInterval(() => { m.replaceChildren(); const b = document.createElement('button'); b.dataset.testid = 'a'; b.textContent = 'A'; setTimeout(() => m.append(b), 10) }, 50)
    `)}`,
  )
  await shown()
  // A page that stood still has seen nothing of its target for as long: it is watched anew a second later. The page itself
  // waits: Playwright would ask in every frame.
  const missing = await page.evaluate<number>(`new Promise((done) => {
    let last = performance.now(), since = last, missing = 0
    const look = () => {
      const now = performance.now()
      if (now - last > 200) { since = now + 1000; missing = 0 }
      last = now
      const calm = now - since
      if (calm > 0 && !document.querySelector('[data-usher-widget]')) missing++
      if (missing > 0 || calm > 2500) { clearInterval(watch); done(missing) }
    }
    const watch = setInterval(look, 5)
  })`)
  expect(missing).toBe(0)
  expect(stage.usher.reports.filter(({ type }) => type === 'step_seen')).toHaveLength(1)
})

it('follows a single-page application: the tooltip goes with its page and comes back', async () => {
  const where = { url: '/reports/**' }
  await stage.show({ ...tip('testid=a'), decided: { where } } as never)
  const page = await stage.open('<button data-testid="a">A</button>')
  await expect.poll(() => stage.usher.calls.some(({ name }) => name === 'identify')).toBe(true)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.evaluate(`history.pushState({}, '', '/reports/7')`)
  await shown()
  await page.evaluate(`document.querySelector('[data-testid=a]').style.display = 'none'`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.evaluate(`document.querySelector('[data-testid=a]').style.display = ''`)
  await shown()
})

it('is above a modal dialog of the page, can be used in it, and goes back when that closes', async () => {
  await stage.show(tip('testid=a'))
  const page = await stage.open(
    '<button data-testid="a">A</button><dialog id="d"><p>Theirs</p><button>Inside</button></dialog>',
  )
  await shown()
  await page.evaluate('d.showModal()')
  await expect.poll(() => page.evaluate('d.querySelector("[data-usher-widget]") !== null')).toBe(true)
  await page.getByRole('button', { name: 'Next' }).click({ trial: true })
  await page.evaluate('d.close()')
  await expect
    .poll(() => page.evaluate('document.body.querySelector(":scope > [data-usher-widget]") !== null'))
    .toBe(true)
})

it('points at its target under transforms, in scrolling boxes and behind a fixed header, and stays out of its way', async () => {
  await stage.show(tip('testid=a'))
  const page =
    await stage.open(`<header style="position:fixed;top:0;height:60px;width:100%;z-index:2147483647;background:#eee">H</header>
    <div style="height:300px;margin-top:80px;overflow:auto;transform-origin:0 0;transform:translateX(40px) scale(1.1)"><div style="height:900px"></div>
    <button data-testid="a">A</button><div style="height:900px"></div></div>`)
  await shown()
  const far = async () => {
    const [one, other] = [await box(TIP), await box('document.querySelector("[data-testid=a]")')]
    const gap = Math.max(
      other.x - one.x - one.width,
      one.x - other.x - other.width,
      other.y - one.y - one.height,
      one.y - other.y - other.height,
    )
    return gap
  }
  await expect.poll(far).toBeGreaterThan(5)
  expect(await far()).toBeLessThan(30)
  await page.evaluate('document.querySelector("div").scrollTop += 20')
  await expect.poll(far).toBeLessThan(30)
  await page.evaluate('document.querySelector("div").scrollTop = 0')
  await expect.poll(() => page.evaluate(`getComputedStyle(${TIP}).visibility`)).toBe('hidden')
})

it('survives document.write, a body that is replaced, and frozen prototypes', async () => {
  await stage.show(tip('testid=a'))
  const page = await stage.open('<button data-testid="a">A</button>', {
    head: script(
      `for (const one of [Object, Array, Promise, Element, Node, EventTarget, Function]) Object.freeze(one.prototype)`,
    ),
  })
  await shown()
  await page.evaluate(
    `document.body.replaceWith(Object.assign(document.createElement('body'), { innerHTML: '<button data-testid="a">B</button>' }))`,
  )
  await shown()
  await page.evaluate(
    `document.open(); document.write('<!doctype html><body><button data-testid="a">C</button>'); document.close()`,
  )
  await shown()
  // The tooltip of the document before may still be there for a moment, and go with the click.
  const next = page.getByRole('button', { name: 'Next' })
  const click = async () => {
    if (await next.isVisible()) await next.dispatchEvent('click').catch(() => {})
    return stage.usher.reports.at(-1)?.type
  }
  await expect.poll(click).toBe('ended')
  expect(stage.problems).toEqual([])
})

it('a second copy of the script does nothing, and a page that patches fetch is served all the same', async () => {
  await stage.show(tip('testid=a'))
  const head = script(
    `const own = window.fetch; window.fetch = (...words) => { if (typeof words[0] !== 'string') throw new Error('theirs'); return own(...words) }`,
  )
  const page = await stage.open(
    `<button data-testid="a">A</button><script src="${stage.usher.url}/sdk/usher.js"></script>`,
    { head },
  )
  await shown()
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(stage.usher.calls.filter(({ name }) => name === 'identify')).toHaveLength(1)
  expect(await page.evaluate(`Object.keys(window).filter((name) => /usher/i.test(name))`)).toEqual(['usher'])
})

it('causes no layout shift', async () => {
  await stage.show(tip('testid=a'))
  const page = await stage.open('<h1>Title</h1><button data-testid="a">A</button><p>Text</p>', {
    head: script(
      `window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value }).observe({ type: 'layout-shift', buffered: true })`,
    ),
  })
  await shown()
  expect(await page.evaluate('window.shift')).toBe(0)
})

it('right to left, at 200 % and 400 %, and on a phone: everything is on the screen and the buttons can be reached', async () => {
  const steps = [
    step('a', {
      blocks: [
        heading('Long'),
        ...Array.from({ length: 6 }, () => ({ text: [{ paragraph: [{ text: 'Words and words. '.repeat(30) }] }] })),
      ],
    }),
  ]
  await stage.show(flow(steps))
  const target = '<p style="margin:100px"><button data-testid="a">A</button></p>'
  const page = await stage.open(target + script('document.documentElement.dir = "rtl"'))
  for (const viewport of [
    { width: 720, height: 450 },
    // Without room beside the target.
    { width: 320, height: 256 },
    { width: 375, height: 640 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport)
    await shown('Long')
    await expect
      .poll(async () => {
        const { x, y, width, height } = await box(TIP)
        return x >= 0 && y >= 0 && x + width <= viewport.width && y + height <= viewport.height
      })
      .toBe(true)
    await page.getByRole('button', { name: 'Next' }).click({ trial: true })
  }
  expect(await page.evaluate(`getComputedStyle(${TIP}).direction`)).toBe('rtl')
})

it('a banner moves the page, a checklist and a launcher show beside a flow, and each is reported', async () => {
  await stage.show(
    { ...tip('testid=a'), id: 'c1' },
    { ...checklist([task('one'), task('two')]), id: 'c2' },
    { ...banner(), id: 'c3' },
    { ...launcher(), id: 'c4' },
  )
  const page = await stage.open('<button data-testid="a">A</button><br><button data-testid="help">Help</button>')
  await shown()
  await page.getByRole('region', { name: 'Announcement' }).waitFor()
  await page.getByRole('button', { name: 'What is new here' }).waitFor()
  expect((await box('document.querySelector("[data-testid=a]")')).y).toBeGreaterThanOrEqual(46)
  for (const name of ['Task one', 'Task two']) await page.getByRole('button', { name }).click()
  await page.getByText('2 of 2 done').waitFor()
  await page.getByRole('button', { name: 'Collapse' }).click()
  await page.getByRole('button', { name: 'Get started 2 of 2' }).waitFor()
  await expect
    .poll(() =>
      stage.usher.sessions.find(({ content }) => content.type === 'checklist')?.reports.map(({ type }) => type),
    )
    .toEqual(['shown', 'task_clicked', 'task_completed', 'task_clicked', 'task_completed', 'completed', 'hidden'])
  await page.getByRole('region', { name: 'Announcement' }).getByRole('button', { name: 'Close' }).click()
  await expect
    .poll(() => stage.usher.sessions.find(({ content }) => content.type === 'banner')?.reports.map(({ type }) => type))
    .toEqual(['shown', 'ended'])
  expect(stage.problems).toEqual([])
})

/** What was reported of the content of this type that was shown last. */
const reportsOf = (type: string) =>
  stage.usher.sessions.findLast(({ content }) => content.type === type)?.reports.map((report) => report.type)

it.each([
  'display: flex',
  'display: grid; grid-template: auto 1fr / 200px 1fr',
  'display: flex; flex-direction: column; height: 100vh',
])(
  'a banner is as wide as the page and above it, and leaves its parts as they are, in a body with %s',
  async (style) => {
    const head = `<style>body { margin: 0; ${style} } main { flex: 1 }</style>`
    const parts = `['aside', 'main'].map((name) => { const { x, y, width } = document.querySelector(name).getBoundingClientRect(); return [x, y - (document.querySelector('[data-usher-widget]')?.offsetHeight ?? 0), width] })`
    const body = '<aside>Menu</aside><main>Words</main>'
    await stage.show()
    await stage.open(body, { head })
    const before = await stage.page.evaluate(parts)
    for (const position of ['top', 'bottom'] as const) {
      await stage.show({ ...banner(), position } as never)
      await stage.open(body, { head })
      const host = stage.page.locator('[data-usher-widget]')
      await host.waitFor()
      const box = await host.boundingBox()
      expect(box).toMatchObject({ x: 0, y: position === 'top' ? 0 : expect.any(Number), width: 1440 })
      if (position === 'top') expect(await stage.page.evaluate(parts)).toEqual(before)
      else expect(box?.y).toBeGreaterThan(0)
    }
  },
)

it('a button that ends a banner, a launcher or a checklist as completed completes it, any other dismisses it', async () => {
  const end = { end: 'completed' } as const
  const announced = (button: RenderedButton) => ({ ...banner(), buttons: [button] }) as RenderedContent
  await stage.show(
    { ...announced(button('Understood', end)), id: 'c1' },
    { ...checklist([task('one', { do: [end] }), task('two')]), id: 'c2' },
    { ...launcher(), id: 'c3', do: [end] } as RenderedContent,
  )
  const page = await stage.open('<button data-testid="help">Help</button>')
  await page.getByRole('button', { name: 'Understood' }).click()
  await expect.poll(() => reportsOf('banner')).toEqual(['shown', 'completed', 'ended'])
  await page.getByRole('button', { name: 'What is new here' }).click()
  await expect.poll(() => reportsOf('launcher')).toEqual(['shown', 'activated', 'completed', 'ended'])
  await page.getByRole('button', { name: 'Task one' }).click()
  const ended = ['shown', 'task_clicked', 'task_completed', 'completed', 'ended']
  await expect.poll(() => reportsOf('checklist')).toEqual(ended)

  await stage.show({ ...announced(button('Not now', { end: 'dismissed' })), id: 'c4' })
  await stage.open('')
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect.poll(() => reportsOf('banner')).toEqual(['shown', 'ended'])
  expect(stage.problems).toEqual([])
})

it('the button of a task is its click; a task that has one is only opened by its name', async () => {
  const words = { text: [{ paragraph: [{ text: 'Words' }] }], button: [{ text: 'Go' }] }
  await stage.show(checklist([task('one', words), task('two', { ...words, button: [{ text: 'Go on' }] })]))
  const page = await stage.open('')
  await page.getByRole('button', { name: 'Task two' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('1 of 2 done').waitFor()
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await page.getByText('2 of 2 done').waitFor()
  const clicked = ['task_clicked', 'task_completed']
  await expect.poll(() => reportsOf('checklist')).toEqual(['shown', ...clicked, ...clicked, 'completed'])
  expect(stage.problems).toEqual([])
})

it('a hidden step branches by what the page shows, and gives up after its time', async () => {
  const hidden = step('h', {
    type: 'hidden',
    buttons: [],
    blocks: [],
    advance: [
      { on: 'condition', condition: { element: ['testid=vip'] }, to: 'vip', end: null },
      { on: 'condition', condition: { url: '/never' }, to: 'other', end: null },
    ],
    timeout: { after_ms: 1500, to: 'other' },
  })
  const dialog = (key: string) =>
    step(key, { type: 'dialog', blocks: [heading(key)], buttons: [button('Done', { end: 'completed' })] })
  await stage.show(flow([step('a'), hidden, dialog('vip'), dialog('other')]))
  await stage.open('<button data-testid="a">A</button><p data-testid="vip">VIP</p>')
  await stage.page.getByRole('button', { name: 'Next' }).click()
  await shown('vip')
  await stage.show(flow([step('a'), hidden, dialog('vip'), dialog('other')]))
  await stage.open('<button data-testid="a">A</button>')
  await stage.page.getByRole('button', { name: 'Next' }).click()
  await shown('other')
})
