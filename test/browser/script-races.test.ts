import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { RenderedBlock, RenderedContent } from '../../contract/content/rendered.ts'
import { checklist, flow, heading, launcher, step, target, task } from '../support/rendered.ts'
import { openScriptStage, type ScriptStage } from './script-stage.ts'

/** Two things at once: what is under way when the user, the page or the server changes. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const INIT = `usher.init('pk_test'); usher.identify('ada');`
const BODY = '<main><button data-testid="a">A</button></main>'
const callsOf = (...names: string[]) => stage.usher.calls.filter(({ name }) => names.includes(name))
const dialog = (key: string) => step(key, { type: 'dialog', blocks: [heading(key)] })
/** Content that is shown only when it is started by hand. */
const byHand = (content: RenderedContent) => ({ ...content, decided: { where: { url: '/never' } } })
/** Something that is opened later. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

async function newPage(...scripts: string[]): Promise<Page> {
  const page = await (await stage.window()).newPage()
  onTestFinished(async () => await page.context().close())
  for (const one of scripts) await page.addInitScript(one)
  return page
}

it('a start is shown on a page that changes all the time, also where tabs agree by messages', async () => {
  // The launcher waits for its element, so that changes are looked at.
  await stage.show(byHand(flow([dialog('Started')])), { ...launcher(), id: 'c2' })
  const page = await newPage('delete Navigator.prototype.locks')
  const changes = 'setInterval(() => document.body.append("x"), 10);'
  await stage.open(`${BODY}<script nonce="host">${changes}</script>`, { page, calls: INIT })
  expect(await page.evaluate(`usher.start('tour')`)).toEqual({ ok: true })
  await page.getByRole('dialog', { name: 'Started' }).waitFor()
})

it('a start that is under way when the user is reset shows nothing to the next user', async () => {
  await stage.show(byHand(flow([dialog('Hello Ada')])))
  const page = await stage.open(BODY, { calls: INIT })
  await expect.poll(() => callsOf('identify').length).toBe(1)
  const held = gate()
  stage.usher.gate = held.opened
  await page.evaluate(`window.answer = usher.start('tour'); 0`)
  await expect.poll(() => callsOf('start').length).toBe(1)
  await page.evaluate(`usher.reset(); usher.identify('bob'); 0`)
  held.open()
  expect(await page.evaluate('answer')).toEqual({ ok: false, problem: 'the user was reset' })
  await expect.poll(() => callsOf('identify').at(-1)?.body.user_id).toBe('bob')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('a claim whose part is still being loaded when the user changes is not drawn for the next user', async () => {
  const question = { question: 'ease', kind: 'rating' as const, label: [{ text: 'How easy?' }], required: false }
  await stage.show(flow([step('q', { type: 'dialog', blocks: [heading('Q'), question as never] })]))
  const page = await newPage()
  const held = gate()
  await page.route('**/questions-*.js', async (route) => {
    await held.opened
    await route.continue()
  })
  await stage.open(BODY, { page, calls: INIT })
  await expect.poll(() => callsOf('claim').length).toBe(1)
  await page.evaluate(`usher.reset(); usher.identify('bob'); 0`)
  await expect.poll(() => callsOf('claim').length).toBe(2)
  held.open()
  await page.getByRole('dialog', { name: 'Q' }).waitFor()
  const session = () => stage.usher.sessions.find(({ user }) => user === 'bob')
  await expect.poll(() => session()?.reports.map(({ type }) => type)).toEqual(['step_seen'])
  expect(callsOf('progress').map(({ body }) => body.id)).toEqual([session()?.id])
})

it('a decision of the user before, which arrives late, is not for the next one', async () => {
  await stage.show()
  const page = await stage.open(BODY, { calls: `usher.init('pk_test')` })
  await page.evaluate(`usher.identify('ada')`)
  const held = gate()
  stage.usher.gate = held.opened
  await page.evaluate(`window.answer = usher.group('acme'); 0`)
  await expect.poll(() => callsOf('group').length).toBe(1)
  stage.usher.contents.push(flow([dialog('Hello Ada')]))
  // Who the next one is, the server cannot say for a while.
  stage.usher.failure = (name) => (name === 'identify' ? { status: 503, text: '{}' } : undefined)
  await page.evaluate(`usher.reset(); usher.identify('bob'); 0`)
  held.open()
  const asked = () => callsOf('identify').filter(({ body }) => body.user_id === 'bob').length
  await expect.poll(asked).toBeGreaterThan(1)
  expect(callsOf('claim')).toEqual([])
  stage.usher.failure = undefined
  await page.getByRole('dialog').waitFor()
  expect(stage.usher.sessions.map(({ user }) => user)).toEqual(['bob'])
})

