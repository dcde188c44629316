import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { VERSION } from '../../server/version.ts'
import { banner, button, checklist, flow, heading, step, target, task, text } from '../support/rendered.ts'
import { IDENTIFIED, openScriptStage, type ScriptStage } from './script-stage.ts'

/** Every method does what it says, and every setting of the page counts. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY = '<h1>Host</h1><button data-testid="a">A</button><br><button data-testid="b">B</button>'
const shown = (name = 'Step a') => stage.page.getByRole('dialog', { name }).waitFor()
const bodies = (name: string) => stage.usher.calls.filter((call) => call.name === name).map(({ body }) => body)
const INIT = `usher.init('pk_test');`
const elsewhere = { where: { url: '/nowhere' } }

it('identify sends its proof, identifyAnonymous sends no id, and start sends once', async () => {
  await stage.show({ ...flow([step('a')]), decided: elsewhere } as never)
  const page = await stage.open(BODY, {
    calls: `${INIT} window.done = (async () => [
      await usher.identify('ada', {}, { signature: 'abc' }), await usher.identify('bob', {}, { token: 'x.y.z' }),
      await usher.identifyAnonymous({ plan: 'x' }), await usher.start('tour', { once: true })])()`,
  })
  expect(await page.evaluate('done')).toEqual([{ ok: true }, { ok: true }, { ok: true }, { ok: true }])
  const [ada, bob, nobody] = bodies('identify')
  expect(ada).toMatchObject({ user_id: 'ada', signature: 'abc' })
  expect(bob).toMatchObject({ user_id: 'bob', token: 'x.y.z' })
  expect(nobody).toMatchObject({ attributes: { plan: 'x' } })
  expect(nobody).not.toHaveProperty('user_id')
  expect(bodies('start')).toEqual([{ content: 'tour', once: true }])
})

it('identify tells the version of the script, and an exception that the script has caught is told once', async () => {
  await stage.show(flow([step('a')]))
  const asked: string[] = []
  const note = (request: { url(): string }) => asked.push(request.url())
  stage.page.on('request', note)
  onTestFinished(() => void stage.page.off('request', note))
  const page = await stage.open(BODY)
  await shown()
  expect(asked).toContain(`${stage.usher.url}/sdk/identify?script=${VERSION}`)
  await page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { get() { throw new Error('theirs') } })
    for (let count = 0; count < 2; count++) document.dispatchEvent(new Event('visibilitychange'))
  })()`)
  await expect.poll(() => bodies('error')).toMatchObject([{ message: 'Error: theirs' }])
})

it('off takes a listener away; a checklist tells that it ended, and endChecklist ends it alone', async () => {
  await stage.show(flow([step('a')]), { ...checklist([task('one')]), id: 'c2' })
  const page = await stage.open(BODY, {
    calls: `window.log = []; const gone = () => log.push('gone'); usher.on('stepSeen', gone); usher.off('stepSeen', gone)
      usher.on('checklistEnded', (detail) => log.push(detail)); ${IDENTIFIED}`,
  })
  await shown()
  await page.getByRole('region', { name: 'Get started' }).waitFor()
  await page.evaluate('usher.endChecklist()')
  await page.getByRole('region', { name: 'Get started' }).waitFor({ state: 'detached' })
  expect(await page.evaluate('log')).toEqual([{ checklist: { id: 'c2' } }])
  expect(await page.getByRole('dialog').count()).toBe(1)
})

it('remount puts what is shown back at once', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY)
  await shown()
  const isBack = await page.evaluate(`(() => {
    document.body.replaceWith(Object.assign(document.createElement('body'), { innerHTML: '<button data-testid="a">New</button>' }))
    usher.remount()
    return document.querySelector('[data-usher-widget]') !== null
  })()`)
  // The step waits for its new element, which is looked for at once.
  expect(isBack || (await shown()) === undefined).toBe(true)
  expect(stage.usher.reports.filter(({ type }) => type === 'step_seen')).toHaveLength(1)
})

it('what remount puts back into a document that the page has written anew can be used', async () => {
  await stage.show({ ...banner(), id: 'c1' })
  const page = await stage.open(BODY)
  await page.getByRole('region', { name: 'Announcement' }).waitFor()
  await page.evaluate(`document.open(); document.write('<!doctype html><body>New'); document.close(); usher.remount()`)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('region').waitFor({ state: 'detached' })
})

it('addresses of links and of open pass the decorator, and the page navigates by itself where it wants to', async () => {
  const link = { text: [{ paragraph: [{ link: [{ text: 'Help' }], href: '/help' }] }] } as never
  await stage.show(
    flow([step('a', { blocks: [heading('Step a'), link], buttons: [button('Open', { open: '/reports' })] })]),
  )
  const page = await stage.open(BODY, {
    calls: `window.went = []; usher.setCustomNavigate((url) => went.push(url)); usher.setLinkUrlDecorator((url) => url + '?from=tour'); ${IDENTIFIED}`,
  })
  await shown()
  expect(await page.getByRole('link', { name: 'Help' }).getAttribute('href')).toBe(`${stage.hosts.url}/help?from=tour`)
  await page.getByRole('link', { name: 'Help' }).click()
  await page.getByRole('button', { name: 'Open' }).click()
  const went = [`${stage.hosts.url}/help?from=tour`, `${stage.hosts.url}/reports?from=tour`]
  await expect.poll(() => page.evaluate('went')).toEqual(went)
  expect(page.url()).toBe(`${stage.hosts.url}/`)
})

it('addresses that are none of the application are opened by the browser, and not by its own navigation', async () => {
  const other = 'https://other.invalid/docs'
  await stage.show(
    flow([step('a', { buttons: [button('Docs', { open: other }), button('Mail', { open: 'mailto:a@b.example' })] })]),
  )
  const page = await stage.open(BODY, {
    calls: `window.went = []; usher.setCustomNavigate((url) => went.push(url)); ${IDENTIFIED}`,
  })
  const asked: string[] = []
  await page.route('**/docs', async (route) => {
    asked.push(route.request().url())
    await route.abort('aborted')
  })
  await shown()
  await page.getByRole('button', { name: 'Mail' }).click()
  await page.getByRole('button', { name: 'Docs' }).click()
  await expect.poll(() => asked).toEqual([other])
  expect(await page.evaluate('went')).toEqual([])
  await page.unroute('**/docs')
})

