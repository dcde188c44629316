import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { memberOf } from '../support/dashboard.ts'
import { axe, LOOKS, look } from './looks.ts'
import { picture } from './pictures.ts'
import { seed } from './seed.ts'
import { go, load, openStage, type Stage, watch } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await seed(stage.server)
})
afterAll(async () => await stage.close())

/** Chooses in the list that a button opens. */
async function choose(page: Page, option: string | RegExp): Promise<void> {
  await page.getByRole('option', { name: option }).first().click()
}

/** The answer to a change of the segment: a load of another page would end its request. */
const stored = (page: Page) => page.waitForResponse((response) => response.request().method() === 'PATCH')

it('a segment is made row by row, counted live, saved, and shows its members', async () => {
  const page = await stage.tab('member')
  const problems = watch(page)
  await load(page, `${stage.server.url}/app/production/segments`)
  await page.getByText('No segments yet').waitFor()
  await page.getByRole('link', { name: 'New segment' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Growing teams')

  await page.getByRole('button', { name: 'Condition', exact: true }).click()
  await page.getByPlaceholder('Search…').fill('plan')
  await choose(page, /^plan/)
  await page.getByRole('combobox', { name: 'Operator: …' }).click()
  await choose(page, 'is')
  await page.getByText('not finished').waitFor()
  expect(await page.getByText(/match, since there is no rule/).count()).toBe(0)
  await page.getByRole('button', { name: 'Value: …' }).click()
  // Values that were seen are offered.
  await page.getByRole('group', { name: 'Seen lately' }).getByRole('button', { name: 'growth' }).click()
  await page.locator('.count-card').getByText('8 of 12 users match').waitFor()
  // To choose what is chosen changes nothing.
  await page.getByRole('button', { name: 'Users', exact: true }).click()
  expect(await page.locator('.sentence').innerText()).toBe('Whoever fits: plan is growth.')
  // Who looks at what a rule of groups would be finds the rule of users again, with a row that is not finished.
  await page.getByRole('button', { name: 'Condition', exact: true }).click()
  await page.getByPlaceholder('Search…').fill('seats')
  await page
    .getByRole('option', { name: /^seats/ })
    .first()
    .click()
  const unfinished = page.locator('.cond', { hasText: 'seats' })
  await unfinished.waitFor()
  await page.getByRole('button', { name: 'Groups', exact: true }).click()
  await page.getByText('Add a condition to say who is in it.').waitFor()
  expect(await unfinished.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Users', exact: true }).click()
  expect(await page.locator('.sentence').innerText()).toBe('Whoever fits: plan is growth.')
  await page.keyboard.press('Escape')
  await unfinished.waitFor()
  await page.getByRole('button', { name: 'Undo the last change of this rule' }).first().click()
  await page.getByRole('button', { name: 'Undo the last change of this rule' }).first().click()

  await page.getByRole('button', { name: 'Condition', exact: true }).click()
  await page.getByPlaceholder('Search…').fill('task')
  await choose(page, /^task_completed/)
  await page.locator('.count-card').getByText('4 of 12 users match').waitFor()
  expect(await page.locator('.cond .n').allInnerTexts()).toEqual(['8', '6'])

  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('heading', { name: 'Growing teams', level: 2 }).waitFor()
  await page.getByText('Nothing uses it yet.').waitFor()
  await page.getByText('4 of 12 users').first().waitFor()
  const members = page.getByRole('table', { name: 'Members' }).locator('tbody tr[aria-rowindex]')
  await expect.poll(() => members.count()).toBe(4)

  // A change is saved by itself, undo takes it back and saves that.
  await page.getByRole('combobox', { name: 'How often: at least' }).click()
  await choose(page, 'never')
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
  expect(await page.locator('.sentence').innerText()).toContain('never happened')
  const undone = stored(page)
  await page.getByRole('combobox', { name: 'How often: never' }).press('Control+z')
  await page.locator('.sentence', { hasText: /task_completed happened in the last 30 days/ }).waitFor()
  await undone
  expect(problems).toEqual([])
  await picture(page, 'segments-1440-light')
})

it('keys move, add and remove rows', async () => {
  const page = await stage.show('member', '/segments/growing-teams')
  const rows = async () =>
    (await page.locator('.ex > :first-child').allInnerTexts()).map((text) => text.split('\n').at(-1))
  const first = page.locator('.ex > :first-child').first()
  await first.focus()
  await first.press('Alt+ArrowDown')
  await expect.poll(rows).toEqual(['task_completed', 'plan'])
  await page.locator('.ex > :first-child').last().press('Alt+ArrowUp')
  await expect.poll(rows).toEqual(['plan', 'task_completed'])
  await page.locator('.ex > :first-child').last().press('Control+Enter')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  expect((await rows()).length).toBe(3)
  await page.locator('.cond.open .ex > :first-child').press('Backspace')
  await expect.poll(async () => (await rows()).length).toBe(2)

  // The focus goes with what is added, moved into a group, and removed.
  const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')")
  await page.getByRole('button', { name: 'Group', exact: true }).press('Enter')
  await page.getByPlaceholder('Search…').fill('seats')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('About seats')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(rows).toEqual(['plan', 'task_completed', 'seats'])
  await expect.poll(focused).toBe('About seats')
  await page.keyboard.press('Backspace')
  await expect.poll(focused).toBe('Group: Any of these')
  await page.getByRole('button', { name: 'Remove the group' }).press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('BUTTON')
})

it('whoever leaves right after a change keeps it, and a change that is refused is not sent again by itself', async () => {
  const page = await stage.show('member', '/segments/growing-teams')
  const subjects = page.locator('.ex > :first-child')
  const rows = async () => (await subjects.allInnerTexts()).map((text) => text.split('\n').at(-1))
  await expect.poll(rows).toEqual(['plan', 'task_completed'])
  const saved = stored(page)
  await subjects.first().press('Alt+ArrowDown')
  await go(page, '/production/users')
  await saved
  await load(page, `${stage.server.url}/app/production/segments/growing-teams`)
  await expect.poll(rows).toEqual(['task_completed', 'plan'])
  let sent = 0
  await page.route('**/segments/*', async (route) => {
    if (route.request().method() === 'GET') return await route.continue()
    sent += 1
    await route.fulfill({ status: 400, json: { error: { code: 'invalid', message: 'Refused here' } } })
  })
  await subjects.first().press('Alt+ArrowDown')
  await page.getByText('Not saved: Refused here').waitFor()
  await page.evaluate('new Promise((done) => setTimeout(done, 2_000))')
  expect(sent).toBe(1)
  await page.unroute('**/segments/*')
  await subjects.first().press('Alt+ArrowDown')
  await subjects.first().press('Alt+ArrowDown')
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
  await expect.poll(rows).toEqual(['plan', 'task_completed'])
})

it('whoever leaves with a change while the one before is being saved keeps both', async () => {
  const page = await stage.show('member', '/segments/growing-teams')
  const subjects = page.locator('.ex > :first-child')
  const rows = async () => (await subjects.allInnerTexts()).map((text) => text.split('\n').at(-1))
  await expect.poll(rows).toEqual(['plan', 'task_completed'])
  const sending = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route('**/segments/*', async (route) => {
    if (route.request().method() === 'GET') return await route.continue()
    sending.resolve()
    await answered.promise
    await route.continue()
  })
  await subjects.first().press('Alt+ArrowDown')
  await sending.promise
  await page.locator('.ex > :first-child').last().press('Control+Enter')
  await page.getByPlaceholder('Search…').fill('seats')
  await page
    .getByRole('option', { name: /^seats/ })
    .first()
    .click()
  await page.getByRole('combobox', { name: 'Operator: …' }).click()
  await choose(page, 'is set')
  await page.locator('.sentence', { hasText: 'seats is set' }).waitFor()
  // A tab that is closed saves nothing: the browser asks.
  expect(await page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")).toBe(false)
  await go(page, '/production/users')
  answered.resolve()
  const member = await memberOf(stage.server, 'member')
  const kept = async () =>
    JSON.stringify(
      (await member.call('getSegment', { environment: 'production', segment_id: 'growing-teams' })).condition,
    )
  await expect.poll(kept).toContain('seats')
  await page.unroute('**/segments/*')
  await load(page, `${stage.server.url}/app/production/segments/growing-teams`)
  await expect.poll(rows).toEqual(['task_completed', 'plan', 'seats'])
  await subjects.last().press('Backspace')
  await subjects.first().press('Alt+ArrowDown')
  await expect.poll(rows).toEqual(['plan', 'task_completed'])
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
})

it('a change whose answer was lost is no change of somebody else, also when there is another one since', async () => {
  const page = await stage.show('member', '/segments/growing-teams')
  const subjects = page.locator('.ex > :first-child')
  const member = await memberOf(stage.server, 'member')
  const at = { environment: 'production', segment_id: 'growing-teams' }
  const { condition } = await member.call('getSegment', at)
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  let isLost = false
  await page.route('**/segments/*', async (route) => {
    if (route.request().method() === 'GET' || isLost) return await route.continue()
    isLost = true
    await route.fetch()
    await route.abort()
    lose()
  })
  await subjects.first().press('Alt+ArrowDown')
  await lost
  await subjects.last().press('Backspace')
  await expect
    .poll(async () => await member.call('getSegment', at))
    .toMatchObject({ condition: { all: [{ event: 'task_completed' }] } })
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Keep mine' }).count()).toBe(0)
  await page.unroute('**/segments/*')
  await member.call('updateSegment', { ...at, condition: condition as Condition })
  await load(page, `${stage.server.url}/app/production/segments/growing-teams`)
})

it('a change that the server could not take is saved when it can', async () => {
  const page = await stage.show('member', '/segments/growing-teams')
  const subjects = page.locator('.ex > :first-child')
  await page.route('**/segments/*', async (route) => {
    if (route.request().method() === 'GET') await route.continue()
    else await route.abort()
  })
  await subjects.first().press('Alt+ArrowDown')
  await page.getByText('Not saved: The server did not answer.').waitFor()
  await page.unroute('**/segments/*')
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
  await subjects.last().press('Alt+ArrowUp')
})

it('what another member saved meanwhile is overwritten by choice only, and nobody leaves before unasked', async () => {
  const sam = await memberOf(stage.server, 'member', 'sam@example.com')
  const at = { environment: 'production', segment_id: 'growing-teams' }
  const plan = (value: string) => ({ attribute: 'plan', is: 'equals', value }) as const
  const seats = { attribute: 'seats', is: 'exists' } as const
  const kept = async () => (await sam.call('getSegment', at)).condition
  const page = await stage.show('member', '/segments/growing-teams')
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
  const changeBoth = async (value: string) => {
    await sam.call('updateSegment', { ...at, condition: { all: [plan(value), seats] } })
    await page.locator('.ex > :first-child').first().press('Alt+ArrowDown')
    await page.getByText('sam has changed the segment Growing teams meanwhile.').waitFor()
  }
  await changeBoth('growth')
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await page.locator('.sentence', { hasText: 'plan is growth and seats is set' }).waitFor()
  await changeBoth('starter')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
  expect(await kept()).toEqual({ all: [seats, plan('growth')] })
})

it('a change outlives the session: it is saved after a sign-in in another tab', async () => {
  const at = { environment: 'production', segment_id: 'growing-teams' }
  const kim = await memberOf(stage.server, 'member', 'kim@example.com')
  const { condition: before } = await kim.call('getSegment', at)
  const page = await stage.show('member', '/segments/growing-teams')
  // All that the page asks for is there: an answer that comes later would lead to sign-in before the change.
  const members = page.getByRole('region', { name: 'Members' })
  await members.getByText(/^\d+ of 12 users$/).waitFor()
  await members.getByRole('link').first().waitFor()
  await page.getByRole('link', { name: /^Growing teams\s*\d/ }).waitFor()
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await page.locator('.ex > :first-child').first().press('Alt+ArrowDown')
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByText('sign in in another tab').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.context().addCookies(cookies)
  await page.evaluate("new BroadcastChannel('usher-session').postMessage('changed')")
  await expect.poll(async () => (await kim.call('getSegment', at)).condition).not.toEqual(before)
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
  // The way to sign-in that was not taken does nothing to the next page.
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page
    .getByRole('link', { name: /Ada Okafor/ })
    .first()
    .waitFor()
})

it('after a sign-in in another tab the question of leaving goes away, and a late answer to who was signed out leads nowhere', async () => {
  const page = await stage.tab('member')
  const counts = '**/conditions/count'
  const late = Promise.withResolvers<void>()
  const statuses: number[] = []
  let isSignedIn = false
  await page.route(counts, async (route) => {
    if (isSignedIn) return await route.continue()
    const request = route.request()
    const signedOut = await fetch(request.url(), {
      method: 'POST',
      body: request.postData(),
      headers: { 'content-type': 'application/json', origin: stage.server.url },
    })
    statuses.push(signedOut.status)
    const body = await signedOut.text()
    await late.promise
    await route.fulfill({ status: signedOut.status, contentType: 'application/json', body })
  })
  await load(page, `${stage.server.url}/app/production/segments/growing-teams`)
  await page.getByRole('region', { name: 'Members' }).getByRole('link').first().waitFor()
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await page.locator('.ex > :first-child').first().press('Alt+ArrowDown')
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByText('sign in in another tab').waitFor()
  expect(statuses).toContain(401)
  isSignedIn = true
  await page.context().addCookies(cookies)
  await page.evaluate("new BroadcastChannel('usher-session').postMessage('changed')")
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
  const answered = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/conditions/count'))
  late.resolve()
  await answered
  await page.unroute(counts)
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page
    .getByRole('link', { name: /Ada Okafor/ })
    .first()
    .waitFor()
  expect(new URL(page.url()).pathname).toBe('/app/production/users')
})

it('whoever leaves a new segment with a rule is asked first', async () => {
  const page = await stage.show('member', '/segments/new')
  await page.getByRole('button', { name: 'Condition', exact: true }).click()
  await page.getByPlaceholder('Search…').fill('task')
  await choose(page, /^task_completed/)
  await page.locator('.sentence', { hasText: 'task_completed' }).waitFor()
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // Also when the session has ended, which its creation finds out.
  await page.locator('.count-card').getByText('users match').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Doers')
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create segment' }).click()
  await dialog.getByText('sign in in another tab').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.context().addCookies(cookies)
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(/\/users$/)
})

it('a condition is pasted as JSON, and what is wrong in it is said', async () => {
  const page = await stage.show('member', '/segments/growing-teams')
  await page.getByRole('button', { name: 'Edit or paste as JSON' }).click()
  const field = page.getByRole('textbox', { name: 'Condition as JSON' })
  await field.fill('{ "attribute": "plan" }')
  await page.getByRole('button', { name: 'Use it' }).click()
  await page.getByText('condition.is: is required').waitFor()
  // What is too deep for rows is a line of JSON, which does not make the rule wider than its place.
  const plans = { attribute: 'plan', is: 'one_of', values: ['growth', 'starter', 'x'.repeat(150)] }
  const deep = { all: [plans, { any: [plans, { all: [plans, { any: [plans, plans] }] }] }] }
  await field.fill(JSON.stringify(deep))
  await page.getByRole('button', { name: 'Use it' }).click()
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  expect(await page.evaluate(`document.querySelector('.seg-main').scrollWidth`)).toBe(
    await page.evaluate(`document.querySelector('.seg-main').clientWidth`),
  )
  await field.fill(
    '{ "any": [{ "attribute": "plan", "is": "equals", "value": "growth" }, { "event": "page_viewed" }] }',
  )
  await page.getByRole('button', { name: 'Use it' }).click()
  await page.getByRole('combobox', { name: 'Group: Any of these' }).waitFor()
  await page.locator('.saved', { hasText: /^\s*Saved/ }).waitFor()
})

it('where events are kept for some days, the sentence says how far back it counts', async () => {
  const keep = (days: number | null) =>
    stage.server.database.query(`update environments set keep_events_days = $1::int where slug = 'production'`, [days])
  await keep(30)
  const page = await stage.tab('member')
  await load(page, `${stage.server.url}/app/production/segments/growing-teams`)
  await page.locator('.sentence', { hasText: 'page_viewed happened in the last 30 days' }).waitFor()
  await keep(null)
})

it('a list of users takes an address of before, and its filter is saved as a segment', async () => {
  const page = await stage.show('member', '/users?filter=plan:eq:starter')
  await page.locator('.count-card').getByText('4 of 12 users match').waitFor()
  expect(await page.getByRole('table').locator('tbody tr[aria-rowindex]').count()).toBe(4)
  await page.getByRole('link', { name: 'Save as segment' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Starters')
  await page.locator('.count-card').getByText('4 of 12 users match').waitFor()
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('heading', { name: 'Starters', level: 2 }).waitFor()
})

it('a count that failed is tried again by a button, and the rule is kept', async () => {
  const page = await stage.tab('member')
  const isCount = (url: URL) => url.pathname.endsWith('/conditions/count')
  await page.route(isCount, (route) => route.abort())
  await load(page, `${stage.server.url}/app/production/users?filter=plan:eq:starter`)
  await page.locator('.count-card').getByText('The count did not finish').waitFor()
  await page.unroute(isCount)
  await page.locator('.count-card').getByRole('button', { name: 'Try again' }).click()
  await page.locator('.count-card').getByText('4 of 12 users match').waitFor()
})

it('a part of a page that could not be loaded says so, and is asked for again', async () => {
  const page = await stage.tab('member')
  const asked = ['conditions/count', 'segments_of', 'deletion'].map((path) => `**/app/api/**/${path}*`)
  for (const path of asked) await page.route(path, (route) => route.abort())
  const open = async (path: string) => await load(page, `${stage.server.url}/app/production${path}`)
  await open('/segments/starters')
  const members = page.getByRole('region', { name: 'Members' })
  await members.getByText('The count could not be loaded: ').waitFor()
  await open('/users/u_2')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete user' }).click()
  await page.getByRole('dialog').getByText('Events not counted').waitFor()
  await page.keyboard.press('Escape')
  const segments = page.getByRole('region', { name: 'Segments' })
  await segments.getByText('The segments could not be loaded: ').waitFor()
  for (const path of asked) await page.unroute(path)
  await segments.getByRole('button', { name: 'Try again' }).click()
  await segments.getByRole('link', { name: 'Growing teams' }).waitFor()
})

it('a viewer reads the rule, and changes nothing', async () => {
  const page = await stage.show('viewer', '/segments/starters')
  await page.getByText('Needs the role member.').waitFor()
  expect(await page.locator('.builder .ex button').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Condition', exact: true }).count()).toBe(0)
})

it.each(LOOKS)('segments pass axe and fit: $theme, $width', async (wanted) => {
  const page = await stage.show('member', '/segments/growing-teams')
  expect(await look(page, wanted)).toEqual([])
  await page.getByText('of 12 users').first().waitFor()
  expect(await axe(page)).toEqual([])
  await picture(page, `segments-${wanted.width}-${wanted.theme}`)
  await go(page, '/production/segments/new')
  expect(await axe(page)).toEqual([])
  await go(page, '/production/users?filter=plan:eq:starter')
  await page.locator('.count-card').getByText('users match').waitFor()
  expect([...(await look(page, wanted)), ...(await axe(page))]).toEqual([])
  await picture(page, `users-filter-${wanted.width}-${wanted.theme}`)
})
