import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { auditKinds } from '../../contract/dashboard/audit-kinds.ts'
import { memberOf } from '../support/dashboard.ts'
import { go, load, newWindow, openStage, type Stage, settled, watch } from './stage.ts'

/** More than are all rendered, and not a whole number of pages. */
const USERS = 220
const BATCH = 100
const MOST_DRAWN = 120
const POLL = { interval: 200 }

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  for (let first = 1; first <= USERS; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, USERS - first + 1) }, (_, index) => first + index)
    const operations = numbers.map((n) => ({
      method: 'POST',
      path: '/users',
      body: { id: `u_${n}`, attributes: { name: `Person ${n}`, plan: 'growth' } },
    }))
    expect((await stage.server.client.post('/batch', { operations })).status).toBe(200)
  }
})
afterAll(async () => await stage.close())

/** Loaded again: no rows are there from before. */
async function openUsers(): Promise<Page> {
  const page = await stage.tab('viewer')
  await load(page, `${stage.server.url}/app/production/users`)
  return page
}

const drawn = (page: Page) => page.locator('tbody tr[aria-rowindex]').count()
const toTheEnd = (page: Page) => page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')

it('a list scrolls to its end, renders a part of its rows, and keeps its position in the URL', async () => {
  const page = await openUsers()
  const problems = watch(page)
  const end = async () => {
    await toTheEnd(page)
    return await page.locator('.t-end').last().innerText()
  }
  await expect.poll(end, POLL).toBe(`That is all: ${USERS}.`)
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(USERS + 1))
  await page.getByRole('link', { name: 'Person 1', exact: true }).waitFor()
  await expect.poll(() => drawn(page), POLL).toBeLessThan(MOST_DRAWN)

  await page.waitForURL(/from=/)
  await page.reload()
  await settled(page)
  await page.getByText('The list begins where you left it.').waitFor()
  expect(await page.locator('[data-row]').first().innerText()).not.toContain(`Person ${USERS}`)
  await page.getByRole('button', { name: 'Show the newest' }).click()
  await page.getByRole('link', { name: `Person ${USERS}` }).waitFor()
  expect(page.url()).not.toContain('from=')
  expect(problems).toEqual([])
})

it('an end that a busy browser reports together with where it was before loads the next rows', async () => {
  const page = await stage.tab('viewer')
  await load(page, `${stage.server.url}/app/production/keys`)
  await page.evaluate(`{
    const Observer = IntersectionObserver
    window.IntersectionObserver = class extends Observer {
      constructor(look, options) {
        super((entries) => look([{ isIntersecting: false }, ...entries]), options)
      }
    }
  }`)
  await go(page, '/production/users')
  await toTheEnd(page)
  await page.getByRole('link', { name: 'Person 121', exact: true }).waitFor({ state: 'attached' })
})

it('rows that come late to the end of a list do not move it, and the keys go on from the row that has the focus', async () => {
  const page = await openUsers()
  const nextPages = /\/users\?.*cursor=/
  const held = Promise.withResolvers<void>()
  await page.route(nextPages, async (route) => {
    await held.promise
    await route.continue()
  })
  onTestFinished(async () => await page.unroute(nextPages))
  await page.locator('[data-row]').last().focus()
  await toTheEnd(page)
  const before = await page.evaluate('scrollY')
  held.resolve()
  await page.locator('tbody tr[aria-rowindex="52"]').waitFor({ state: 'attached' })
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  expect(await page.evaluate('scrollY')).toBe(before)
  await page.keyboard.press('j')
  expect(await page.locator(':focus').innerText()).toContain(`Person ${USERS - 50}`)
})

it('after a failed page nothing loops, and Try again continues', async () => {
  const page = await openUsers()
  let asked = 0
  const nextPages = /\/users\?.*cursor=/
  await page.route(nextPages, (route) => {
    asked += 1
    const error = { code: 'internal_error', message: 'The database did not answer.', request_id: 'req_failing' }
    return route.fulfill({ status: 500, json: { error } })
  })
  await toTheEnd(page)
  await page.getByText('The next rows could not be loaded').waitFor()
  const before = asked
  await toTheEnd(page)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  expect(asked).toBe(before)
  await page.unroute(nextPages)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Person 121', exact: true }).waitFor({ state: 'attached' })
})