it('what a flow has told at its end arrives also when the page is left at once', async () => {
  await stage.show(flow([dialog('One')]))
  const page = await newPage()
  await page.clock.install()
  await stage.open(BODY, { page, calls: INIT })
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen'])
  // The first try fails, and there is no time for another one.
  await page.clock.pauseAt(new Date(Date.now() + 5_000))
  stage.usher.failure = (name) => (name === 'progress' ? { status: 503, text: '{}' } : undefined)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => callsOf('progress').length).toBe(2)
  stage.usher.failure = undefined
  await page.goto('about:blank')
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen', 'completed', 'ended'])
})

const ease: RenderedBlock = {
  id: 'q',
  question: 'ease',
  kind: 'rating',
  label: [{ text: 'How easy?' }],
  required: false,
}
/** While the first report of a content is under way, `act` makes others. Then the server says that it is not held any more. */
async function reportsMeanwhile(content: RenderedContent, answer: object, act: (page: Page) => Promise<void>) {
  await stage.show(content)
  const page = await newPage()
  const held = gate()
  await page.route('**/sdk/progress', async (route) => {
    await held.opened
    await route.continue()
  })
  await stage.open(BODY, { page, calls: INIT })
  stage.usher.failure = (name) => (name === 'progress' ? { status: 200, text: JSON.stringify(answer) } : undefined)
  await act(page)
  held.open()
  const reports = () => callsOf('progress').flatMap(({ body }) => body.reports as object[])
  return () => expect.poll(reports)
}

it('what was answered while another device went on is told', async () => {
  const asks = step('q', { type: 'dialog', blocks: [heading('Q'), ease] })
  const lost = { holder: false, slot: false, sequence: 1, state: 'active' }
  const reports = await reportsMeanwhile(flow([asks]), lost, async (page) => {
    await page.getByRole('radio', { name: '4' }).click()
  })
  await reports().toContainEqual({ sequence: 2, type: 'answered', question: 'ease', value: 4 })
})

it('a task that was done while other content got the slot is told', async () => {
  const collapsed = { holder: true, slot: false, sequence: 1, state: 'active' }
  const reports = await reportsMeanwhile(checklist([task('one'), task('two')]), collapsed, async (page) => {
    await page.getByRole('button', { name: 'Task one' }).click()
  })
  await reports().toContainEqual({ sequence: 3, type: 'task_completed', task: 'one' })
})

it('what a flow has told at its end arrives in the name of its user also when the user is reset while Usher fails', async () => {
  await stage.show(flow([dialog('One')]))
  const page = await newPage()
  await stage.open(BODY, { page, calls: INIT })
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen'])
  stage.usher.failure = (name) => (name === 'progress' ? { status: 503, text: '{}' } : undefined)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => callsOf('progress').length).toBe(2)
  await page.evaluate(`usher.reset(); usher.identify('bob')`)
  await expect.poll(() => callsOf('progress').length).toBe(3)
  stage.usher.failure = undefined
  const told = () => stage.usher.sessions[0]?.reports.map(({ type }) => type)
  await expect.poll(told).toEqual(['step_seen', 'completed', 'ended'])
})

