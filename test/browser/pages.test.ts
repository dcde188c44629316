import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { memberOf } from '../support/dashboard.ts'
import { type EveryPage, fail, GATES, openEveryPage, PAGES, STATES, type State } from './every-page.ts'
import { axe, LOOKS, look, mainActions } from './looks.ts'
import { go, load, watch } from './stage.ts'

/** The seventh has no name. axe reads every row of a table. */
const USERS = 7
const MOST_SCRIPT_BYTES = 250 * 1024

let pages: EveryPage
beforeAll(async () => {
  pages = await openEveryPage(USERS)
})
afterAll(async () => await pages.stage.close())

it('the first load of a page without charts has at most 250 KB of compressed script, all from this host', async () => {
  const page = await pages.stage.tab('owner')
  const scripts: Promise<[string, number]>[] = []
  const hosts = new Set<string>()
  const note = (response: Response) => {
    const { host, pathname } = new URL(response.url())
    hosts.add(host)
    if (pathname.endsWith('.js')) scripts.push(response.body().then((body) => [pathname, gzipSync(body).length]))
  }
  page.on('response', note)
  await load(page, `${pages.stage.server.url}/app${pages.pathOf('users', 'data')}`)
  page.off('response', note)
  const sizes = await Promise.all(scripts)
  expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(MOST_SCRIPT_BYTES)
  expect(sizes.filter(([path]) => path.includes('/chart-'))).toEqual([])
  expect([...hosts]).toEqual([new URL(pages.stage.server.url).host])
})

const [WIDE, NARROW] = LOOKS
/** Every page has to fit the narrow look. Every fourth has the wide one too. */
const looksOf = (index: number) => (index % 4 === 1 ? [NARROW, WIDE] : [NARROW])
/** What axe reads with data: one page of each kind, as it takes up to a second of CPU time for each. */
const WITH_AXE = [
  ...['home', 'live', 'users', 'users, one beside them', 'user', 'new content', 'steps', 'publishing', 'who and when'],
  ...['results', 'receipt', 'theme', 'segment', 'install', 'endpoint', 'delivery', 'members', 'account'],
]

/** One page of each kind, for the states without data: charts, feed, table, what is beside it, profile, form, log, editors. */
const KINDS = [
  ...['home', 'live', 'users', 'users, one beside them', 'user', 'webhooks', 'delivery', 'keys', 'audit log'],
  ...['steps', 'theme', 'segment'],
]
const pagesIn = (state: State) => (state === 'data' ? Object.keys(PAGES) : KINDS)

// `npm run test:long` loads every page by its address, and reads it with axe in every state, theme and width. Here some
// pages are shown without data, in one look, the narrow one, where least fits.
describe.each(STATES)('with %s', (state) => {
  let page: Page
  let problems: string[]
  beforeAll(async () => {
    page = await pages.stage.tab('owner')
    problems = watch(page)
    if (state === 'failing') await fail(page)
    await load(page, `${pages.stage.server.url}/app${pages.pathOf('account', state)}`)
  })
  afterAll(async () => await page.unrouteAll())

  it.for(pagesIn(state).map((name, index) => [name, index] as const))(
    '%s is readable, fits, and breaks no rule of the policy',
    async ([name, index]) => {
      problems.length = 0
      await go(page, pages.pathOf(name, state))
      expect(await page.locator('h1').count()).toBe(1)
      problems.push(...(await mainActions(page)))
      for (const wanted of state === 'data' ? looksOf(index) : [NARROW]) problems.push(...(await look(page, wanted)))
      if (state === 'data' && WITH_AXE.includes(name)) problems.push(...(await axe(page)))
      expect(problems).toEqual([])
    },
  )
})

it('an address without an environment is of the one that was open last, and no page has the sidebar', async () => {
  const page = await pages.stage.tab('owner')
  const address = `${pages.stage.server.url}/app`
  await load(page, `${address}/members`)
  expect(page.url()).toMatch(/\/app\/(production|staging)\/members$/)
  await page.setViewportSize({ width: WIDE.width, height: 900 })
  await go(page, '/gone/users?q=ada')
  await page.getByText('There is no page at this address').waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true)
})

it('at 320 pixels pages fit, and an open menu, an open list and a toast are readable', async () => {
  const name = 'grace'
  await memberOf(pages.stage.server, 'admin', `${name}@example.com`)
  const page = await pages.stage.tab('owner')
  const problems: string[] = []
  const read = async (what: string) => problems.push(...(await axe(page)).map((finding) => `${what}: ${finding}`))
  // As an application with many users has them.
  await page.route('**/app/api/usage', async (route) => {
    const { environments, ...usage } = await (await route.fetch()).json()
    const large = environments.map((each: object) => ({ ...each, users: 12_345_678, requests_24_hours: 9_876_543 }))
    await route.fulfill({ json: { ...usage, environments: large } })
  })
  onTestFinished(async () => await page.unroute('**/app/api/usage'))
  await load(page, `${pages.stage.server.url}/app${pages.pathOf('usage', 'data')}`)
  for (const path of ['usage', 'endpoint', 'who and when', 'results', 'members']) {
    await go(page, pages.pathOf(path, 'data'))
    problems.push(...(await look(page, { width: 320, theme: 'light' })))
  }
  await read('members')
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menu').waitFor()
  await read('menu')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: `Role of ${name}` }).click()
  await page.getByRole('listbox').waitFor()
  await read('list')
  await page.getByRole('option', { name: /^viewer/ }).click()
  await page.getByText(`${name} is viewer now.`).first().waitFor()
  await read('toast')
  expect(problems).toEqual([])
})

it('the pages before sign-in are readable, fit, and break no rule of the policy', async () => {
  const page = await pages.stage.tab('viewer')
  await page.context().clearCookies()
  const problems = watch(page)
  await load(page, `${pages.stage.server.url}/app/sign-in`)
  for (const [index, [address, heading]] of Object.entries(GATES).entries()) {
    await go(page, `/${pages.gate(address)}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    for (const wanted of looksOf(index)) problems.push(...(await look(page, wanted)))
    problems.push(...(await axe(page)).map((finding) => `${address}: ${finding}`))
  }
  expect(problems).toEqual([])
})

it('on a phone nothing lies over the tabs, also not on pages that edit one thing', async () => {
  const page = await pages.stage.tab('owner')
  await load(page, `${pages.stage.server.url}/app${pages.pathOf('account', 'data')}`)
  await look(page, NARROW)
  const covered: string[] = []
  for (const name of ['theme', 'steps', 'who and when', 'segment']) {
    await go(page, pages.pathOf(name, 'data'))
    const isOnTop = await page.locator('.m-tabs').evaluate((tabs) => {
      const { left, top, width, height } = tabs.getBoundingClientRect()
      return tabs.contains(tabs.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
    })
    if (!isOnTop) covered.push(name)
  }
  expect(covered).toEqual([])
})

it('on a low screen the sidebar scrolls, and nothing in it is squeezed', async () => {
  const page = await pages.stage.tab('owner')
  await page.setViewportSize({ width: 1280, height: 500 })
  await load(page, `${pages.stage.server.url}/app${pages.pathOf('steps', 'data')}`)
  const heights = await page
    .locator('.side > :is(.brand, .env, .find)')
    .evaluateAll((parts) => parts.map((part) => [part.className, part.getBoundingClientRect().height >= 28]))
  expect(heights.filter(([, isWhole]) => !isWhole)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 1000 })
})