it('space opens a user beside the list, arrows move to the next one, and it has a URL', async () => {
  const page = await stage.show('viewer', '/users?q=Person 20')
  await page.locator('[data-row]').first().focus()
  await page.keyboard.press('Space')
  const drawer = page.getByRole('complementary', { name: 'User' })
  await drawer.getByText('Person 20', { exact: true }).first().waitFor()
  expect(new URL(page.url()).searchParams.get('open')).toBe('u_20')
  await page.keyboard.press('ArrowDown')
  await drawer.getByText('Person 200', { exact: true }).first().waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await go(page, '/production/users?q=Person 7&open=u_7')
  await drawer.getByRole('link', { name: 'Open as a page' }).click()
  await page.getByRole('heading', { name: 'Person 7', level: 1 }).waitFor()
})

it('an arrow key draws only the rows whose focus changes', async () => {
  const page = await openUsers()
  expect(await drawn(page)).toBeGreaterThanOrEqual(50)
  await page.locator('[data-row]').first().focus()
  // Each drawn row formats its times.
  await page.evaluate(`{
    globalThis.formatted = 0
    const { prototype } = Intl.DateTimeFormat
    const { get } = Object.getOwnPropertyDescriptor(prototype, 'format')
    Object.defineProperty(prototype, 'format', { configurable: true, get() { formatted += 1; return get.call(this) } })
  }`)
  await page.keyboard.press('ArrowDown')
  await page.locator('tr[aria-rowindex="3"] [data-row][tabindex="0"]').waitFor()
  const formatted = await page.evaluate<number>('formatted')
  expect(formatted).toBeGreaterThan(0)
  expect(formatted).toBeLessThan(50)
})

it('j, k and ↓ work on a list as soon as it is open, and Back keeps the row', async () => {
  const page = await openUsers()
  await page.getByRole('link', { name: `Person ${USERS}` }).waitFor()
  const focused = () => page.evaluate<string>("document.activeElement.closest('tr')?.ariaRowIndex ?? ''")
  await page.keyboard.press('j')
  expect(await focused()).toBe('2')
  for (let row = 2; row < 6; row += 1) await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('6')
  await page.keyboard.press('Enter')
  await page.waitForURL(/users\/u_/)
  await page.goBack()
  await page.waitForURL(/\/users(\?.*)?$/)
  await expect.poll(focused, POLL).toBe('6')
  await load(page, `${stage.server.url}/app/production/users`)
  await page.getByRole('link', { name: `Person ${USERS}` }).waitFor()
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('2')
})

it('lists go on loading while the browser counts as offline, as it may with a server on this machine', async () => {
  const page = await stage.show('viewer', '/keys')
  await page.evaluate("dispatchEvent(new Event('offline'))")
  await go(page, '/production/groups')
  await page.getByText('No groups yet').waitFor()
})

