import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hostPage, IDENTIFIED, type OpenOptions } from '../browser/script-stage.ts'
import { buildScript } from '../support/built.ts'
import { type Box, type Engine, type EngineTab, KEYS } from '../support/engine.ts'
import { launchFirefox } from '../support/firefox.ts'
import { type HostPages, startHostPages } from '../support/host-pages.ts'
import { banner, button, checklist, flow, heading, launcher, step, task } from '../support/rendered.ts'
import { ScriptServer } from '../support/script-server.ts'
import { launchWebKit } from '../support/webkit.ts'

/** The script in other engines than Chromium: what differs between them. All else is tried in Chromium. */
let usher: ScriptServer
let hosts: HostPages
let engine: Engine
let tab: EngineTab
beforeAll(async () => {
  await buildScript()
  usher = new ScriptServer()
  ;[, hosts] = await Promise.all([usher.listen(), startHostPages()])
})
afterAll(async () => {
  await Promise.all([usher.close(), hosts.close()])
})

const NOTE = `
  window.problems = []
  addEventListener('error', ({ message }) => problems.push(message))
  addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => problems.push(violatedDirective + ' ' + blockedURI));
`
const BODY = '<main><button data-testid="a">Export</button> <button data-testid="help">Help</button></main>'

async function open(
  body = BODY,
  { page = tab, path = '/', ...options }: Omit<OpenOptions, 'page'> & { page?: EngineTab } = {},
) {
  const calls = NOTE + (options.calls ?? IDENTIFIED)
  hosts.show({ html: hostPage(usher.url, body, { ...options, calls }), headers: options.headers ?? {} })
  await page.goto(hosts.url + path)
}

const found = (selector: string) =>
  `[...document.querySelectorAll('[data-usher-widget]')].map((host) => host.shadowRoot.querySelector(${JSON.stringify(selector)})).find(Boolean)`
const labelled = (name: string) =>
  `[...document.querySelectorAll('[data-usher-widget]')].flatMap((host) => [...host.shadowRoot.querySelectorAll('button')]).find((one) => (one.ariaLabel ?? one.textContent) === ${JSON.stringify(name)})`
const headings = `[...document.querySelectorAll('[data-usher-widget]')].flatMap((host) => [...host.shadowRoot.querySelectorAll('h3')]).map((one) => one.textContent)`
const shown = (name: string, page = tab) => expect.poll(() => page.evaluate(headings)).toEqual([name])
/** Shows a flow in a second tab, which is in front of the first one. */
async function showInSecondTab(): Promise<EngineTab> {
  usher.clear(flow([step('d', { type: 'dialog', blocks: [heading('Welcome')] })]))
  const second = await engine.newTab()
  await open()
  await open(BODY, { page: second })
  await second.activate()
  await shown('Welcome', second)
  return second
}
const ask = { question: 'score', id: 'score', kind: 'nps', label: [{ text: 'Score' }] } as never
const types = () => usher.reports.map(({ type }) => type)