it('a decorator cannot make a link run code, and one that fails leaves the address as it is', async () => {
  const link = (words: string) => ({ text: [{ paragraph: [{ link: [{ text: words }], href: `/${words}` }] }] }) as never
  await stage.show(flow([step('a', { blocks: [heading('Step a'), link('bad'), link('thrown')] })]))
  const page = await stage.open(BODY, {
    calls: `usher.setLinkUrlDecorator((url) => { if (url.endsWith('bad')) return 'javascript:window.evil=1'; throw new Error('theirs') }); ${IDENTIFIED}`,
  })
  await shown()
  expect(await page.getByRole('link').count()).toBe(1)
  expect(await page.getByRole('link', { name: 'thrown' }).getAttribute('href')).toBe(`${stage.hosts.url}/thrown`)
  expect(stage.problems).toEqual([])
})

it('a target below the fold or behind the padding is scrolled to, by the function of the page if it has one', async () => {
  const far = `<div style="height:30px"></div>${BODY}<div style="height:3000px"></div><button data-testid="far">Far</button><div style="height:3000px"></div>`
  await stage.show(flow([step('far')]))
  const page = await stage.open(far)
  await shown('Step far')
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(2000)
  await stage.show(flow([step('a')]))
  await stage.open(far, {
    calls: `window.asked = []; usher.setScrollPadding({ top: 400 }); usher.setCustomScrollIntoView((target) => asked.push(target.dataset.testid)); ${IDENTIFIED}`,
  })
  await shown()
  expect(await page.evaluate('asked')).toEqual(['a'])
})

it.each([
  [
    'scrolls sideways',
    '<div style="width:400px;overflow-x:auto;white-space:nowrap"><p style="display:inline-block;width:700px">Wide</p><x-a></x-a></div>',
  ],
  ['scrolls', '<div style="height:200px;overflow-y:auto"><p style="height:500px">High</p><x-a></x-a></div>'],
])('a target in a component in a box that %s is scrolled to', async (_name, body) => {
  await stage.show(flow([step('a')]))
  await stage.open(
    `${body}<script nonce="host">document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<button data-testid="a">A</button>'</script>`,
  )
  await shown()
})

it('the base of z-index counts where there is no top layer', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY, {
    head: '<script nonce="host">delete HTMLElement.prototype.popover</script>',
    calls: `usher.setBaseZIndex(77); ${IDENTIFIED}`,
  })
  await shown()
  expect(await page.evaluate(`getComputedStyle(document.querySelector('[data-usher-widget]')).zIndex`)).toBe('77')
  await page.getByRole('button', { name: 'Next' }).click({ trial: true })
})

it('init takes the address of Usher as a URL, too', async () => {
  await stage.show()
  await stage.open(BODY, {
    calls: `usher.init('pk_test', { endpoint: new URL('${stage.usher.url}') }); usher.identify('ada')`,
  })
  await expect.poll(() => stage.usher.calls.map(({ name }) => name)).toContain('identify')
})

it('setServerEndpoint before init says where Usher is', async () => {
  await stage.show()
  await stage.open(BODY, { calls: `usher.setServerEndpoint('${stage.usher.url}/other'); ${IDENTIFIED}` })
  await expect.poll(() => stage.usher.calls.map(({ name }) => name)).toContain('/otheridentify')
})

