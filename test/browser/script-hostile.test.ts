import { afterAll, beforeAll, expect, it } from 'vitest'
import { button, checklist, flow, heading, step, target, task } from '../support/rendered.ts'
import { IDENTIFIED, openScriptStage, type ScriptStage } from './script-stage.ts'

/** Pages whose styles, scripts and names get in the way. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY = '<h1>Host</h1><button data-testid="a">A</button>'
const script = (code: string) => `<script nonce="host">${code}</script>`
const shown = (name = 'Step a') => stage.page.getByRole('dialog', { name }).waitFor()
const looks = () =>
  stage.page.evaluate(`(() => {
    const tip = document.querySelector('[data-usher-widget]').shadowRoot.querySelector('.tip')
    const { width, height, left, right, top } = tip.getBoundingClientRect()
    const target = document.querySelector('[data-testid=a]').getBoundingClientRect()
    const isAtTarget = left <= target.right && right >= target.left && top > target.bottom && top < target.bottom + 20
    const { backgroundColor, color, opacity, visibility, fontSize, borderRadius, animationName, boxShadow } = getComputedStyle(tip)
    const { zIndex, position } = getComputedStyle(tip.getRootNode().host)
    return { size: [width, height].map(Math.round), isAtTarget, backgroundColor, color, opacity, visibility, fontSize, borderRadius, animationName, boxShadow, zIndex, position }
  })()`)

it('styles of a page do not reach a tooltip: it looks as on a page without any, and its buttons can be clicked', async () => {
  await stage.show(flow([step('a')]))
  await stage.open(BODY)
  await shown()
  await expect.poll(looks).toMatchObject({ isAtTarget: true })
  const plain = await looks()
  const attacks = [
    '* { all: unset !important }',
    'div { display: none !important }',
    '[data-usher-widget], [popover] { display: none !important; opacity: 0 !important; visibility: hidden !important; position: static !important; transform: scale(0) !important; animation: none 9s !important }',
    'div { --bg: red !important; --text: red !important; --accent: red; --r: 0 !important; --shadow: none !important; --x: 900px !important; --mh: 1px !important; --z: -1 !important; --font: cursive !important }',
  ]
  for (const attack of attacks) {
    await stage.show(flow([step('a')]))
    const page = await stage.open(BODY, { head: `<style>${attack}</style>` })
    await shown()
    await expect.poll(looks, { message: attack }).toEqual(plain)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => stage.usher.reports.at(-1)?.type).toBe('ended')
  }
})

it('a page that has an usher of its own keeps it as it is', async () => {
  await stage.show(flow([step('a')]))
  const warned: string[] = []
  stage.page.on('console', (message) => message.type() === 'warning' && warned.push(message.text()))
  const own = 'window.usher = { start: () => "own", seats: 4 }'
  const page = await stage.open(BODY, { head: script(own), calls: '' })
  // By now the script would have loaded.
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate('[Object.keys(usher), usher.start()]')).toEqual([['start', 'seats'], 'own'])
  expect(warned).toEqual(['usher: the page has another one'])
  expect(stage.problems).toEqual([])
})

it('what is typed, copied and pasted in a question does not reach the handlers of the page', async () => {
  const question = { question: 'why', id: 'why', kind: 'text', label: [{ text: 'Why?' }] }
  await stage.show(flow([step('a', { blocks: [heading('Step a'), question as never] })]))
  const events = ['keydown', 'beforeinput', 'input', 'copy', 'cut', 'paste', 'click', 'dblclick']
  const page = await stage.open(BODY, {
    calls: `window.heard = []; for (const name of ${JSON.stringify(events)}) addEventListener(name, () => heard.push(name)); ${IDENTIFIED}`,
  })
  const field = page.getByRole('textbox', { name: 'Why?' })
  await field.dblclick()
  await page.keyboard.type('ab')
  for (const key of ['A', 'C', 'X', 'V', 'V']) await page.keyboard.press(`Control+${key}`)
  expect(await field.inputValue()).toBe('abab')
  expect(await page.evaluate('heard')).toEqual([])
})

it('a page that removes what is shown at once gets it back a few times, then later and later, and for good when it stops', async () => {
  const list = { ...checklist([task('one')]), id: 'c2' }
  await stage.show(flow([step('a')]), list)
  const page = await stage.open(
    BODY +
      script(`
    window.inserted = []
    window.remover = new MutationObserver((changes) => {
      for (const one of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (one instanceof Element && one.hasAttribute('data-usher-widget')) { inserted.push(performance.now()); one.remove() }
    })
    remover.observe(document.body, { childList: true })
    window.again = setInterval(() => { for (const one of document.querySelectorAll('[data-usher-widget]')) one.remove() }, 10)`),
  )
  await page.waitForFunction('inserted.length > 3 && performance.now() - inserted.at(-1) > 2500')
  expect(await page.evaluate('inserted.length')).toBeLessThan(20)
  await page.evaluate('remover.disconnect(); clearInterval(again)')
  await shown()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect
    .poll(() => stage.usher.sessions.find(({ content }) => content.type === 'flow')?.reports.map(({ type }) => type))
    .toEqual(['step_seen', 'completed', 'ended'])
  expect(stage.problems).toEqual([])
})

it.each([
  [
    'a Promise of an old library',
    // As libraries before 2018 have it: without `finally`, and resolved by a timer.
    `window.Promise = class Own {
      constructor(run) { this.rest = []; const end = (kind) => (value) => setTimeout(() => { this.kind ??= kind; this.value = value; for (const one of this.rest.splice(0)) one() }); run(end('ok'), end('bad')) }
      then(ok, bad) { return new Own((resolve, reject) => { const go = () => { try { const turn = this.kind === 'ok' ? ok : bad; if (!turn) return this.kind === 'ok' ? resolve(this.value) : reject(this.value); const next = turn(this.value); next && next.then ? next.then(resolve, reject) : resolve(next) } catch (error) { reject(error) } }; this.kind ? setTimeout(go) : this.rest.push(go) }) }
      catch(bad) { return this.then(undefined, bad) }
      static resolve(value) { return value instanceof Own ? value : value && value.then ? new Own((ok, bad) => value.then(ok, bad)) : new Own((ok) => ok(value)) }
      static race(all) { return new Own((ok, bad) => { for (const one of all) Own.resolve(one).then(ok, bad) }) }
    }`,
  ],
  [
    'prototypes with more to list, and a map of its own',
    `Array.prototype.each = function (run) { for (const one of this) run(one) }
     Object.prototype.extend = function () {}
     Function.prototype.bindAsEventListener = function () {}
     Array.prototype.map = function (run, self) { const made = []; for (let i = 0; i < this.length; i++) made[i] = run.call(self, this[i], i, this); return made }`,
  ],
  [
    'lists of an old library',
    `Array.from = function (given) { if (!given) return []; let { length = 0 } = given; const made = new Array(length); while (length--) made[length] = given[length]; return made }
     Array.prototype.entries = function () { return [...this] }
     HTMLElement.prototype.remove = function () { this.parentNode.removeChild(this); return this }`,
  ],
  [
    'toJSON on every prototype',
    `Object.prototype.toJSON = function () { return 'an object' }
     Array.prototype.toJSON = function () { return '[' + this.join() + ']' }
     String.prototype.toJSON = Number.prototype.toJSON = Boolean.prototype.toJSON = function () { return 'a value' }
     Date.prototype.toJSON = function () { return '"a date"' }`,
  ],
  [
    'a JSON.stringify that writes more than one line',
    `const own = JSON.stringify; JSON.stringify = (value, replacer, space) => own(value, replacer, space ?? 2)`,
  ],
])('a page with %s sees its flow, and calls arrive as they were made', async (_name, code) => {
  const score = { question: 'q', id: 'q', kind: 'nps', label: [{ text: 'How likely?' }] }
  await stage.show(
    flow([step('a', { blocks: [heading('Step a'), score as never] }), step('b', { target: target('a') })]),
  )
  const page = await stage.open(BODY, {
    head: script(code),
    calls: `usher.init('pk_test'); usher.identify('ada', { plan: 'growth', since: new Date(0), seats: { add: 2 } })`,
  })
  await shown()
  await page.getByRole('img', { name: 'Step 1 of 2' }).locator('i').nth(1).waitFor()
  await page.getByRole('radio', { name: '7' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await shown('Step b')
  await page.evaluate('document.querySelector("[data-usher-widget]").remove()')
  await shown('Step b')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect
    .poll(() => stage.usher.reports.map(({ type }) => type))
    .toEqual(['step_seen', 'answered', 'step_seen', 'completed', 'ended'])
  expect(await page.evaluate(`(async () => [await usher.track('done', { n: 1 })])().then(([{ ok }]) => ok)`)).toBe(true)
  const bodies = (name: string) => stage.usher.calls.filter((call) => call.name === name).map(({ body }) => body)
  expect(bodies('identify')).toMatchObject([
    { user_id: 'ada', attributes: { plan: 'growth', since: '1970-01-01T00:00:00.000Z', seats: { add: 2 } } },
  ])
  expect(bodies('track')).toMatchObject([{ name: 'done', attributes: { n: 1 } }])
  expect(stage.problems).toEqual([])
})

it('on a page with toJSON on every prototype, answers that change are told, and clicks are told apart', async () => {
  const choice = {
    question: 'c',
    id: 'c',
    kind: 'choice',
    label: [{ text: 'Ask' }],
    options: ['x', 'y'],
    multiple: true,
  }
  const clicked = (id: string) => ({ element: [`testid=${id}`], is: 'clicked' as const })
  const advance = ['a', 'b'].map((id) => ({ on: 'condition' as const, condition: clicked(id), to: id, end: null }))
  await stage.show(
    flow([
      step('q', { type: 'dialog', blocks: [heading('Ask'), choice as never] }),
      step('p', { type: 'dialog', buttons: [button('Back', { previous: true }), button('On', { next: true })] }),
      step('c', { target: target('c'), advance }),
      step('a'),
      step('b'),
    ]),
  )
  const buttons = ['a', 'b', 'c'].map((id) => `<button data-testid="${id}">${id}</button><br>`).join('')
  const head = script(`Array.prototype.toJSON = Object.prototype.toJSON = function () { return 'theirs' }`)
  const page = await stage.open(buttons, { head })
  await page.getByRole('checkbox', { name: 'x' }).check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('checkbox', { name: 'y' }).check()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect
    .poll(() => stage.usher.reports.flatMap((report) => (report.type === 'answered' ? [report.value] : [])))
    .toEqual([['x'], ['x', 'y']])
  await page.getByRole('button', { name: 'On' }).click()
  await shown('Step c')
  await page.getByRole('button', { name: 'b', exact: true }).click()
  await shown('Step b')
})

it('a question whose key every object has as a property is not answered before somebody answers it', async () => {
  const label = [{ text: 'Where from?' }]
  const given = { question: 'constructor', id: 'c', kind: 'choice', options: ['A friend'], other: 'Elsewhere', label }
  await stage.show(flow([step('q', { type: 'dialog', blocks: [heading('Ask'), given as never] })]))
  const page = await stage.open(BODY)
  expect(await page.getByRole('textbox', { name: 'Elsewhere' }).inputValue()).toBe('')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen', 'completed', 'ended'])
})

it('a page whose own functions throw in ours gets no error of ours, and all calls are answered', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY, {
    head: script(`window.thrown = []
      addEventListener('error', ({ message }) => thrown.push(message))
      addEventListener('unhandledrejection', ({ reason }) => thrown.push(String(reason)))`),
  })
  await shown()
  const ok = await page.evaluate(`(async () => {
    const { map, filter, flatMap } = Array.prototype
    Object.assign(Array.prototype, { map() { throw new Error('map') }, flatMap() { throw new Error('flatMap') }, filter() { throw new Error('filter') } })
    document.body.append('changed')
    document.querySelector('[data-testid=a]').click()
    history.pushState({}, '', '/other')
    const answers = [await usher.track('x'), await usher.group('g'), await usher.start('tour'), await usher.endAll()]
    await new Promise((done) => setTimeout(done, 1500))
    Object.assign(Array.prototype, { map, filter, flatMap })
    return answers.map(({ ok }) => typeof ok)
  })()`)
  expect(ok).toEqual(['boolean', 'boolean', 'boolean', 'boolean'])
  expect(await page.evaluate('thrown')).toEqual([])
  expect(stage.problems).toEqual([])
})

it.each([
  ['with locks', ''],
  ['without locks', `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`],
])('in a page %s, what others send on the channels of the tabs is no error of ours', async (_name, code) => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY, {
    head: script(`${code}
      window.channels = []
      window.BroadcastChannel = class extends BroadcastChannel {
        constructor(name) { super(name); channels.push(name) }
      }`),
  })
  await shown()
  await page.evaluate(`(async () => {
    for (const name of [...new Set(channels)]) {
      const other = new BroadcastChannel(name)
      // A copy of such an object can be made neither a text nor a number.
      const odd = { toString: 1, valueOf: 1 }
      for (const data of [null, 1, 'x', [], odd, { asks: odd }, { asks: 'x', takes: odd }, { type: odd }, { type: 'x', within_ms: odd }])
        other.postMessage(data)
    }
    await new Promise((done) => setTimeout(done, 500))
  })()`)
  await shown()
  expect(stage.problems).toEqual([])
})

it.each([
  ['an element with the id', '<main id="usher"></main>'],
  ['two elements with the id', '<main id="usher"></main><p id="usher"></p>'],
  ['a form of the name', '<form name="usher"><input name="_q"><input name="identify"></form>'],
  ['a frame of the name', '<iframe name="usher" src="about:blank" title="x"></iframe>'],
])('%s usher is not taken for the object of the script', async (_name, body) => {
  await stage.show(flow([step('a')]))
  // The script stands behind the element, whose name is a property of the window by then.
  const page = await stage.open(
    `${BODY}${body}<script src="${stage.usher.url}/sdk/usher.js"></script>${script(IDENTIFIED)}`,
    { calls: 'delete window.usher' },
  )
  await shown()
  expect(await page.evaluate('Object.hasOwn(window, "usher")')).toBe(true)
  expect(await page.evaluate(`(async () => (await usher.track('x')).ok)()`)).toBe(true)
  expect(stage.problems).toEqual([])
})

it.each([
  ['a frame of an origin of its own', 'sandbox allow-scripts', ''],
  [
    'a browser that lets a page store nothing',
    '',
    `const deny = () => { throw new DOMException('Denied', 'SecurityError') }
     for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: deny })
     LockManager.prototype.request = async () => deny()
     window.BroadcastChannel = class { constructor() { deny() } }`,
  ],
])(
  'in %s, which has neither storage nor locks, a flow is shown, and nothing is thrown',
  async (_name, policy, code) => {
    await stage.show(flow([step('a')]))
    const page = await stage.open(BODY, { head: script(code), headers: { 'content-security-policy': policy } })
    await shown()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen', 'completed', 'ended'])
    expect(stage.problems).toEqual([])
  },
)

it('a frame that nobody sees, as those that renew a sign-in, shows nothing and leaves it to the page', async () => {
  await stage.show(flow([step('a', { type: 'dialog' })]))
  const frame = `if (top === window) document.body.insertAdjacentHTML('beforeend', '<iframe src="/frame" style="display:none"></iframe>')`
  // The page itself is later.
  const page = await stage.open(BODY + script(frame), { calls: `if (top !== window) { ${IDENTIFIED} }` })
  await expect.poll(() => stage.usher.calls.some(({ name }) => name === 'identify')).toBe(true)
  await page.evaluate(`new Promise((done) => setTimeout(done, 300))`)
  await page.evaluate(IDENTIFIED)
  await shown()
  expect(stage.usher.sessions).toHaveLength(1)
})

it('a page that freezes everything is served by one script: calls before and after it has loaded arrive', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY, {
    head: script(`
      const all = [Object, Array, Function, Promise, String, Number, Boolean, Date, RegExp, Error, Map, Set, WeakMap, Symbol, URL, Headers, Request, Response, AbortController, Element, HTMLElement, Node, Document, ShadowRoot, CSSStyleSheet, CSSStyleDeclaration, EventTarget, Event, MutationObserver, History, Storage]
      for (const one of all) { Object.freeze(one.prototype); Object.freeze(one) }
      for (const one of [JSON, Math, Reflect, Intl]) Object.freeze(one)`),
  })
  await shown()
  expect(await page.evaluate(`(async () => (await usher.track('x')).ok)()`)).toBe(true)
  expect(stage.usher.calls.map(({ name }) => name)).toContain('track')
  expect(await page.evaluate('usher.isIdentified()')).toBe(true)
  // A snippet of the page may hold the queue itself.
  await page.evaluate(`usher._q.push(['track', ['late']])`)
  await expect.poll(() => stage.usher.calls.at(-1)?.body).toMatchObject({ name: 'late' })
  expect(stage.problems).toEqual([])
})