it('a session that gives up its slot before the server has heard of it is released after its first report', async () => {
  await stage.show(flow([step('a')]))
  const tries = () => callsOf('progress').length
  stage.usher.failure = (name) => (name === 'progress' && tries() < 6 ? { status: 503, text: '{}' } : undefined)
  const page = await newPage()
  await page.clock.install()
  await stage.open(BODY, { page, calls: INIT })
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  await page.evaluate(`document.querySelector('[data-testid=a]').remove()`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const released = async () => {
    await page.clock.fastForward('00:10')
    return callsOf('release').length
  }
  await expect.poll(released).toBe(1)
  expect(stage.usher.reports).not.toEqual([])
})

it('a claim whose answer comes when the page is another one shows nothing, and is given up', async () => {
  await stage.show({ ...flow([dialog('One')]), decided: { where: { url: '/' } } } as never)
  const page = await newPage()
  const held = gate()
  await page.route('**/sdk/claim', async (route) => {
    await held.opened
    await route.continue()
  })
  const asked = page.waitForRequest('**/sdk/claim')
  await stage.open(BODY, { page, calls: INIT })
  await asked
  await page.evaluate(`history.pushState(null, '', '/other')`)
  held.open()
  await expect.poll(() => callsOf('release').length).toBe(1)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.evaluate(`history.back()`)
  await page.getByRole('dialog', { name: 'One' }).waitFor()
})

it('a flow that is offered again after its end waits again', async () => {
  await stage.show({ ...flow([dialog('One')]), decided: { wait_ms: 40_000 } } as never)
  // When each call was made, by the clock of the page.
  const page = await newPage(`window.made = []; const own = window.fetch
    window.fetch = (url, ...more) => { made.push([/\\w+$/.exec(url)?.[0], Date.now()]); return own(url, ...more) }`)
  await page.clock.install()
  await stage.open(BODY, { page, calls: INIT })
  const claims = async () => {
    await page.clock.fastForward('00:05')
    return callsOf('claim').length
  }
  await expect.poll(claims).toBe(1)
  await page.getByRole('dialog', { name: 'One' }).waitFor()
  // As one that is shown until it is completed.
  stage.usher.failure = (name) => void (name === 'decide' && stage.usher.sessions.splice(0))
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(claims).toBe(2)
  const waited = await page.evaluate<number>(`(() => {
    const claim = made.findLastIndex(([name]) => name === 'claim')
    return made[claim][1] - made.slice(0, claim).findLast(([name]) => name === 'progress')[1]
  })()`)
  expect(waited).toBeGreaterThanOrEqual(40_000)
})

it('a content whose first report is refused is left alone for a while', async () => {
  await stage.show(flow([dialog('One')]))
  stage.usher.failure = (name) => (name === 'progress' ? { status: 404, text: '{}' } : undefined)
  const page = await newPage()
  await stage.open(BODY, { page, calls: INIT })
  await expect.poll(() => callsOf('decide').length).toBe(1)
  expect(callsOf('claim')).toHaveLength(1)
})

it('a hint that comes while a decision is under way leads to another one', async () => {
  await stage.show()
  await stage.open(BODY, { calls: INIT })
  await expect.poll(() => callsOf('stream').length).toBe(1)
  const held = gate()
  stage.usher.gate = held.opened
  const before = callsOf('decide').length
  stage.usher.hint()
  await expect.poll(() => callsOf('decide').length).toBe(before + 1)
  stage.usher.hint()
  await stage.page.evaluate('new Promise((done) => setTimeout(done))')
  held.open()
  await expect.poll(() => callsOf('decide').length).toBe(before + 2)
})

it('who identifies again because the token has expired stays in the group', async () => {
  await stage.show()
  await stage.open(BODY, { calls: `${INIT} usher.group('acme')` })
  await expect.poll(() => callsOf('stream').length).toBeGreaterThan(0)
  await expect.poll(() => callsOf('group').length).toBe(1)
  let isKnown = false
  stage.usher.failure = (name) => {
    isKnown ||= name === 'identify'
    return isKnown ? undefined : { status: 401, text: '{"error":{"code":"visitor_expired"}}' }
  }
  stage.usher.calls.length = 0
  await stage.page.evaluate(`usher.track('x')`)
  const calls = callsOf('track', 'identify', 'group')
  expect(calls.map(({ name }) => name)).toEqual(['track', 'identify', 'group', 'track'])
  expect(calls[2]?.body).toMatchObject({ group_id: 'acme' })
})

it('while decisions fail, a page that waits for another device asks less and less often', async () => {
  await stage.show(flow([dialog('One')]))
  const first = await newPage()
  await stage.open(BODY, { page: first, calls: INIT })
  await expect.poll(() => stage.usher.reports.length).toBe(1)
  const page = await newPage()
  await page.clock.install()
  await stage.open(BODY, { page, calls: INIT })
  await expect.poll(() => callsOf('identify').length).toBe(2)
  stage.usher.failure = (name) => (name === 'decide' ? { status: 503, text: '{}' } : undefined)
  const asked = () => callsOf('decide').length
  const before = asked()
  for (let round = 0; round < 60; round += 1) await page.clock.fastForward('00:06')
  // Six minutes: after 0.5, 1, 2, 4, 8, 16 and then every 30 s at the soonest.
  expect(asked() - before).toBeLessThan(20)
  // On a slow machine the answer to the first of them comes when the six minutes are over.
  const askedLater = async () => {
    await page.clock.fastForward('00:06')
    return asked() - before
  }
  await expect.poll(askedLater).toBeGreaterThan(1)
})

it('a flow that has given up its slot shows no dialog when its hidden step runs out of time', async () => {
  const hidden = step('h', { type: 'hidden', blocks: [], buttons: [], timeout: { after_ms: 30_000, to: 'Late' } })
  await stage.show(flow([dialog('One'), hidden, dialog('Late')]))
  const page = await newPage()
  await page.clock.install()
  await stage.open(BODY, { page, calls: INIT })
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => stage.usher.reports.length).toBe(2)
  await page.clock.fastForward('00:10')
  await expect.poll(() => callsOf('release').length).toBe(1)
  // Another browser has the slot.
  stage.usher.failure = (name) => (name === 'claim' ? { status: 409, text: '{"error":{"code":"claimed"}}' } : undefined)
  const claims = callsOf('claim').length
  await page.clock.fastForward('00:25')
  await expect.poll(() => callsOf('claim').length).toBeGreaterThan(claims)
  expect(await page.getByRole('dialog').count()).toBe(0)
  stage.usher.failure = undefined
  await page.clock.fastForward('00:16')
  await expect.poll(() => callsOf('claim').length).toBeGreaterThan(claims + 1)
})

