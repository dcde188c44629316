import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openPublicSide, Page, type PublicEnvironment } from '../support/page.ts'

let server: TestServer
let own: PublicEnvironment
beforeAll(async () => {
  server = await startTestServer()
  own = await openPublicSide(server.services, server.environmentId)
  await publish('for-admins', { attribute: 'role', is: 'equals', value: 'admin' })
})
afterAll(async () => await server.close())

async function publish(key: string, who?: object): Promise<string> {
  const blocks = [{ heading: 'Hello {{ user.role | you }}' }]
  const buttons = [{ label: 'Done', do: [{ end: 'completed' }] }]
  const steps = [{ key: 'hello', type: 'dialog', blocks, buttons }]
  const saved = await server.client.post('/content', { key, type: 'flow', name: key, who, steps })
  expect(saved.body.error).toBeUndefined()
  expect((await server.client.post(`/content/${saved.body.id}/publish`, {})).status).toBe(200)
  return saved.body.id
}

const newPage = () => new Page({ url: server.url, token: own.token })
const keysOf = (decision: { content: { key: string }[] }) => decision.content.map(({ key }) => key)

it('identify, update and decide answer what the visitor may see now, and nothing about the rest', async () => {
  const page = newPage()
  const { body } = await page.identify('ada', { attributes: { role: 'member' } })
  expect(body.decision).toEqual({ object: 'decision', content: [], sessions: [], stream: true })
  const updated = await page.call('update', { attributes: { role: 'admin' } })
  expect(keysOf(updated.body.decision)).toEqual(['for-admins'])
  const decided = await page.call('decide')
  expect(decided.body).toEqual(updated.body.decision)
  expect(JSON.stringify(decided.body)).not.toMatch(/"who"|Hello|receipt/)
})

it('what the back end writes counts with the next decision, and open pages are told of a publication', async () => {
  const page = newPage()
  await page.identify('bob', { attributes: { role: 'member' } })
  const stream = await page.openStream()
  await server.client.post('/users', { id: 'bob', attributes: { role: 'admin' } })
  await expect.poll(() => stream.messages).toEqual([{ type: 'hint', within_ms: 0 }])
  expect(keysOf((await page.call('decide')).body)).toEqual(['for-admins'])
  await publish('for-all')
  await newPage().identify('somebody')
  await expect.poll(() => stream.messages).toContainEqual({ type: 'hint', within_ms: 10_000 })
  expect(keysOf((await page.call('decide')).body)).toEqual(['for-admins', 'for-all'])
  await stream.close()
})

it('a page whose user was deleted, and one of another environment, see nothing', async () => {
  const page = newPage()
  await page.identify('gone', { attributes: { role: 'admin' } })
  await server.client.delete('/users/gone')
  expect((await page.call('decide')).body.error.code).toBe('visitor_expired')
  const [{ id } = {}] = await server.database.query<{ id: number }>('select max(id) as id from environments', [])
  const other = await openPublicSide(server.services, id as never)
  const { body } = await new Page({ url: server.url, token: other.token }).identify('ada')
  expect(body.decision).toEqual({ object: 'decision', content: [], sessions: [], stream: false })
})
