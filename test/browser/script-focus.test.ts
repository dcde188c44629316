import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { banner, button, checklist, flow, heading, launcher, step, task } from '../support/rendered.ts'
import { openScriptStage, type ScriptStage } from './script-stage.ts'

/** Where the focus goes, what is said, and what stays behind in the page. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY = '<button data-testid="a">A</button>'
const shown = (name = 'Step a') => stage.page.getByRole('dialog', { name }).waitFor()
const script = (code: string) => `<script nonce="host">${code}</script>`
const reported = () => stage.usher.reports.map(({ type }) => type)

it.each(['tooltip', 'dialog'] as const)('a %s gives the focus back to an element in a shadow root', async (type) => {
  await stage.show(flow([step('a', { type })]))
  const component = `customElements.define('x-a', class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<button>Inner</button>' }
    connectedCallback() { this.shadowRoot.firstChild.focus() }
  })`
  const page = await stage.open(`${BODY}<x-a></x-a>${script(component)}`)
  await shown()
  if (type === 'tooltip') await page.keyboard.press('F6')
  await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('div')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate('document.querySelector("x-a").shadowRoot.activeElement?.textContent')).toBe('Inner')
})

it('a step that comes up because the user types, or clicks where text is typed, leaves the focus there', async () => {
  const to = (on: 'target_input' | 'target_click', key: string) => ({ advance: [{ on, to: key, end: null }] })
  await stage.show(flow([step('a', to('target_input', 'b')), step('b', to('target_click', 'c')), step('c')]))
  const page = await stage.open('<input data-testid="a"><textarea data-testid="b"></textarea><p data-testid="c">C</p>')
  await shown()
  await page.getByTestId('a').pressSequentially('hello')
  await shown('Step b')
  await page.keyboard.type(' there')
  expect(await page.getByTestId('a').inputValue()).toBe('hello there')
  await page.getByTestId('b').click()
  await shown('Step c')
  await page.keyboard.type('more')
  expect(await page.getByTestId('b').inputValue()).toBe('more')
})

it('a press that begins in a dialog and ends beside it, as when text is selected, does not close it', async () => {
  await stage.show(flow([step('a', { type: 'dialog' })]))
  const page = await stage.open(BODY)
  await shown()
  await page.getByText('The text of a.').hover()
  await page.mouse.down()
  await page.mouse.move(20, 20)
  await page.mouse.up()
  await page.evaluate('new Promise(requestAnimationFrame)')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.mouse.click(20, 20)
  await expect.poll(() => stage.usher.reports.at(-1)).toMatchObject({ type: 'ended', reason: 'backdrop' })
})

it('Escape in a modal dialog of the page closes that dialog alone, and in the tooltip the tooltip alone', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(`${BODY}<dialog id="d" aria-label="Theirs"><button>Inside</button></dialog>`)
  await shown()
  const isIn = () => page.evaluate('d.querySelector("[data-usher-widget]") !== null')
  await page.evaluate('d.showModal()')
  await expect.poll(isIn).toBe(true)
  await page.getByRole('button', { name: 'Inside' }).press('Escape')
  await expect.poll(() => page.evaluate('d.open')).toBe(false)
  await expect.poll(reported).toEqual(['step_seen'])
  await shown()
  await page.evaluate('d.showModal()')
  await expect.poll(isIn).toBe(true)
  await page.keyboard.press('F6')
  await page.keyboard.press('Escape')
  await expect.poll(reported).toEqual(['step_seen', 'ended'])
  expect(await page.evaluate('d.open')).toBe(true)
})

it('Escape is left to the page where text is typed, in what the page has opened, and while a popover is open; elsewhere, and in the tooltip, it closes the tooltip', async () => {
  await stage.show(flow([step('a')]))
  const page =
    await stage.open(`${BODY}<input id="field"><div id="rich" contenteditable>Rich</div><select id="choice"><option>One</option></select>
    <div role="dialog" aria-label="Theirs"><button id="inside">Inside</button></div><ul role="menu"><li role="menuitem" tabindex="0" id="item">Item</li></ul>
    <button aria-haspopup="true" aria-expanded="true" id="opener">Open</button><button id="plain">Plain</button><div popover id="pop">Popover</div>`)
  await shown()
  for (const id of ['field', 'rich', 'choice', 'inside', 'item', 'opener']) await page.locator(`#${id}`).press('Escape')
  await page.evaluate('pop.showPopover()')
  await page.locator('#plain').press('Escape')
  await expect.poll(() => page.evaluate('pop.matches(":popover-open")')).toBe(false)
  await page.evaluate('addEventListener("keydown", (event) => event.preventDefault(), { capture: true, once: true })')
  await page.locator('#plain').press('Escape')
  expect(await page.getByRole('dialog', { name: 'Step a' }).count()).toBe(1)
  await page.locator('#field').focus()
  await page.keyboard.press('F6')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Step a' }).waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.id')).toBe('field')
  await stage.show(flow([step('a')]))
  await stage.open(`${BODY}<button id="plain">Plain</button>`)
  await shown()
  await page.locator('#plain').press('Escape')
  await expect.poll(() => stage.usher.reports.at(-1)).toMatchObject({ type: 'ended', reason: 'escape' })
})

it('a tooltip that is scrolled away hears no key: nobody closes what they do not see', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(`${BODY}<div style="height: 5000px"></div><button id="plain">Plain</button>`)
  await shown()
  const plain = page.locator('#plain')
  await plain.scrollIntoViewIfNeeded()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await plain.press('F6')
  expect(await page.evaluate('document.activeElement.id')).toBe('plain')
  await plain.press('Escape')
  await page.evaluate('scrollTo(0, 0)')
  await shown()
})

it('a library that hides everything beside its own dialog does not make what is shown inert', async () => {
  await stage.show(flow([step('a'), step('b', { type: 'dialog' })]))
  const page = await stage.open(BODY)
  await shown()
  await page.evaluate(`for (const one of document.body.children) { one.inert = true; one.ariaHidden = 'true' }`)
  await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click()
  await expect.poll(reported).toEqual(['step_seen', 'step_seen'])
  expect(await page.evaluate('document.querySelector("button").inert')).toBe(true)
})

it('goes into a modal dialog in a shadow root, also one without the focus, can be used there, and goes back when that closes', async () => {
  await stage.show(flow([step('a'), step('b')]))
  const component = `const root = document.querySelector('x-a').attachShadow({ mode: 'open' })
    root.innerHTML = '<dialog aria-label="Theirs"><button>Inside</button></dialog>'
    window.d = root.firstChild`
  const page = await stage.open(`${BODY}<button data-testid="b">B</button><x-a></x-a>${script(component)}`)
  await shown()
  const isIn = () => page.evaluate('d.querySelector("[data-usher-widget]") !== null')
  await page.evaluate('d.showModal(); d.querySelector("button").blur()')
  await expect.poll(isIn).toBe(true)
  await page.getByRole('button', { name: 'Next' }).click()
  await shown('Step b')
  expect(await isIn()).toBe(true)
  // The focus is in the tooltip, which the user's own click has brought up: F6 goes back to the page and in again.
  const inside = () => page.evaluate('d.querySelector("[data-usher-widget]").shadowRoot.activeElement !== null')
  for (const isInside of [false, true]) {
    await page.keyboard.press('F6')
    expect(await inside()).toBe(isInside)
  }
  await page.evaluate('d.close()')
  await expect.poll(() => page.evaluate('document.querySelector("body > [data-usher-widget]") !== null')).toBe(true)
})

it('of two modal dialogs of the page, the tooltip goes into the one that was opened last', async () => {
  await stage.show(flow([step('a')]))
  const dialogs = '<dialog id="e"><button>E</button></dialog><dialog id="d"><button>D</button></dialog>'
  const page = await stage.open(`${BODY}${dialogs}`)
  await shown()
  await page.evaluate('d.showModal()')
  await expect.poll(() => page.evaluate('d.querySelector("[data-usher-widget]") !== null')).toBe(true)
  await page.evaluate('e.showModal()')
  await expect.poll(() => page.evaluate('e.querySelector("[data-usher-widget]") !== null')).toBe(true)
  await page.getByRole('button', { name: 'Next' }).click({ trial: true })
})

it('a tooltip in a popover of the page can be used without closing it', async () => {
  await stage.show(flow([step('a'), step('b')]))
  const page = await stage.open(
    '<button popovertarget="m">Menu</button><menu id="m" popover><button data-testid="a">A</button><button data-testid="b">B</button></menu>',
  )
  await page.getByRole('button', { name: 'Menu' }).click()
  await shown()
  await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click()
  await shown('Step b')
  expect(await page.evaluate('m.matches(":popover-open")')).toBe(true)
})

it('a tooltip and a launcher of a component in a popover can be used without closing it', async () => {
  const dot = { ...launcher(), id: 'cnt_2' } as never
  await stage.show(flow([step('a'), step('help')]), dot)
  const component = `customElements.define('x-a', class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<button data-testid="a">A</button><br><br><button data-testid="help">Help</button>' }
  })`
  const page = await stage.open(
    `<button popovertarget="m">Menu</button><section id="m" popover><x-a></x-a></section>${script(component)}`,
  )
  await page.getByRole('button', { name: 'Menu' }).click()
  await shown()
  await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click()
  await shown('Step help')
  await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'What is new here' }).click()
  await expect.poll(reported).toContain('activated')
  expect(await page.evaluate('m.matches(":popover-open")')).toBe(true)
})

it('a tooltip without words says what it asks and what its picture shows', async () => {
  const question = { question: 'ease', kind: 'rating' as const, label: [{ text: 'How easy?' }], required: false }
  const image = { image: 'https://images.invalid/a.png', alt: 'A chart' }
  await stage.show(flow([step('a', { blocks: [image, question] as never })]))
  const page = await stage.open(BODY)
  await expect.poll(() => page.getByRole('status').textContent()).toContain('A chart. How easy? Press F6')
})

it('a checklist shows at once that a task is done, and leaves the focus where it is', async () => {
  const complete_when = { element: ['testid=done'] }
  const one = task('one', { complete_when, text: [{ paragraph: [{ text: 'Words' }] }], button: [{ text: 'Go' }] })
  await stage.show(checklist([one, task('two')]))
  const page = await stage.open('<main></main>')
  const done = () => page.getByText('1 of 2 done').waitFor()
  const focused = `document.querySelector('[data-usher-widget]').shadowRoot.activeElement`
  const turn = (html: string) => page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(html)}`)
  await page.getByRole('button', { name: 'Collapse' }).focus()
  await turn('<b data-testid="done">done</b>')
  await done()
  expect(await page.evaluate(`${focused}?.getAttribute('aria-label')`)).toBe('Collapse')
  await stage.show(checklist([one, task('two')]))
  await stage.open('<main></main>')
  await page.getByRole('button', { name: 'Go', exact: true }).focus()
  await turn('<b data-testid="done">done</b>')
  await done()
  expect(await page.evaluate(`${focused}?.dataset.task`)).toBe('one')
})

it('a banner stays where it is while a dialog of ours or of the page covers it', async () => {
  await stage.show({ ...banner(), id: 'c1' }, { ...flow([step('d', { type: 'dialog' })]), id: 'c2' })
  const page = await stage.open('<dialog>Theirs</dialog>')
  const at = () => page.locator('[data-usher-widget].banner').evaluate((one) => one.getBoundingClientRect().top)
  // A look at it is over when what it draws is.
  const looked = async () => {
    await page.evaluate(
      'usher.remount(); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    )
    return await at()
  }
  await page.getByRole('dialog').waitFor()
  expect(await looked()).toBe(8)
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.evaluate(`document.querySelector('dialog').showModal()`)
  expect(await looked()).toBe(8)
})

it('a banner that stood below a fixed header leaves no gap when that is gone', async () => {
  await stage.show(banner())
  const header =
    '<header id="h" style="position:fixed;inset:0 0 auto;height:80px;z-index:2147483647;background:#eee">Header</header>'
  const page = await stage.open(`${header}<main>Text</main>`)
  const top = () =>
    page.evaluate('Math.round(document.querySelector("[data-usher-widget]")?.getBoundingClientRect().top ?? -1)')
  await expect.poll(top).toBe(80)
  await page.evaluate('h.remove()')
  await expect.poll(top).toBeLessThan(20)
})

it('a banner stands below a header that floats, and below one that is under another', async () => {
  const bar = (top: number, height: number) =>
    `<div style="position:fixed;inset:${top}px 0 auto;height:${height}px;z-index:2147483647;background:#eee">Bar</div>`
  for (const [bars, below] of [
    [bar(12, 56), 68],
    [bar(0, 32) + bar(32, 60), 92],
  ] as const) {
    await stage.show(banner())
    const page = await stage.open(`${bars}<main>Text</main>`)
    const top = () =>
      page.evaluate('Math.round(document.querySelector("[data-usher-widget]")?.getBoundingClientRect().top ?? -1)')
    await expect.poll(top).toBe(below)
  }
})

it('an image that is named currentScript does not say where Usher is', async () => {
  await stage.show()
  const image = '<img name="currentScript" src="http://127.0.0.1:9/sdk/usher.js" alt="">'
  const own = `<script src="${stage.usher.url}/sdk/usher.js"></script>`
  const first = stage.page.waitForRequest(
    (request) => request.url().includes('/sdk/core-') && !request.url().includes(stage.usher.url),
  )
  await stage.open(`${image}${BODY}${own}`, { calls: 'delete window.usher' })
  expect(new URL((await first).url()).origin).toBe(new URL(stage.hosts.url).origin)
})

it('messages of something else on its channels throw nothing into the page', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY)
  await shown()
  await expect.poll(() => stage.usher.calls.some(({ name }) => name === 'stream')).toBe(true)
  await page.evaluate(`(async () => {
    const { held } = await navigator.locks.query()
    for (const name of ['usher.turns', ...held.map(({ name }) => name.replace(/ turn$/, ''))])
      for (const junk of [null, 1, {}]) new BroadcastChannel(name).postMessage(junk)
    await new Promise((done) => setTimeout(done, 100))
  })()`)
  expect(stage.problems).toEqual([])
})

it('what the script has loaded leaves no links in the page', async () => {
  const question = { question: 'q', kind: 'rating' as const, label: [{ text: 'Well?' }], required: false }
  const asks = step('q', {
    type: 'dialog',
    blocks: [heading('Q'), question as never],
    buttons: [button('End', { end: 'completed' })],
  })
  await stage.show(flow([asks]))
  const page = await stage.open(BODY)
  const end = page.getByRole('button', { name: 'End', exact: true })
  await end.click()
  await page.evaluate(`usher.start('tour')`)
  await end.click()
  await expect.poll(() => page.evaluate('document.querySelectorAll("link").length')).toBe(0)
})

it('a server that takes the request of the stream and answers nothing is asked again', async () => {
  await stage.show()
  const page = await (await stage.window()).newPage()
  onTestFinished(async () => await page.context().close())
  await page.clock.install()
  let asked = 0
  await page.route('**/sdk/stream', () => {
    asked += 1
  })
  await stage.open(BODY, { page })
  await expect.poll(() => asked).toBe(1)
  await page.clock.fastForward('01:01')
  await page.clock.fastForward('00:10')
  await expect.poll(() => asked).toBe(2)
})
