import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import { buildScript } from '../support/built.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { type HostPages, startHostPages } from '../support/host-pages.ts'
import { openChromium } from '../support/open-chromium.ts'
import { openPublicSide } from '../support/page.ts'
import { reactScript } from '../support/react-page.ts'
import { hostPage } from './script-stage.ts'
import { watch } from './stage.ts'

/** Edit mode in pages of ours on another origin, with the real server. One tab for all. */
let server: TestServer
let hosts: HostPages
let token: string
let member: Browser
let chromium: Awaited<ReturnType<typeof openChromium>>
let page: Page
let problems: string[]
let at: { environment: string; content_id: string }
beforeAll(async () => {
  await buildScript()
  ;[server, hosts, chromium] = await Promise.all([startTestServer(), startHostPages(), openChromium()])
  ;({ token } = await openPublicSide(server.services, server.environmentId))
  member = await memberOf(server, 'member')
  const { id } = await member.call('createContent', { environment: 'production', document })
  at = { environment: 'production', content_id: id }
  const context = await chromium.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  page = await context.newPage()
  problems = watch(page)
})
afterAll(async () => {
  await chromium.close()
  await Promise.all([server.close(), hosts.close()])
})

const document = {
  key: 'tour',
  type: 'flow',
  name: 'Tour',
  steps: [
    {
      key: 'export',
      type: 'tooltip',
      target: { locators: ['testid=export'] },
      blocks: [{ heading: 'Share your work' }, { text: 'Hi {{ user.name | there }}.' }],
      buttons: [{ label: 'On', do: [{ set: 'toured', value: true }, { track: 'toured' }, { next: true }] }],
    },
    {
      key: 'end',
      type: 'dialog',
      blocks: [{ heading: 'That is all' }],
      buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
    },
  ],
} as ContentDocument

const bar = () => page.getByRole('dialog', { name: 'Usher' })
const PLAIN = `<main id="content"><h1>Reports</h1>
<button data-testid="export"><svg width="12" height="12"><rect width="12" height="12"/></svg> Export</button>
<ul><li><button>Open</button></li><li><button>Open</button></li></ul><iframe title="help" srcdoc="<p>Help</p>" width="90" height="40"></iframe></main>
<script>window.clicks = 0; window.seen = []; addEventListener('click', () => window.clicks++)
document.querySelector('button').addEventListener('click', () => window.clicks++)</script>`

async function open(
  body: string,
  purpose: 'pick' | 'preview',
  calls = '',
  step = 'export',
  headers: Record<string, string> = {},
): Promise<{ id: string; url: string }> {
  const own = `usher.init(${JSON.stringify(token)}); usher.identify('ada'); ${calls}`
  hosts.show({ html: hostPage(server.url, body, { calls: own }), headers })
  const address = `${hosts.url}/projects/7`
  const opened = await member.call('openInPlace', { ...at, address, purpose, step })
  problems.length = 0
  // A change of the fragment alone would load nothing.
  await page.goto('about:blank')
  await page.goto(opened.url)
  await bar().waitFor()
  return opened
}

const proposalsOf = async (id: string) => (await member.call('getInPlace', { ...at, edit_id: id })).proposals
const offered = async (id: string) => {
  await page.getByText('The element is offered').waitFor()
  const [proposal] = await proposalsOf(id)
  return proposal?.locators.map(({ locator, stability }) => `${stability} ${locator}`)
}
const middle = async (selector: string): Promise<[x: number, y: number]> => {
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`${selector} has no box`)
  return [box.x + box.width / 2, box.y + box.height / 2]
}
const point = async (selector: string) => {
  const at = await middle(selector)
  await page.mouse.move(...at)
  await page.mouse.click(...at)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const violations = async () => {
  await page.evaluate(axe)
  return await page.evaluate(
    `axe.run({ include: [['[data-usher-widget]']] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => html + failureSummary)]))`,
  )
}

it('a plain page: the token leaves the address, an element is picked, tried again after a reload and offered', async () => {
  const { id, url } = await open(PLAIN, 'pick')
  expect(url).toContain('#usher-edit=')
  expect(await page.evaluate('location.href')).toBe(`${hosts.url}/projects/7`)
  expect(await page.evaluate('JSON.stringify([history.state, document.referrer])')).toBe('[null,""]')
  await page.getByText('Step 1, Share your work').waitFor()
  await point('button svg')
  expect(await page.evaluate('clicks')).toBe(0)
  await expect.poll(() => bar().textContent()).toContain('Stable: test id')
  expect(await page.getByRole('textbox', { name: 'Selector' }).inputValue()).toBe('testid=export')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => page.getByRole('textbox', { name: 'Selector' }).inputValue()).toBe('css=#content')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('button', { name: 'Use this element' }).click()
  expect(await offered(id)).toEqual([
    'stable testid=export',
    'fair role=button[name="Export"]',
    'fair text="Export"',
    'weak css=#content > button',
  ])
  expect((await proposalsOf(id))[0]?.page).toBe(`${hosts.url}/projects/7`)
  expect(problems).toEqual([])
})

