import { afterAll, beforeAll, expect, it } from 'vitest'
import { methods } from '../../sdk/src/method-table.ts'
import { flow, step } from '../support/rendered.ts'
import { openScriptStage, type ScriptStage } from './script-stage.ts'

/** The methods, and the code of others that uses them. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY = '<h1>Host</h1><button data-testid="a">A</button>'
const calls = () => stage.usher.calls.filter(({ name }) => name !== 'stream' && name !== 'decide')
const names = () => calls().map(({ name }) => name)

it('every method of the stub has an implementation, and every promise settles without rejecting', async () => {
  await stage.show()
  const page = await stage.open(BODY, {
    calls:
      'window.stubs = Object.keys(usher).filter((name) => name !== "_q" && name !== "_loaded").map((name) => [name, usher[name]])',
  })
  const stubs = (await page.evaluate('stubs.map(([name]) => name)')) as string[]
  expect(stubs.sort()).toEqual(Object.keys(methods).sort())
  await page.waitForFunction('stubs.every(([name, stub]) => usher[name] !== stub)')
  const results = (await page.evaluate(`(async () => {
    usher.init('pk_test')
    await usher.identify('ada')
    const promised = ${JSON.stringify(Object.entries(methods).flatMap(([name, early]) => (early === 'promise' ? [name] : [])))}
    return await Promise.all(promised.map(async (name) => [name, typeof (await usher[name]('x', {})).ok]))
  })()`)) as [string, string][]
  expect(results.filter(([, type]) => type !== 'boolean')).toEqual([])
  const others = await page.evaluate(
    `Object.keys(usher).filter((name) => name.includes('ResourceCenter')).map((name) => usher[name]())`,
  )
  expect(others).toEqual([null, null, null, null, null])
  expect(stage.problems).toEqual([])
})

it('calls before init and before identify are carried out in their order', async () => {
  await stage.show()
  await stage.open(BODY, {
    calls: `usher.updateUser({ early: 1 }); usher.track('early'); usher.identify('ada', { plan: 'x' }); usher.group('g', { size: 2 }, { membership: { role: 'owner' } }); usher.updateGroup({ size: 3 }); usher.track('clicked', { n: 1 }, { userOnly: true }); usher.init('pk_test')`,
  })
  await expect.poll(names).toEqual(['identify', 'update', 'track', 'group', 'update', 'track'])
  expect(calls().map(({ body }) => body)).toMatchObject([
    { user_id: 'ada', attributes: { plan: 'x' } },
    { attributes: { early: 1 } },
    { name: 'early' },
    { group_id: 'g', attributes: { size: 2 }, membership: { role: 'owner' } },
    { group: { attributes: { size: 3 } } },
    { name: 'clicked', attributes: { n: 1 }, user_only: true },
  ])
})

it('calls before init that a reset leaves out are answered', async () => {
  await stage.show()
  const page = await stage.open(BODY, { calls: '' })
  const results = await page.evaluate(`(async () => {
    const early = usher.track('early')
    await usher.load()
    usher.reset()
    const before = await early
    usher.init('pk_test', null)
    return [before, await usher.identify('ada')]
  })()`)
  expect(results).toEqual([{ ok: false, problem: 'the user was reset' }, { ok: true }])
})

it('a call before init has the attributes of its moment, and one that fails keeps no other from being made', async () => {
  await stage.show()
  const page = await stage.open(BODY, { calls: '' })
  const results = await page.evaluate(`(async () => {
    await usher.load()
    const attributes = { visits: 1 }
    const early = [usher.updateUser({ get theirs() { throw new Error('theirs') } }), usher.identify('ada', attributes)]
    attributes.visits = 2
    usher.init('pk_test')
    return await Promise.all(early)
  })()`)
  expect(results).toEqual([{ ok: false, problem: 'Error: theirs' }, { ok: true }])
  expect(calls()[0]?.body).toMatchObject({ user_id: 'ada', attributes: { visits: 1 } })
})

it('an identify without an id is refused, and the user before stays', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY)
  await page.getByRole('dialog').waitFor()
  const odd = `[undefined, null, '', Number.NaN, {}, true].map((id) => usher.identify(id))`
  const results = await page.evaluate(`Promise.all([...${odd}, usher.track('x'), usher.identify(0)])`)
  const refused = { ok: false, problem: 'identify needs the id of a user' }
  expect(results).toEqual([...Array(6).fill(refused), { ok: true }, { ok: true }])
  expect(calls().flatMap(({ name, body }) => (name === 'identify' ? [body.user_id] : []))).toEqual(['ada', '0'])
})

it('what is tracked and written right before a reset, or before another user, arrives for the user before', async () => {
  await stage.show()
  const page = await stage.open(BODY)
  await expect.poll(names).toEqual(['identify'])
  const visitor = 'v.ada.'
  const results = await page.evaluate(`(async () => {
    await usher.updateUser({ plan: 'x' })
    const left = [usher.track('signed_out'), usher.updateUser({ seats: { add: 1 } })]
    usher.reset()
    usher.identify('bob')
    const next = [await usher.track('signed_in'), usher.track('switched')]
    usher.identify('eve')
    return await Promise.all([...left, ...next])
  })()`)
  expect(results).toEqual([{ ok: true }, { ok: true }, { ok: true }, { ok: true }])
  await expect.poll(() => names().filter((name) => name === 'track')).toHaveLength(3)
  const sent = calls().flatMap(({ body }) => (body.visitor ? [body] : []))
  expect(sent).toMatchObject([
    { name: 'signed_out', visitor: expect.stringContaining(visitor) },
    { attributes: { seats: { add: 1 } }, visitor: expect.stringContaining(visitor) },
    { name: 'switched', visitor: expect.stringContaining('v.bob.') },
  ])
})

it('what is identified, tracked and written before a reset arrives also when nobody has answered yet; a start does not, and the next user does not wait', async () => {
  await stage.show(byHand())
  const page = await stage.open(BODY, { calls: `usher.init('pk_test')` })
  await page.waitForFunction('usher._q.push !== Array.prototype.push')
  let open = () => {}
  stage.usher.gate = new Promise((resolve) => {
    open = resolve
  })
  await page.evaluate(`
    usher.on('started', () => {})
    window.left = [usher.identify('ada'), usher.track('signed_out'), usher.updateUser({ seats: { add: 1 } }), usher.start('tour')]
    usher.reset()
    window.next = usher.identify('bob').then(() => usher.track('signed_in')); 0`)
  await expect.poll(() => calls().map(({ body }) => body.user_id)).toEqual(expect.arrayContaining(['ada', 'bob']))
  open()
  const arrived = { ok: true }
  const left = await page.evaluate('Promise.all(left)')
  expect(left).toEqual([arrived, arrived, arrived, { ok: false, problem: 'the user was reset' }])
  expect(await page.evaluate('next')).toEqual(arrived)
  const told = calls().flatMap(({ name, body, visitor }) =>
    visitor ? [[body.name ?? name, visitor.split('.')[1]]] : [],
  )
  expect(told.sort()).toEqual([
    ['signed_in', 'bob'],
    ['signed_out', 'ada'],
    ['update', 'ada'],
  ])
})

it('what is called before anybody is identified is for nobody when a reset follows, and is answered at once', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY, { calls: `usher.init('pk_test')` })
  const results = await page.evaluate(`(async () => {
    await usher.load()
    window.heard = []
    usher.on('started', () => heard.push('started'))
    const early = [usher.track('early'), usher.start('tour'), usher.updateUser({ plan: 'x' })]
    usher.reset()
    return await Promise.all(early)
  })()`)
  expect(results).toEqual(Array(3).fill({ ok: false, problem: 'the user was reset' }))
  await page.evaluate(`usher.identify('ada')`)
  await page.getByRole('dialog').waitFor()
  expect(names().filter((name) => name !== 'progress')).toEqual(['identify', 'claim'])
  // Listeners are of the page, and stay.
  expect(await page.evaluate('heard')).toEqual(['started'])
})

it('calls around an init without an endpoint are answered with the reason, and an init with one counts', async () => {
  await stage.show()
  const page = await stage.open(BODY, { calls: '' })
  const results = await page.evaluate(`(async () => {
    const { default: own } = await import('${stage.usher.url}/sdk/index.js')
    const before = own.identify('ada')
    own.init('pk_test')
    const after = own.track('x')
    const failed = [await before, await after]
    own.init('pk_test', { endpoint: '${stage.usher.url}' })
    return [...failed, await own.identify('ada')]
  })()`)
  const problem = 'init needs { endpoint }, the address of your Usher'
  expect(results).toEqual([{ ok: false, problem }, { ok: false, problem }, { ok: true }])
})

const byHand = () => ({ ...flow([step('a')]), decided: { where: { url: '/nowhere' } } }) as never
const ENDED = { ok: false, problem: 'it was ended before it was shown' }

it('a start that endAll follows is not even sent, and shows nothing', async () => {
  await stage.show(byHand())
  const page = await stage.open(BODY, {
    calls: `usher.init('pk_test'); usher.identify('ada'); window.answers = Promise.all([usher.start('tour'), usher.endAll(), usher.track('after')])`,
  })
  expect(await page.evaluate('answers')).toEqual([ENDED, { ok: true }, { ok: true }])
  expect(names()).toEqual(['identify', 'track'])
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.evaluate(`usher.start('tour')`)).toEqual({ ok: true })
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
})

it('a start that is under way when endAll is called shows nothing and gives up its claim; endChecklist ends no flow', async () => {
  await stage.show(byHand())
  const page = await stage.open(BODY)
  await expect.poll(names).toContain('identify')
  const start = async (end: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    stage.usher.gate = promise
    const before = names().filter((name) => name === 'start').length
    await page.evaluate(`void (window.started = usher.start('tour'))`)
    await expect.poll(() => names().filter((name) => name === 'start').length).toBe(before + 1)
    await page.evaluate(end)
    resolve()
    stage.usher.gate = undefined
    return await page.evaluate('started')
  }
  expect(await start('usher.endAll()')).toEqual(ENDED)
  await expect.poll(names).toContain('release')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(stage.usher.reports).toEqual([])
  expect(await start('usher.endChecklist()')).toEqual({ ok: true })
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
})

it.each([
  ['plain HTML with the snippet', `usher.init('pk_test'); usher.identify('ada')`],
  ['identify, then start', `usher.init('pk_test'); usher.identify('ada').then(() => usher.start('tour'))`],
  ['un-awaited start after identify', `usher.init('pk_test'); usher.identify('ada'); usher.start('tour')`],
  [
    'a React effect that runs twice',
    `const effect = () => { usher.init('pk_test'); usher.identify('ada', { name: 'Ada' }) }; effect(); effect()`,
  ],
  [
    'a Vue plugin',
    `const plugin = { install(app) { app.config.globalProperties.$usher = usher; usher.init('pk_test') } }; const app = { config: { globalProperties: {} } }; plugin.install(app); app.config.globalProperties.$usher.identify('ada')`,
  ],
  [
    'an Angular service',
    `class Guide { constructor() { usher.init('pk_test') } async signIn(id) { await usher.identify(id); await usher.group('acme') } } new Guide().signIn('ada')`,
  ],
  [
    'a Next layout that navigates at once',
    `usher.init('pk_test'); history.pushState({}, '', '/dashboard'); usher.identify('ada'); history.replaceState({}, '', '/dashboard/1')`,
  ],
  [
    'async with try and catch',
    `(async () => { try { usher.init('pk_test'); await usher.identify('ada', undefined, { signature: 'ab' }) } catch { window.caught = true } })()`,
  ],
  [
    'a sign-out and a sign-in',
    `usher.init('pk_test'); usher.identify('bob').then(() => { usher.reset(); usher.identify('ada') })`,
  ],
  ['load first', `usher.init('pk_test'); usher.load().then(() => usher.identify('ada'))`],
  [
    'listeners before everything',
    `usher.on('started', () => (window.begun = true)); usher.init('pk_test'); usher.identify('ada')`,
  ],
  [
    'settings before everything',
    `usher.setBaseZIndex(99); usher.setScrollPadding({ top: 80 }); usher.setPageTrackingDisabled(true); usher.setInferenceAttributeNames(['data-cy']); usher.init('pk_test'); usher.identify('ada')`,
  ],
])('code of others runs unchanged: %s', async (_name, code) => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY, { calls: code })
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(stage.problems).toEqual([])
})

it('the events tell what happens, and a listener that fails harms nothing of ours', async () => {
  await stage.show(flow([step('a')]))
  const listen = `window.log = []; for (const name of ['started', 'stepSeen', 'completed', 'flowEnded', 'flowvisibilitychange']) usher.on(name, (detail) => log.push([name, detail]));`
  const page = await stage.open(BODY, { calls: `${listen} usher.init('pk_test'); usher.identify('ada')` })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const log = (await page.evaluate('log')) as [string, { flow?: { id: string } }][]
  expect(log.map(([name]) => name)).toEqual([
    'flowvisibilitychange',
    'started',
    'stepSeen',
    'flowvisibilitychange',
    'completed',
    'flowEnded',
  ])
  expect(log.at(-1)?.[1]).toEqual({ flow: { id: 'cnt_1' } })
})

it('a listener may end at once what begins, and forget the user', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY, {
    calls: `usher.on('started', () => usher.endAll()); usher.init('pk_test'); usher.identify('ada')`,
  })
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen', 'ended'])
  expect(await page.getByRole('dialog').count()).toBe(0)
  await stage.show(flow([step('a')]))
  await stage.open(BODY, {
    calls: `usher.on('stepSeen', () => usher.reset()); usher.init('pk_test'); usher.identify('ada')`,
  })
  await expect.poll(() => page.evaluate('usher.isIdentified()')).toBe(false)
  await expect.poll(() => stage.usher.reports.map(({ type }) => type)).toEqual(['step_seen'])
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('a listener that takes itself away and adds another one, as a component does, hears an event once; what is no function hears none', async () => {
  await stage.show(flow([step('a')]))
  const listen = `window.heard = 0
    const add = () => { const own = () => { heard += 1; usher.off('stepSeen', own); if (heard < 50) add() }; usher.on('stepSeen', own) }
    add(); usher.on('stepSeen'); usher.on('stepSeen', 'name');`
  const page = await stage.open(BODY, { calls: `${listen} usher.init('pk_test'); usher.identify('ada')` })
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate('heard')).toBe(1)
  expect(stage.problems).toEqual([])
})

it('a flow tells its end also when another one takes its place, and when the back end ends it', async () => {
  const other = { ...(byHand() as object), id: 'cnt_2', key: 'other', steps: [step('b', { type: 'dialog' })] } as never
  await stage.show(flow([step('a')]), other)
  const page = await stage.open(BODY, {
    calls: `window.log = []; for (const name of ['started', 'flowEnded']) usher.on(name, ({ flow }) => log.push(name + ' ' + flow.id)); usher.init('pk_test'); usher.identify('ada')`,
  })
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  await page.evaluate(`usher.start('other')`)
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
  expect(await page.evaluate('log')).toEqual(['started cnt_1', 'flowEnded cnt_1', 'started cnt_2'])
  await expect.poll(() => stage.usher.sessions.at(-1)?.reports.length).toBe(1)
  // Its answer names the session, and that of the next call does not any more.
  await page.evaluate(`usher.updateUser({ plan: 'x' })`)
  for (const session of stage.usher.sessions) session.isOver = true
  await page.evaluate(`usher.updateUser({ plan: 'y' })`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate('log.slice(3)')).toEqual(['flowEnded cnt_2'])
})

it('a click counts for a step from the moment that it is shown', async () => {
  const condition = { element: ['testid=b'], is: 'clicked' as const }
  await stage.show(flow([step('a', { advance: [{ on: 'condition', condition, to: 'b', end: null }] }), step('b')]))
  const click = `usher.on('stepSeen', ({ step }) => step.key === 'a' && document.querySelector('[data-testid=b]').click());`
  const page = await stage.open(`${BODY}<button data-testid="b">B</button>`, {
    calls: `${click} usher.init('pk_test'); usher.identify('ada')`,
  })
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
})

it('reset takes everything away and forgets the browser; endAll ends what is shown', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(BODY)
  await page.getByRole('dialog').waitFor()
  const browser = await page.evaluate(`localStorage.getItem('usher.browser')`)
  await page.evaluate('usher.reset()')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.evaluate('usher.isIdentified()')).toBe(false)
  await page.evaluate(`usher.identify('ada')`)
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate(`localStorage.getItem('usher.browser')`)).not.toBe(browser)
  await page.evaluate('usher.endAll()')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => stage.usher.reports.at(-1)).toMatchObject({ type: 'ended', reason: 'api' })
})

it('attributes that cannot be stored are left out and named in the console once', async () => {
  await stage.show()
  const warned: string[] = []
  stage.page.on('console', (message) => message.type() === 'warning' && warned.push(message.text()))
  await stage.open(BODY, {
    calls: `usher.init('pk_test'); usher.identify('ada', { plan: 'x', tags: ['a'], 'a/b': 1 }); usher.updateUser({ tags: ['a'] })`,
  })
  await expect.poll(names).toEqual(['identify', 'update'])
  expect(calls()[0]?.body.attributes).toEqual({ plan: 'x' })
  await expect.poll(() => warned.filter((text) => text.includes('tags'))).toHaveLength(1)
})