it('a flow whose first step leads to its end at once leaves its slot to the next one', async () => {
  const advance = [{ on: 'otherwise' as const, to: null, end: 'dismissed' as const }]
  const hidden = step('h', { type: 'hidden', blocks: [], buttons: [], advance })
  await stage.show(
    { ...flow([hidden, dialog('Never')]), id: 'c1', key: 'one' },
    { ...flow([dialog('Second')]), id: 'c2', key: 'two' },
  )
  await stage.open(BODY, { calls: INIT })
  await stage.page.getByRole('dialog', { name: 'Second' }).waitFor()
})

/** Counts how often the script has found the target. */
const COUNT = `window.found = 0; const own = Element.prototype.checkVisibility
  Element.prototype.checkVisibility = function (...words) { if (this.dataset?.testid === 'a') window.found++; return own.apply(this, words) }`

it('a target that comes while it is reported as missing is claimed after the report, and the step is told', async () => {
  await stage.show(flow([step('a', { target: target('a', { timeout_ms: 300 }) })]))
  await stage.open('<main></main>', { calls: `${COUNT}; ${INIT}` })
  const held = gate()
  await expect.poll(() => callsOf('stream').length).toBe(1)
  stage.usher.gate = held.opened
  await expect.poll(() => callsOf('claim').length).toBe(1)
  await stage.page.evaluate(`document.querySelector('main').innerHTML = '<button data-testid="a">A</button>'`)
  const looked = `(async () => { while (found < 5) { document.body.append(''); document.body.append('x'); await new Promise((done) => setTimeout(done, 20)) } })()`
  await stage.page.evaluate(looked)
  expect(callsOf('claim')).toHaveLength(1)
  held.open()
  await stage.page.getByRole('dialog', { name: 'Step a' }).waitFor()
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['target_missing', 'step_seen'])
  expect(callsOf('claim', 'release').map(({ name }) => name)).toEqual(['claim', 'release', 'claim'])
})