describe.each([
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
])('in %s', (_name, launch) => {
  beforeAll(async () => {
    engine = await launch()
    tab = await engine.newTab()
  })
  beforeEach(async () => await tab.goto('about:blank'))
  afterAll(async () => await engine.close())

  it('shows a tooltip at its element and a modal question under a strict policy with Trusted Types, by the keyboard alone, and reports them', async () => {
    const send = button('Send', { end: 'completed' })
    usher.clear(flow([step('a'), step('q', { type: 'dialog', blocks: [heading('How?'), ask], buttons: [send] })]))
    // Firefox asks for the icon of a page by its policy.
    const policy = `default-src 'none'; img-src 'self'; script-src ${usher.url} 'nonce-host'; connect-src ${usher.url}; require-trusted-types-for 'script'; trusted-types 'none'`
    await open(BODY, { headers: { 'content-security-policy': policy } })
    await shown('Step a')
    const at = (element: string) => tab.evaluate(`${element}.getBoundingClientRect()`) as Promise<Box>
    await expect
      .poll(async () => (await at(found('.tip'))).top)
      .toBeGreaterThanOrEqual((await at(`document.querySelector('[data-testid=a]')`)).bottom)
    await tab.press(KEYS.F6)
    expect(await tab.evaluate('document.activeElement.hasAttribute("data-usher-widget")')).toBe(true)
    await tab.press(KEYS.F6)
    expect(await tab.evaluate('document.activeElement.hasAttribute("data-usher-widget")')).toBe(false)
    await tab.click(labelled('Next'))
    await shown('How?')
    expect(await tab.evaluate(`${found('dialog')}.matches(':modal')`)).toBe(true)
    await tab.evaluate(`void ${found('[role=radio]')}.focus()`)
    for (let count = 0; count < 3; count++) await tab.press(KEYS.ArrowRight)
    await tab.click(labelled('Send'))
    await expect.poll(types).toEqual(['step_seen', 'step_seen', 'answered', 'completed', 'ended'])
    expect(usher.reports).toContainEqual(expect.objectContaining({ question: 'score', value: 3 }))
    expect(await tab.evaluate('problems')).toEqual([])
    expect(await tab.evaluate('document.querySelectorAll("[style]").length')).toBe(0)
  })

  it('a tooltip and its ring follow their element wherever it goes', async () => {
    usher.clear(flow([step('a')]))
    await open(`<main>${BODY}<p style="height: 3000px"></p></main>`)
    await shown('Step a')
    const distance = async () => {
      const boxes = ['document.querySelector("[data-testid=a]")', found('.tip'), found('.ring')]
      const [target, tip, ring] = (await tab.evaluate(
        `[${boxes.map((one) => `${one}.getBoundingClientRect()`)}]`,
      )) as Box[] as [Box, Box, Box]
      return [Math.round(tip.top - target.bottom), Math.round(ring.top - target.top), Math.round(ring.x - target.x)]
    }
    // It is raised when it appears.
    await expect.poll(() => tab.evaluate(`${found('.tip')}.getAnimations().length`)).toBe(0)
    expect((await distance())[0]).toBeGreaterThan(0)
    const before = await distance()
    for (const change of ['main.style.paddingTop = "150px"', 'scrollTo(0, 60)', 'main.style.paddingTop = "90px"']) {
      await tab.evaluate(`((main) => void (${change}))(document.querySelector('main'))`)
      await expect.poll(distance).toEqual(before)
    }
  })

  it('styles that reach everything and an element of its name do not get in its way', async () => {
    usher.clear(flow([step('a')]))
    const styles =
      '* { all: unset !important } div { display: none !important; --bg: red !important; --x: 900px !important }'
    // What is no part of a head ends it: the script stands behind the element.
    await open(BODY, { head: `<main id="usher"></main><style>${styles}</style>` })
    await shown('Step a')
    expect(await tab.evaluate(`getComputedStyle(${found('.tip')}).backgroundColor`)).toBe('rgb(255, 255, 255)')
    await tab.click(labelled('Next'))
    await expect.poll(types).toEqual(['step_seen', 'completed', 'ended'])
    expect(await tab.evaluate('problems')).toEqual([])
  })

  it('shows a banner, a launcher and a checklist, and follows the address of a single-page application', async () => {
    usher.clear(
      { ...banner(), id: 'b' },
      { ...launcher(), id: 'l' },
      { ...checklist([task('one'), task('two')]), id: 'c' },
      {
        ...flow([step('d', { type: 'dialog', blocks: [heading('There')] })]),
        id: 'f',
        decided: { where: { url: '/there' } },
      } as never,
    )
    await open()
    for (const selector of ['.banner', '.launcher:not(.away)', '.cl'])
      await expect.poll(() => tab.evaluate(`!!(${found(selector)})`)).toBe(true)
    await tab.click(found('[data-task=one]'))
    await expect.poll(types).toContain('task_completed')
    await tab.evaluate('history.pushState(null, "", "/there")')
    await expect.poll(() => tab.evaluate(headings)).toContain('There')
    await tab.press(KEYS.Escape)
    await expect.poll(types).toContain('ended')
    expect(await tab.evaluate('problems')).toEqual([])
  })

  it('the way back leads to the flow at its step, which is told once: this browser keeps no page with an open stream or lock', async () => {
    const dialog = (key: string) => step(key, { type: 'dialog', blocks: [heading(`Step ${key}`)] })
    usher.clear(flow([dialog('a'), dialog('b'), dialog('c')]))
    await open()
    await shown('Step a')
    await tab.click(labelled('Next'))
    await shown('Step b')
    await expect.poll(() => usher.reports.length).toBe(2)
    await tab.goto(`${hosts.url}/next`)
    await shown('Step b')
    await tab.back()
    await expect.poll(() => tab.evaluate('location.pathname')).toBe('/')
    await shown('Step b')
    await tab.click(labelled('Next'))
    await shown('Step c')
    await expect.poll(types).toEqual(['step_seen', 'step_seen', 'step_seen'])
    expect(usher.sessions).toHaveLength(1)
  })

  it('two tabs never show the same flow: the one in front gets it', async () => {
    const other = await showInSecondTab()
    expect(await tab.evaluate(headings)).toEqual([])
    await tab.activate()
    await shown('Welcome')
    await expect.poll(() => other.evaluate(headings)).toEqual([])
    expect(usher.sessions).toHaveLength(1)
  })

  it('a reset in one tab is one in the other: nothing of the user before is shown there, and the next user is one browser', async () => {
    const other = await showInSecondTab()
    await tab.evaluate('void usher.reset()')
    await expect.poll(() => other.evaluate(headings)).toEqual([])
    expect(await other.evaluate('usher.isIdentified()')).toBe(false)
    await tab.evaluate(`void usher.identify('bob')`)
    await other.evaluate(`void usher.identify('bob')`)
    const browsers = () => usher.calls.flatMap(({ name, body }) => (name === 'identify' ? [body.browser_id] : []))
    await expect.poll(() => browsers().length).toBe(4)
    const [one, two, three, four] = browsers()
    expect([one === two, two === three, three === four]).toEqual([true, false, true])
    await tab.activate()
  })

  it('Escape is left to a field and to an open popover of the page, and closes the tooltip elsewhere', async () => {
    usher.clear(flow([step('a')]))
    await open(`${BODY}<input id="field"><div id="pop" popover>Popover</div>`)
    await shown('Step a')
    await tab.evaluate('field.focus()')
    await tab.press(KEYS.Escape)
    await tab.evaluate('void (field.blur(), pop.showPopover())')
    await tab.press(KEYS.Escape)
    await expect.poll(() => tab.evaluate('pop.matches(":popover-open")')).toBe(false)
    expect(await tab.evaluate(headings)).toEqual(['Step a'])
    await tab.press(KEYS.Escape)
    await expect.poll(types).toEqual(['step_seen', 'ended'])
  })
})
