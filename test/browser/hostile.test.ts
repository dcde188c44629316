import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Starter, starters } from '../../contract/content/starters.ts'
import { memberOf, PASSWORD } from '../support/dashboard.ts'
import { httpReceiver, type Receiver } from '../support/receivers.ts'
import { go, openStage, type Stage, watch } from './stage.ts'

const SCRIPT = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>"\'><svg onload=window.broken=1>'
const LINK = 'javascript:window.broken=1'
const ID = 'u_"><img src=x onerror=window.broken=1>'

let stage: Stage
let receiver: Receiver
beforeAll(async () => {
  receiver = await httpReceiver((_, response) => response.writeHead(500).end(SCRIPT))
  stage = await openStage()
  const { client } = stage.server
  const attributes = { name: SCRIPT, email: SCRIPT, homepage: LINK, plan: SCRIPT }
  const membership = { attributes: { role: SCRIPT }, group: { id: 'g_"><b>', attributes: { name: SCRIPT } } }
  expect((await client.post('/users', { id: ID, attributes, memberships: [membership] })).status).toBe(200)
  expect(
    (await client.post('/events', { name: 'hostile', user_id: ID, attributes: { note: SCRIPT, link: LINK } })).status,
  ).toBe(200)
  expect((await client.post('/users', { id: ID, attributes: { [SCRIPT]: 1 } })).status).toBe(400)
  // A number first, so that the script is the example of a type conflict.
  for (const score of [1, SCRIPT])
    expect((await client.post('/users', { id: ID, attributes: { score } })).status).toBe(200)
})
afterAll(async () => {
  await stage.close()
  await receiver.close()
})

async function visit(page: Page, path: string): Promise<void> {
  await go(page, `/production${path}`)
  expect(await page.evaluate('window.broken'), path).toBeUndefined()
}

it('nothing that was sent is run or becomes HTML, wherever it is shown', async () => {
  const page = await stage.show('owner', '/account')
  const problems = watch(page)
  const user = encodeURIComponent(ID)
  const group = encodeURIComponent('g_"><b>')
  for (const path of [
    '',
    '/live',
    '/live?view=errors',
    '/users',
    `/users/${user}`,
    '/groups',
    `/groups/${group}`,
    '/events',
    '/attributes',
    '/audit-log',
  ]) {
    await visit(page, path)
  }
  await visit(page, `/users/${user}`)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(SCRIPT)
  await page.getByRole('button', { name: 'hostile' }).click()
  await page.getByRole('complementary', { name: 'Event' }).getByText('window.broken').first().waitFor()
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(problems).toEqual([])
})

it('names of keys, members and environments, URLs and answers of receivers are shown as text', async () => {
  const page = await stage.show('owner', '/account')
  const api = `${stage.server.url}/app/api`
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${api}${path}`, { headers: { origin: stage.server.url }, data })
    expect(answer.status(), path).toBe(200)
    return (await answer.json()) as Record<string, string>
  }
  const name = SCRIPT.slice(0, 90)
  await post('/environments/production/keys', { name })
  await post('/environments', { name })
  const endpoint = await post('/environments/production/endpoints', {
    url: `http://127.0.0.1:${receiver.port}/%3Cimg%20src=x%3E?"><b>`,
    topics: ['*'],
  })
  const test = await post(`/environments/production/endpoints/${endpoint.id}/test`, {})
  const problems = watch(page)
  const delivery = `/webhooks/${endpoint.id}/${test.notification_id}`
  for (const path of ['/keys', '/environments', '/webhooks', `/webhooks/${endpoint.id}`, delivery, '/audit-log'])
    await visit(page, path)
  await visit(page, delivery)
  await page.locator('pre', { hasText: '<img src=x' }).first().waitFor()
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(problems).toEqual([])
})

it('definitions, examples of conflicts, remembered requests, what is beside a list, and names of members are shown as text', async () => {
  const page = await stage.show('owner', '/account')
  const api = `${stage.server.url}/app/api`
  const ask = async (method: 'get' | 'patch', path: string, data?: object) => {
    const options = { headers: { origin: stage.server.url }, ...(data && { data }) }
    const answer = await page.request[method](`${api}${path}`, options)
    expect(answer.status(), path).toBe(200)
    return (await answer.json()) as { data: Record<string, string>[] }
  }
  const inProduction = '/environments/production'
  const [event] = (await ask('get', `${inProduction}/event_definitions`)).data
  const [score] = (await ask('get', `${inProduction}/attribute_definitions?q=score`)).data
  const wording = { display_name: SCRIPT.slice(0, 90), description: SCRIPT }
  await ask('patch', `${inProduction}/event_definitions/${event?.id}`, wording)
  await ask('patch', `${inProduction}/attribute_definitions/${score?.id}`, wording)
  await ask('patch', '/session', { name: SCRIPT.slice(0, 90) })
  await stage.server.services.counters.flush()
  await stage.server.services.usage.flush()
  const [refused] = (await ask('get', `${inProduction}/request_errors`)).data
  const problems = watch(page)
  for (const path of [
    `/events/${event?.id}`,
    `/attributes/${score?.id}`,
    `/requests/${refused?.last_request_id}`,
    `/live?open=${refused?.last_request_id}`,
    `/users?open=${encodeURIComponent(ID)}`,
    `/users?q=${encodeURIComponent(SCRIPT)}&columns=plan,homepage`,
    '/events',
    '/attributes',
    '/members',
    '/account',
  ])
    await visit(page, path)
  await visit(page, `/attributes/${score?.id}`)
  await page.getByRole('region', { name: 'Type conflicts' }).getByText('window.broken').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search and commands' }).getByRole('combobox').fill('<img')
  await page.getByRole('option').first().waitFor()
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
  expect(problems).toEqual([])
})

it('a long word makes no page wider than its window', async () => {
  const word = 'W'.repeat(100)
  const attributes = { name: word, email: word, note: word }
  const membership = { attributes: { role: word }, group: { id: word, attributes: { name: word } } }
  await stage.server.client.post('/users', { id: word, attributes, memberships: [membership] })
  await stage.server.client.post('/events', { name: word, user_id: word, attributes: { note: word } })
  const environment = 'production'
  const who = { attribute: 'note', is: 'equals', value: word } as const
  const owner = await memberOf(stage.server, 'owner')
  const segment = await owner.call('createSegment', {
    ...{ environment, key: 'word', name: word, scope: 'user', condition: who },
  })
  const [starter] = starters
  const document = { ...(starter as Starter).document, name: word, who }
  const content = await owner.call('createContent', { environment, document })
  const page = await stage.show('owner', '/account')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of [
      `/users/${word}`,
      `/users/${word}/content`,
      `/groups/${word}`,
      `/segments/${segment.id}`,
      `/content/${content.id}/who`,
      `/content/${content.id}/receipts/${word}`,
    ]) {
      await visit(page, path)
      await page.getByText(word).first().waitFor({ state: 'attached' })
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: path }).toBe(width)
    }
  }
  await page.setViewportSize({ width: 1440, height: 1000 })
})

it('sign-in leads back to a page of ours alone', async () => {
  const email = 'back@example.com'
  await memberOf(stage.server, 'viewer', email)
  const page = await stage.tab('viewer')
  // dashboard/session/back.test.ts has more of them.
  for (const back of ['//evil.example/', LINK]) {
    await page.context().clearCookies()
    await page.goto(`${stage.server.url}/app/sign-in?back=${encodeURIComponent(back)}`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${stage.server.url}/app/production`)
  }
})
