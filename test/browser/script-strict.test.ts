import { afterAll, beforeAll, expect, it } from 'vitest'
import { button, checklist, flow, heading, step, task, text } from '../support/rendered.ts'
import { IDENTIFIED, openScriptStage, type ScriptStage } from './script-stage.ts'

/** Policies, attacks and outages. */
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY = '<h1>Host</h1><button data-testid="a">A</button>'
const shown = (name = 'Step a') => stage.page.getByRole('dialog', { name }).waitFor()
const question = (kind: 'nps' | 'rating' | 'choice' | 'text', given = {}) =>
  ({ question: kind, id: `q_${kind}`, kind, label: [{ text: `Ask ${kind}` }], ...given }) as never

it('works under a policy that allows the script and its calls alone, with Trusted Types, and breaks none of it', async () => {
  const { url } = stage.usher
  const questions = [
    question('nps'),
    question('rating'),
    question('choice', { options: ['x', 'y'], other: 'Else' }),
    question('text', { long: true }),
  ]
  await stage.show(
    flow([
      step('a'),
      step('d', {
        type: 'dialog',
        blocks: [heading('Questions'), ...questions],
        buttons: [button('Send', { end: 'completed' })],
      }),
    ]),
  )
  const policy = `default-src 'none'; script-src ${url} 'nonce-host'; connect-src ${url}; require-trusted-types-for 'script'; trusted-types 'none'`
  const page = await stage.open(BODY, {
    headers: { 'content-security-policy': policy },
    calls: `window.broken = []; addEventListener('securitypolicyviolation', (event) => broken.push(event.violatedDirective + ' ' + event.blockedURI)); ${IDENTIFIED}`,
  })
  await shown()
  await page.getByRole('button', { name: 'Next' }).click()
  await shown('Questions')
  await page.getByRole('radiogroup').first().getByRole('radio', { name: '9' }).click()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('radio', { name: 'y' }).check()
  await page.getByRole('textbox', { name: 'Ask text' }).fill('Because.')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect
    .poll(() => stage.usher.reports.filter(({ type }) => type === 'answered'))
    .toMatchObject([
      { question: 'nps', value: 10 },
      { question: 'choice', value: 'y' },
      { question: 'text', value: 'Because.' },
    ])
  expect(await page.evaluate('broken')).toEqual([])
  expect(await page.evaluate(`document.querySelectorAll('[style]').length + document.cookie.length`)).toBe(0)
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual(['usher.browser'])
  expect(stage.problems).toEqual([])
})

it.each([["'nonce-host'"], ["'nonce-host' 'strict-dynamic'"]])(
  'a policy that lets scripts run by their nonce alone loads all parts, and breaks nothing: %s',
  async (sources) => {
    const blocks = [heading('Questions'), question('nps')]
    await stage.show(
      flow([step('a'), step('d', { type: 'dialog', blocks, buttons: [button('Send', { end: 'completed' })] })]),
    )
    const policy = `default-src 'none'; script-src ${sources}; connect-src ${stage.usher.url}`
    const page = await stage.open(BODY, {
      headers: { 'content-security-policy': policy },
      head: `<script nonce="host">window.broken = []; addEventListener('securitypolicyviolation', (event) => broken.push(event.violatedDirective + ' ' + event.blockedURI))</script>`,
    })
    await shown()
    await page.getByRole('button', { name: 'Next' }).click()
    await shown('Questions')
    await page.getByRole('radio', { name: '9' }).waitFor()
    expect(await page.evaluate('broken')).toEqual([])
    expect(stage.problems).toEqual([])
  },
)

it('a file whose bytes are not those that the loader knows does not run', async () => {
  await stage.show(flow([step('a')]))
  await stage.page.route('**/core-*.js', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: `window.evil = true; ${await answer.text()}` })
  })
  const refused = stage.page.waitForEvent('console', {
    predicate: (message) => message.text().includes('integrity'),
  })
  const page = await stage.open(BODY)
  await refused
  await stage.page.unroute('**/core-*.js')
  expect(await page.evaluate('window.evil')).toBe(undefined)
})