it.each([
  [
    'an input of the browser',
    '<input data-testid="field">',
    `document.querySelector('[data-testid=field]').value = 'yes'`,
    '',
  ],
  [
    'one that the page names by a selector',
    '<div class="editor" data-testid="field"><br></div>',
    `document.querySelector('.editor').textContent = 'yes'`,
    `usher.setCustomInputSelector('.editor');`,
  ],
  [
    'one that the page reads itself',
    '<x-field data-testid="field" class="own">Field</x-field>',
    `document.querySelector('.own').dataset.value = 'yes'`,
    `usher.registerCustomInput('.own', (element) => element.dataset.value ?? '');`,
  ],
])('a step waits for the value of %s', async (_name, field, fill, calls) => {
  const condition = { input: ['testid=field'], is: 'equals' as const, value: 'yes' }
  const advance = [{ on: 'condition' as const, condition, to: null, end: 'completed' as const }]
  await stage.show(flow([step('a', { advance })]))
  const page = await stage.open(BODY + field, { calls: calls + IDENTIFIED })
  await shown()
  await page.evaluate(fill)
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen', 'completed', 'ended'])
})

it.each([
  ['skip', ['step_seen', 'target_missing', 'step_seen'], 'Step c'],
  ['center', ['step_seen', 'target_missing', 'step_seen'], 'Step gone'],
  ['end', ['step_seen', 'target_missing', 'ended'], null],
  ['wait', ['step_seen', 'target_missing'], null],
] as const)('a target that stays away: %s', async (on_missing, reports, next) => {
  const gone = step('gone', { target: target('gone', { on_missing, timeout_ms: 500 }) })
  await stage.show(flow([step('a'), gone, step('c', { type: 'dialog', blocks: [heading('Step c'), text('End.')] })]))
  const page = await stage.open(BODY, {
    calls: `window.missed = []; usher.on('missing', (detail) => missed.push(detail)); ${IDENTIFIED}`,
  })
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(reports)
  expect(await page.evaluate('missed')).toEqual([{ flow: { id: 'cnt_1' }, step: { key: 'gone' } }])
  if (next) await shown(next)
  else expect(await page.getByRole('dialog').count()).toBe(0)
})

it('a browser without the Navigation API is followed by its history, also where that is frozen', async () => {
  for (const more of ['', 'Object.freeze(history);']) {
    await stage.show({ ...flow([step('a')]), decided: { where: { url: '/reports/*' } } } as never)
    const page = await stage.open(`${BODY}<a href="#x" id="go">Go</a>`, {
      head: `<script nonce="host">delete window.navigation; Object.defineProperty(window, 'navigation', { value: undefined });${more}</script>`,
    })
    await expect.poll(() => bodies('identify').length).toBe(1)
    await page.evaluate(`go.onclick = () => { history.pushState({}, '', '/reports/7'); return false }`)
    await page.getByRole('link', { name: 'Go' }).click()
    await shown()
  }
  expect(stage.problems).toEqual([])
})

it('the tabs of a browser share one stream', async () => {
  await stage.show()
  const context = await stage.window()
  onTestFinished(async () => await context.close())
  const [one, other] = [await context.newPage(), await context.newPage()]
  await stage.open(BODY, { page: one })
  await expect.poll(() => bodies('stream').length).toBe(1)
  await stage.open(BODY, { page: other })
  await expect.poll(() => bodies('identify').length).toBe(2)
  const asked = [one, other].map((page) => {
    const questions: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/decide')) questions.push(request.url())
    })
    return questions
  })
  // Both tabs hear of it, and ask. The second may not listen yet when the first hints are sent.
  const leastAsked = () => {
    stage.usher.hint()
    return Math.min(...asked.map(({ length }) => length))
  }
  await expect.poll(leastAsked).toBeGreaterThanOrEqual(2)
  expect(bodies('stream')).toHaveLength(1)
})

it('by the keyboard alone: F6 goes in, Tab visits the buttons in their order, the next step gets the focus, Escape gives it back', async () => {
  const back = [button('Back', { previous: true }), button('Next', { next: true })]
  await stage.show(flow([step('a', { buttons: back }), step('b', { buttons: back })]))
  const page = await stage.open(BODY)
  await shown()
  await page.getByRole('button', { name: 'A', exact: true }).focus()
  const focused = () =>
    page.evaluate(
      `(() => { const inner = document.activeElement.shadowRoot?.activeElement ?? document.activeElement; return inner.getAttribute('aria-label') ?? (inner.getAttribute('role') ? inner.getRootNode().getElementById(inner.getAttribute('aria-labelledby')).textContent : inner.textContent) })()`,
    )
  await page.keyboard.press('F6')
  expect(await focused()).toBe('Step a')
  const order: unknown[] = []
  for (let stop = 0; stop < 3; stop++) {
    await page.keyboard.press('Tab')
    order.push(await focused())
  }
  expect(order).toEqual(['Back', 'Next', 'Close'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await shown('Step b')
  // The user's own action brought it up.
  await expect.poll(focused).toBe('Step b')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await focused()).toBe('A')
})