it('what finds several is left out and said; a written selector counts; Shift lets the page react; Escape cancels', async () => {
  const { id } = await open(PLAIN, 'pick')
  await point('li button')
  await expect.poll(() => bar().textContent()).toContain('fair; 2 match, so it is left out')
  await page.getByRole('textbox', { name: 'Selector' }).fill('css=li button')
  await expect.poll(() => bar().textContent()).toContain('2 elements, exactly one is needed')
  await page.getByRole('textbox', { name: 'Selector' }).fill('css=li:first-child button')
  await expect.poll(() => bar().textContent()).toContain('1 element')
  await point('iframe')
  await expect.poll(() => bar().textContent()).toContain('This is a frame.')
  await page.keyboard.down('Shift')
  await point('h1')
  await page.keyboard.up('Shift')
  expect(await page.evaluate('clicks')).toBe(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await bar().waitFor({ state: 'detached' })
  await expect.poll(async () => (await member.call('getInPlace', { ...at, edit_id: id })).state).toBe('ended')
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

it('generated class names and ids are left out, and what the page says about its attributes counts', async () => {
  const body = `<div class="sc-bdVaJa css-1q2w3e4" id=":r1:"><div class="Toolbar_root__3xK9a toolbar">
    <button class="css-9x8y7z Button_primary__aBcDe save" id="ember1042" data-part="save"><span class="sc-aXZVg">Save</span></button>
    <button class="css-9x8y7z save">Save</button></div></div>`
  const { id } = await open(body, 'pick', `usher.setInferenceAttributeNames(['data-part'])`)
  await point('button')
  await page.keyboard.press('Enter')
  const found = await offered(id)
  expect(found).toEqual([
    'stable css=[data-part="save"]',
    expect.stringMatching(/^weak css=body > div.*button:nth-of-type\(1\)$/),
  ])
  expect(JSON.stringify(found)).not.toMatch(/ember|css-|sc-|__/)
})

it('the filters of the page decide which ids and class names count', async () => {
  const body = `<button id="other" class="x real-save">Save</button><button id="keep-9182">Go</button>`
  const filters = `usher.setInferenceAttributeFilter('id', /^keep-/); usher.setInferenceClassNameFilter([(name) => name.startsWith('real-')])`
  const { id } = await open(body, 'pick', filters)
  await point('button')
  await page.keyboard.press('Enter')
  const found = await offered(id)
  expect(found).toContain('weak css=button.real-save')
  expect(JSON.stringify(found)).not.toContain('other')
  await page.getByRole('button', { name: 'Pick another' }).click()
  await point('button:nth-of-type(2)')
  await expect.poll(() => page.getByRole('textbox', { name: 'Selector' }).inputValue()).toBe('css=#keep-9182')
})

it('the picker is as drawn: outline, name and size, locators best first with matches and stability, keys; axe finds nothing', async () => {
  await open(PLAIN, 'pick')
  await point('[data-testid=export]')
  await page.getByRole('group', { name: 'Tried in this order' }).waitFor()
  const looks = await page.evaluate(`(() => {
    const root = document.querySelector('[data-usher-widget]').shadowRoot
    const box = document.querySelector('[data-testid=export]').getBoundingClientRect()
    const mark = root.querySelector('rect.on')
    const bar = root.querySelector('.bar').getBoundingClientRect()
    const { stroke, strokeWidth, fill } = getComputedStyle(mark)
    return {
      outside: [box.left - mark.x.baseVal.value, box.top - mark.y.baseVal.value],
      outline: [stroke, strokeWidth, fill],
      isNamed: root.querySelector('.name').textContent === 'export' + Math.round(box.width) + ' × ' + Math.round(box.height),
      bar: [Math.round(bar.width), Math.round(innerHeight - bar.bottom)],
      rows: [...root.querySelectorAll('.alts li')].map((row) => row.innerText),
      keys: [...root.querySelectorAll('kbd')].map((key) => key.textContent),
    }
  })()`)
  expect(looks).toEqual({
    outside: [3, 3],
    outline: ['rgb(63, 95, 230)', '2px', 'rgba(63, 95, 230, 0.1)'],
    isNamed: true,
    bar: [912, 28],
    rows: [
      'Test id\nstable; 1 match',
      'Role and name “Export”\nfair; changes with the language; 1 match',
      'Text “Export”\nfair; changes with the language; 1 match',
      'Position\nweak; 1 match',
    ],
    keys: ['↑', '↓'],
  })
  expect(await bar().textContent()).toContain('1 elementStable: test idfound on this page')
  expect(await violations()).toEqual([])
  await page.setViewportSize({ width: 375, height: 760 })
  expect(await violations()).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(PLAIN, 'preview')
  await page.getByRole('dialog', { name: 'Share your work' }).waitFor()
  expect(await violations()).toEqual([])
})

it('a page that is cut off from its opener offers an element, and says that a frame of another site cannot be reached', async () => {
  const other = hosts.url.replace('localhost', '127.0.0.1')
  const frame = `<iframe title="other" src="${other}/frame" width="200" height="80"></iframe>`
  const { id } = await open(frame + PLAIN, 'pick', '', 'export', { 'cross-origin-opener-policy': 'same-origin' })
  await point('iframe')
  await expect.poll(() => bar().textContent()).toContain('belongs to another site and cannot be reached')
  await point('[data-testid=export]')
  await page.keyboard.press('Enter')
  expect((await offered(id))?.[0]).toBe('stable testid=export')
})

it('web components: an element in open shadow roots is picked, and found again', async () => {
  const body = `<app-shell></app-shell><script>
    customElements.define('app-menu', class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button name="share">Share</button>' } })
    customElements.define('app-shell', class extends HTMLElement {
      connectedCallback() { setTimeout(() => { this.attachShadow({ mode: 'open' }).innerHTML = '<section><app-menu></app-menu></section>' }, 300) } })
  </script>`
  const { id } = await open(body, 'pick')
  await point('app-menu button')
  await expect.poll(() => bar().textContent()).toContain('shadow root')
  await page.keyboard.press('Enter')
  expect(await offered(id)).toEqual([
    'stable css=button[name="share"]',
    'fair role=button[name="Share"]',
    'fair text="Share"',
    'weak css=button',
  ])
})

it('a preview is marked and leads through the draft, and nothing of it is claimed, tracked or set', async () => {
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/sdk/') && calls.push(new URL(request.url()).pathname))
  await open(PLAIN, 'preview')
  await page.getByText('Preview: Tour, step 1 of 2').waitFor()
  const tip = page.getByRole('dialog', { name: 'Share your work' })
  await tip.waitFor()
  expect(await tip.textContent()).toContain('Hi there')
  await page.getByRole('button', { name: 'On', exact: true }).click()
  await page.getByRole('dialog', { name: 'That is all' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Not done in a preview: end.').waitFor()
  await page.reload()
  await page.getByText('Preview: Tour, step 2 of 2').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await tip.waitFor()
  const { draft } = await member.call('getContent', at)
  const changed = JSON.parse(JSON.stringify(draft.document).replace('testid=export', 'testid=gone')) as ContentDocument
  await member.call('saveDraft', { ...at, document: changed, expected_draft: draft.revision })
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText('No element of this page matches.').waitFor()
  await page.getByRole('button', { name: 'End preview' }).click()
  await bar().waitFor({ state: 'detached' })
  const made = new Set(calls.filter((path) => !path.endsWith('.js')))
  for (const call of ['claim', 'start', 'progress', 'track', 'update']) expect(made).not.toContain(`/sdk/${call}`)
  expect((await server.client.get('/events')).body.data).toEqual([])
  expect((await server.client.get('/users/ada')).body.attributes).not.toHaveProperty('toured')
  expect(problems).toEqual([])
})

/** Each call draws the button anew, with another generated class name. */
const REACT = `<div id="root"></div>${reactScript()}<script>
  const root = ReactDOM.createRoot(document.getElementById('root'))
  let count = 0
  window.again = () => {
    count += 1
    const button = React.createElement('button', { key: count, 'data-testid': 'export', className: 'css-' + count + 'x9' }, 'Export')
    root.render(React.createElement('main', {}, React.createElement('h1', {}, 'Drawn ' + count), button))
    return new Promise((resolve) => setTimeout(resolve))
  }
  again()
</script>`

it('a React page that draws the element anew under the picker: the choice stays, is outlined where it is now, and is offered', async () => {
  const { id } = await open(REACT, 'pick')
  await point('[data-testid=export]')
  await expect.poll(() => bar().textContent()).toContain('Stable: test id')
  const old = await page.locator('[data-testid=export]').elementHandle()
  await page.evaluate(`(async () => { for (let n = 0; n < 20; n++) await again() })()`)
  expect(await old?.evaluate((element) => (element as { isConnected?: boolean }).isConnected)).toBe(false)
  // It has moved, too.
  await page.evaluate(`document.querySelector('h1').before(document.createElement('hr'))`)
  const outline = `document.querySelector('[data-usher-widget]').shadowRoot.querySelector('rect.on').getBoundingClientRect()`
  const width = (await page.locator('[data-testid=export]').boundingBox())?.width ?? 0
  await expect.poll(() => page.evaluate(`Math.round(${outline}.width)`)).toBe(Math.round(width + 6))
  await page.keyboard.press('Enter')
  expect(await offered(id)).toEqual([
    'stable testid=export',
    'fair role=button[name="Export"]',
    'fair text="Export"',
    'weak css=#root > main > button',
  ])
})

it('a finger: a tap chooses, one that stays down chooses too, and the page notices neither', async () => {
  const mouse = page
  const context = await chromium.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
  page = await context.newPage()
  onTestFinished(async () => {
    await context.close()
    page = mouse
  })
  const { id } = await open(`${PLAIN}<script>addEventListener('contextmenu', () => window.clicks++)</script>`, 'pick')
  await page.touchscreen.tap(...(await middle('[data-testid=export]')))
  await expect.poll(() => page.getByRole('textbox', { name: 'Selector' }).inputValue()).toBe('testid=export')
  const session = await context.newCDPSession(page)
  const [x, y] = await middle('li button')
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  // Longer than a tap. On a slow machine it is longer still.
  await sleep(1_000)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect.poll(() => bar().textContent()).toContain('2 match, so it is left out')
  await page.touchscreen.tap(...(await middle('[data-testid=export]')))
  expect(await page.evaluate('clicks')).toBe(0)
  await page.getByRole('button', { name: 'Use this element' }).tap()
  expect((await offered(id))?.[0]).toBe('stable testid=export')
})

it('a page of 10,000 rows: each move of the pointer looks at a bounded number of them, and says so', async () => {
  const rows = `<table>${'<tr><td><button class="row">Open</button></td></tr>'.repeat(10_000)}</table>`
  await open(rows, 'pick')
  await page.evaluate(`
    window.measured = 0
    const own = Element.prototype.getBoundingClientRect
    Element.prototype.getBoundingClientRect = function () { window.measured += 1; return own.call(this) }`)
  await point('tr:nth-child(3) button')
  await expect.poll(() => bar().textContent()).toContain('100 or more match, so it is left out')
  // The moves alone: it also looks twice a second, however long they take.
  await page.evaluate('for (let id = 0; id < 10_000; id++) clearInterval(id); measured = 0')
  const [x, y] = await middle('tr:nth-child(3) button')
  await page.keyboard.press('Escape')
  for (let row = 1; row <= 10; row++) await page.mouse.move(x, y + row)
  // Some ways to find it, each with a hundred matches, for each of the moves.
  const measured = (await page.evaluate('measured')) as number
  expect(measured).toBeGreaterThan(100)
  expect(measured).toBeLessThan(10_000)
})

it('a tab that picks shows no published flow, and shows it when the picker has ended', async () => {
  const buttons = [{ label: 'Done', do: [{ end: 'completed' }] }]
  const steps = [{ key: 'live', type: 'dialog', blocks: [{ heading: 'Live' }], buttons }]
  const { body } = await server.client.post('/content', { key: 'live', name: 'Live', type: 'flow', steps })
  expect((await server.client.post(`/content/${body.id}/publish`, {})).body.error).toBeUndefined()
  onTestFinished(async () => void (await server.client.post(`/content/${body.id}/unpublish`, {})))
  await open(PLAIN, 'pick')
  expect(await page.evaluate(`usher.identify('ada')`)).toEqual({ ok: true })
  await point('[data-testid=export]')
  expect(await page.getByRole('dialog', { name: 'Live' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Live' }).waitFor()
})

it('messages, events and clicks that a page makes itself choose nothing and offer nothing', async () => {
  const { id } = await open(PLAIN, 'pick')
  await page.evaluate(`
    for (const data of [{ usher: 'use' }, { usher: 'show', content: {} }, 'usher-edit=x']) postMessage(data, '*')
    document.querySelector('button').click()
    for (const key of ['ArrowUp', 'Enter']) dispatchEvent(new KeyboardEvent('keydown', { key }))
    for (const button of document.querySelector('[data-usher-widget]').shadowRoot.querySelectorAll('button')) { button.disabled = false; button.click() }
    location.hash = 'usher-edit=forged'`)
  expect(await bar().isVisible()).toBe(true)
  expect(await proposalsOf(id)).toEqual([])
  // The page's own click reached the page.
  expect(await page.evaluate('clicks')).toBe(2)
})

it('a token that was used says so, and the page is an ordinary one after that', async () => {
  const { url } = await open(PLAIN, 'pick')
  await page.evaluate('sessionStorage.clear()')
  await page.goto('about:blank')
  await page.goto(url)
  await page.getByText('This tab cannot edit').waitFor()
  expect(await bar().textContent()).toContain('Open the page again from the editor.')
  expect(await page.evaluate('location.hash')).toBe('')
  await bar().getByRole('button', { name: 'Close' }).click()
  await bar().waitFor({ state: 'detached' })
})