it('hostile texts, addresses and values are shown as text, run nothing and break no layout', async () => {
  const attack = '<img src=x onerror="window.evil=1"></script><script>window.evil=1</script>{{constructor}}'
  const zalgo = `Z${'\\u0351\\u0352\\u0357'.repeat(200)}`
  const blocks = [
    heading(attack),
    { text: [{ paragraph: [{ value: `\\u202Eevil${attack}` }, { bold: [{ text: zalgo }] }, { code: attack }] }] },
    { text: [{ paragraph: [{ link: [{ text: 'run' }], href: 'javascript:window.evil=1' }] }] },
    { text: [{ paragraph: [{ link: [{ text: 'data' }], href: 'data:text/html,<script>1</script>' }] }] },
    text('w'.repeat(100_000)),
    { image: 'javascript:window.evil=1', alt: attack },
    { video: 'http://insecure.example/', title: attack },
  ]
  const open = button('Open', { open: 'javascript:window.evil=1' })
  await stage.show(flow([step('a', { blocks: blocks as never, buttons: [open] })], { name: attack }))
  const page = await stage.open(BODY)
  const tip = page.getByRole('dialog')
  await tip.waitFor()
  await tip.getByRole('button', { name: 'Open' }).click()
  expect(await tip.getByRole('link').count()).toBe(0)
  expect(await tip.locator('img, iframe, script').count()).toBe(0)
  expect(await tip.getByRole('heading').textContent()).toBe(attack)
  const size = (await tip.boundingBox()) as { x: number; width: number; height: number }
  expect(size.width).toBeCloseTo(316)
  expect(size.height).toBeLessThanOrEqual(900)
  expect(await page.evaluate('window.evil ?? null')).toBe(null)
  expect(page.url()).not.toContain('javascript')
})

it('the address of the page passes the filter before it is compared or sent', async () => {
  await stage.show({ ...flow([step('a')]), decided: { where: { url: '/secret/*' } } } as never)
  const filter = `usher.setUrlFilter((url) => url.replace(/secret.*/, 'hidden'));`
  await stage.open(BODY, { path: '/secret/token?password=1', calls: `${filter}${IDENTIFIED}` })
  const identify = () => stage.usher.calls.find(({ name }) => name === 'identify')
  await expect.poll(identify).toBeDefined()
  expect(JSON.stringify(stage.usher.calls)).not.toMatch(/secret|password/)
  expect(identify()?.body.page).toMatchObject({ url: expect.stringMatching(/\/hidden$/) })
  expect(await stage.page.getByRole('dialog').count()).toBe(0)
})

it.each([
  ['is down', () => null],
  ['answers nonsense', () => ({ status: 200, text: '<html>hello' })],
  ['answers another form', () => ({ status: 200, text: '{"visitor":7}' })],
  ['fails', () => ({ status: 503, text: '{}' })],
])('when Usher %s, nothing is shown and nothing is thrown, and it recovers by itself', async (_name, failure) => {
  await stage.show(flow([step('a')]))
  stage.usher.failure = failure
  const page = await stage.open(BODY)
  await expect.poll(() => stage.usher.calls.length).toBeGreaterThan(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
  stage.usher.failure = undefined
  if (_name === 'answers another form') await page.reload()
  await shown()
  expect(stage.problems.filter((text) => !text.includes('net::') && !text.includes('CORS'))).toEqual([])
})

it('a page that stays open over an update, after which a part of its script is gone, shows the rest and throws nothing', async () => {
  await stage.show({ ...checklist([task('one')]), id: 'c2' }, flow([step('a')]))
  await stage.page.route('**/checklist-run-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  const page = await stage.open(BODY)
  await shown()
  await expect.poll(() => stage.usher.calls.filter(({ name }) => name === 'claim').length).toBe(2)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => stage.usher.reports.at(-1)?.type).toBe('ended')
  expect(await page.getByRole('region').count()).toBe(0)
  await stage.page.unroute('**/checklist-run-*.js')
  expect(stage.problems.filter((text) => !text.includes('integrity'))).toEqual([])
})

it('a server that goes away in the middle of a flow and comes back loses no report', async () => {
  await stage.show(flow([step('a'), step('b', { type: 'dialog', blocks: [heading('Second')] })]))
  const page = await stage.open(BODY)
  await shown()
  await expect.poll(() => stage.usher.reports.length).toBe(1)
  stage.usher.failure = () => null
  await page.getByRole('button', { name: 'Next' }).click()
  await shown('Second')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  stage.usher.failure = undefined
  await expect
    .poll(() => stage.usher.reports.map(({ type }) => type))
    .toEqual(['step_seen', 'step_seen', 'completed', 'ended'])
})

it('an expired visitor token is renewed without anybody noticing', async () => {
  await stage.show(flow([step('a')]))
  let refused = 0
  stage.usher.failure = (name) => {
    if (name !== 'claim' || refused++ > 0) return undefined as never
    return { status: 401, text: '{"error":{"code":"visitor_expired"}}' }
  }
  await stage.open(BODY)
  await shown()
  expect(stage.usher.calls.filter(({ name }) => name === 'identify').length).toBe(2)
})