it('an export holds every row of the list, shows how far it is, and can be cancelled', async () => {
  const page = await stage.show('viewer', '/users?q=Person')
  const button = page.getByRole('button', { name: 'Export what is shown' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  const lines = (await text(await download.createReadStream())).trim().split('\r\n')
  expect(lines[0]).toBe('id,attributes.name:string,attributes.email,attributes.plan:string,created_at')
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(USERS)

  const downloads: unknown[] = []
  page.on('download', (each) => downloads.push(each))
  // The page is never answered.
  await page.route(/\/users\?.*limit=/, () => {})
  await button.click()
  await page.getByText('Exporting 0 users…').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Exporting').waitFor({ state: 'detached' })
  await page.unroute(/\/users\?.*cursor=/)
  expect(downloads).toEqual([])
})

it('a list of options that is open stays open when more of them arrive', async () => {
  const owner = await memberOf(stage.server, 'owner')
  for (let index = 0; index < 8; index++)
    await owner.call('createKey', { environment: 'production', name: `Key ${index}` })
  const page = await stage.tab('owner')
  const arrive = Promise.withResolvers<void>()
  const keys = /\/production\/keys$/
  await page.route(keys, async (route) => {
    await arrive.promise
    await route.continue()
  })
  await load(page, `${stage.server.url}/app/production/audit-log`)
  await page.getByRole('combobox', { name: 'Who' }).click()
  await page.getByRole('option', { name: 'Command line' }).waitFor()
  expect(await page.getByRole('option', { name: 'Key 7' }).count()).toBe(0)
  arrive.resolve()
  await page.getByRole('option', { name: 'Key 7' }).click()
  await page.waitForURL(/who=\d+/)
  await page.unroute(keys)
})

it('the audit log is filtered by key, by action and by what was changed, and the filters are in its URL', async () => {
  const { client } = stage.server
  const path = '/webhook_subscriptions'
  const { id } = (await client.post(path, { url: 'http://127.0.0.1:9/', topics: ['user'], disabled: true })).body
  const page = await stage.show('owner', '/audit-log')
  await page.getByRole('combobox', { name: 'Who' }).click()
  await page
    .getByRole('option', { name: /(?<!^Every )API key$/ })
    .last()
    .click()
  await page.waitForURL(/who=\d+/)
  const rows = page.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByRole('link').click()
  const drawer = page.getByRole('complementary', { name: 'Audit entry' })
  await drawer.getByRole('link', { name: 'Every endpoint.created' }).click()
  await page.waitForURL(/action=endpoint\.created/)
  await go(page, '/production/audit-log')
  await page.getByLabel('Id of what was changed').fill(id)
  await page.waitForURL(new RegExp(`on=${id}`))
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByLabel('Id of what was changed').fill('nothing')
  await page.getByText('No entry matches these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rows.first().waitFor()
  expect(await page.getByLabel('Id of what was changed').inputValue()).toBe('')
  // Each kind of change can be chosen, and an entry that is not in the list leaves no room for itself.
  await page.getByRole('combobox', { name: 'What' }).click()
  const offered = () => page.getByRole('option').allTextContents()
  await expect.poll(offered).toEqual(['Every change', ...auditKinds])
  await page.keyboard.press('Escape')
  await go(page, '/production/audit-log?open=nothing')
  expect(await page.locator('.with-drawer').count()).toBe(0)
  // An entry opens by its address, however old it is: the list has the newest 50.
  const { body: first } = await client.post(path, {
    url: 'http://127.0.0.1:9/oldest',
    topics: ['user'],
    disabled: true,
  })
  for (let index = 0; index < 50; index++)
    await client.patch(`${path}/${first.id}`, { topics: [`event.tracked.n${index}`] })
  const owner = await memberOf(stage.server, 'owner')
  const { data } = await owner.call('listAuditEntries', { target_id: first.id, action: 'endpoint.created' })
  await load(page, `${stage.server.url}/app/production/audit-log?open=${data[0]?.id}`)
  await drawer.getByText('http://127.0.0.1:9/oldest').first().waitFor()
  expect(await drawer.getByRole('button', { name: 'Next' }).count()).toBe(0)
  await drawer.getByRole('button', { name: 'Close' }).click()
  await drawer.waitFor({ state: 'detached' })
})

it('a delivery that waits because its endpoint fails says so, what to do, and never a time that has passed', async () => {
  const page = await stage.tab('owner')
  const api = `${stage.server.url}/app/api/environments/staging/endpoints`
  const read = async (path: string) => (await page.request.get(`${api}${path}`)).json()
  const made = await page.request.post(api, {
    headers: { origin: stage.server.url },
    data: { url: 'http://127.0.0.1:9/', topics: ['user'] },
  })
  const { id } = (await made.json()) as { id: string }
  const operations = Array.from({ length: BATCH }, (_, n) => ({
    method: 'POST',
    path: '/users',
    body: { id: `w_${n}` },
  }))
  expect((await stage.server.otherClient.post('/batch', { operations })).status).toBe(200)
  const waits = async () => {
    const { endpoint } = await read(`/${id}`)
    const { data } = await read(`/${id}/deliveries?state=waiting`)
    return endpoint.health.state === 'failing' && data[0]?.notification_id
  }
  await expect.poll(waits, POLL).toBeTruthy()
  await load(page, `${stage.server.url}/app/staging/webhooks/${id}/${await waits()}`)
  await page.getByRole('heading', { name: 'Your server refused the connection.' }).waitFor()
  await page.getByText('A failing endpoint gets fewer deliveries at a time').waitFor()
  await page.getByText('when the endpoint answers').waitFor()

  // What the box says of a delivery that was tried, on a page that stays open: every answer about it is the same.
  const { data } = await read(`/${id}/deliveries?state=retrying`)
  const next_attempt_at = new Date(Date.now() + 600_000).toISOString()
  const other = await newWindow(stage.chromium)
  onTestFinished(async () => await other.close())
  await other.addCookies(await page.context().cookies())
  const opened = await other.newPage()
  await opened.clock.install()
  const delivery = await read(`/${id}/deliveries/${data[0].notification_id}`)
  let shown: object = { state: 'retrying' }
  await opened.route(`${api}/${id}/deliveries/*`, (route) =>
    route.fulfill({ json: { ...delivery, ...shown, next_attempt_at } }),
  )
  await load(opened, `${stage.server.url}/app/staging/webhooks/${id}/${data[0].notification_id}`)
  const why = opened.locator('.why')
  await why.getByText('Usher tries again at').waitFor()
  await opened.clock.fastForward('20:00')
  await why.getByText('It is due, and Usher sends it in its turn.').waitFor()
  // While the endpoint is disabled, no attempt comes by itself.
  shown = { state: 'on_hold', is_disabled: true }
  await opened.clock.fastForward('00:10')
  await opened.getByText('when the endpoint is enabled').waitFor()
})

it('a user joins a group and leaves it, and a text keeps its line breaks when it is edited', async () => {
  const { otherClient: client, url } = stage.server
  await client.post('/groups', { id: 'g_1', attributes: { name: 'Kestrel' } })
  await client.post('/users', { id: 'u_8', attributes: { note: 'one\ntwo' } })
  const page = await stage.tab('member')
  await page.goto(`${url}/app/staging/users/u_8`)
  const memberships = page.getByRole('region', { name: 'Memberships' })
  await memberships.getByRole('button', { name: 'Add' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Id of the group').fill('nothing')
  await dialog.getByRole('button', { name: 'Add to group' }).click()
  await dialog.getByText(/not found|There is no/).waitFor()
  await dialog.getByLabel('Id of the group').fill('g_1')
  await dialog.getByRole('button', { name: 'Add to group' }).click()
  await memberships.getByRole('link', { name: 'Kestrel' }).waitFor()
  const idsIn = async () => (await client.get('/users?group_id=g_1')).body.data.map(({ id }: { id: string }) => id)
  expect(await idsIn()).toEqual(['u_8'])
  await memberships.getByRole('button', { name: 'Remove from Kestrel' }).click()
  await dialog.getByRole('button', { name: 'Remove membership' }).click()
  await memberships.getByText('In no group.').waitFor()
  expect(await idsIn()).toEqual([])

  expect(await page.getByRole('button', { name: 'Edit note' }).innerText()).toContain('one\ntwo')
  await page.getByRole('button', { name: 'Edit note' }).click()
  await page.getByRole('textbox', { name: 'note' }).press('End')
  await page.getByRole('textbox', { name: 'note' }).pressSequentially('!')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Edit note.*!/s }).waitFor()
  expect((await client.get('/users/u_8')).body.attributes.note).toMatch(/^(one!\ntwo|one\ntwo!)$/)
  await page.getByRole('button', { name: 'JSON' }).click()
  await page.waitForURL(/as=json/)
  await page.reload()
  await page.locator('pre', { hasText: '"note"' }).waitFor()
})