it('a session that gave up its slot is claimed again only after its release', async () => {
  await stage.show(flow([step('a')]))
  const page = await newPage()
  await page.clock.install()
  await stage.open(BODY, { page, calls: INIT })
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  await expect.poll(() => stage.usher.reports.length).toBe(1)
  await page.evaluate(`window.kept = document.querySelector('[data-testid=a]'); kept.remove()`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const held = gate()
  stage.usher.gate = held.opened
  await page.clock.fastForward('00:10')
  await expect.poll(() => callsOf('release').length).toBe(1)
  await page.evaluate(`document.querySelector('main').append(kept); 0`)
  const locked = `navigator.locks.query().then(({ held }) => held.some(({ name }) => name.startsWith('usher flow')))`
  await expect.poll(() => page.evaluate(locked)).toBe(true)
  await page.evaluate(`usher.track('mark'); 0`)
  await expect.poll(() => callsOf('track').length).toBe(1)
  expect(callsOf('claim')).toHaveLength(1)
  held.open()
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
})

it('a click counts for the session in which it was made, and not for the next one', async () => {
  const clicked = (id: string) => ({ element: [`testid=${id}`], is: 'clicked' as const })
  const advance = [
    { on: 'condition' as const, condition: clicked('x'), to: null, end: 'completed' as const },
    { on: 'condition' as const, condition: clicked('y'), to: 'b', end: null },
  ]
  await stage.show(byHand(flow([step('a', { advance }), dialog('b')])))
  const body = `${BODY}<button data-testid="x">X</button><button data-testid="y">Y</button>`
  const page = await stage.open(body, { calls: `${INIT} usher.start('tour')` })
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  await page.evaluate(`document.querySelector('[data-testid=x]').click()`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.evaluate(`usher.start('tour')`)
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  await page.evaluate(`document.querySelector('[data-testid=y]').click()`)
  await page.getByRole('dialog', { name: 'b' }).waitFor()
})

it('a target that is away for moments keeps its tooltip: each time that it is there counts, also between two looks', async () => {
  await stage.show(flow([step('a')]))
  const page = await newPage()
  await page.clock.install()
  await stage.open(BODY, { page, calls: INIT })
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  await page.evaluate(`window.main = document.querySelector('main'); window.kept = main.firstElementChild; 0`)
  await page.clock.pauseAt(new Date(Date.now() + 5_000))
  const remove = () => page.evaluate('kept.remove()')
  const add = () => page.evaluate('main.append(kept); 0')
  const isShown = () => page.evaluate('document.querySelector("[data-usher-widget]") !== null')
  // The same element comes back, and goes again after a while.
  await remove()
  await page.clock.runFor(150)
  await add()
  await page.clock.runFor(1_500)
  await remove()
  await page.clock.runFor(150)
  expect(await isShown()).toBe(true)
  // It is there for an instant between two looks.
  await page.clock.runFor(100)
  await add()
  await remove()
  await page.clock.runFor(300)
  expect(await isShown()).toBe(true)
  await page.clock.runFor(1_500)
  expect(await isShown()).toBe(false)
})

it('a reader of inputs that fails keeps nothing else from being shown, and the newest reader of a selector counts', async () => {
  const where = { input: ['testid=i'], is: 'filled' as const }
  await stage.show({ ...flow([dialog('Filled')]), id: 'c1', decided: { where } } as never, {
    ...flow([dialog('Plain')]),
    id: 'c2',
    key: 'two',
  })
  const body = `${BODY}<div data-testid="i">i</div>`
  const register = `usher.registerCustomInput('[data-testid=i]', () => { throw new Error('theirs') });`
  const page = await stage.open(body, { calls: `${register} ${INIT}` })
  await page.getByRole('dialog', { name: 'Plain' }).waitFor()
  await page.evaluate(`usher.registerCustomInput('[data-testid=i]', () => 'now')`)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'Filled' }).waitFor()
  expect(stage.problems).toEqual([])
})

it('a search by text reads what is around 5,000 rows once, and not for each of them', async () => {
  const page = await newPage()
  await page.goto('about:blank')
  await page.evaluate(`document.body.innerHTML = '<table><tbody>' + '<tr><td><button>Delete</button></td></tr>'.repeat(5000) + '</tbody></table>'
    window.reads = 0
    const { get } = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
    Object.defineProperty(Node.prototype, 'textContent', { get() { if (this.localName === 'tbody') window.reads++; return get.call(this) } })`)
  await page.addScriptTag({ path: fileURLToPath(new URL('../../sdk/dist/locate.js', import.meta.url)) })
  expect(await page.evaluate(`usherScript.count(['text=Delete everything'])`)).toEqual([0])
  expect(await page.evaluate('reads')).toBe(1)
})
