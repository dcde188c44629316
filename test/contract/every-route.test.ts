import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleBanner } from '../../contract/content/examples.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import { buildDocument } from '../../server/openapi/document.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

const document = buildDocument()
const MARK = 'only_for_this_environment'

let server: TestServer
let ids: Record<string, string>
let before: string

beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  const { body } = await client.post('/webhook_subscriptions', { url: `http://127.0.0.1:9/${MARK}`, topics: ['user'] })
  const groups = [{ id: 'ours', attributes: { [MARK]: MARK } }]
  await client.post('/users', { id: 'mine', attributes: { [MARK]: MARK, email: MARK }, groups })
  const event = { name: MARK, user_id: 'mine', group_id: 'ours', attributes: { [MARK]: MARK } }
  const event_id = (await client.post('/events', event)).body.id
  const deliveries = await client.get(`/webhook_subscriptions/${body.id}/deliveries`)
  const delivery_id = deliveries.body.data[0].id
  const content = (await client.post('/content', { ...exampleBanner, key: 'mine', name: MARK })).body
  await client.post('/themes', { ...defaultTheme, name: MARK })
  const content_ids = { content_id: content.id, content_version_id: content.draft_version_id }
  const condition = { attribute: MARK, is: 'exists' }
  const segment_id = (await client.post('/segments', { key: MARK, name: MARK, condition })).body.id
  await client.post(`/content/${content.id}/publish`, {})
  const claim = { content: 'mine', user_id: 'mine', holder: MARK }
  const content_session_id = (await client.post('/content_sessions', claim)).body.id
  const reports = [{ sequence: 1, type: 'shown' }]
  await client.post(`/content_sessions/${content_session_id}/progress`, { holder: MARK, reports })
  const own = { segment_id, webhook_subscription_id: body.id, delivery_id, content_session_id }
  ids = { user_id: 'mine', group_id: 'ours', event_id, ...own, ...content_ids }
  // When names were seen is written a little later.
  await server.services.usage.flush()
  before = await everything()
})
afterAll(async () => await server.close())

/** All that this environment shows to its own key, and its secrets. */
async function everything(): Promise<string> {
  const paths = [
    '/users?expand=memberships.group',
    '/groups',
    '/attribute_definitions',
    '/attribute_definitions?scope=group',
    '/events',
    '/event_definitions',
    '/webhook_subscriptions',
    '/content?expand=draft_version.document',
    '/themes',
    '/segments',
    '/content_sessions?expand=answers',
  ]
  const pages = await Promise.all(paths.map((path) => server.client.get(path)))
  const secrets = await server.database.query(
    'select * from webhook_subscriptions where environment_id = $1::int order by id',
    [server.environmentId],
  )
  const data = [...pages.map(({ body }) => body.data), secrets]
  // How often an event was seen is counted a little later.
  return JSON.stringify(data, (name, value) => (name === 'event_count' ? undefined : value))
}

const fill = (path: string, value: (name: string) => string) => path.replace(/\{(\w+)\}/g, (_, name) => value(name))

function idOf(name: string): string {
  const id = ids[name]
  if (id === undefined) throw new Error(`Add the path parameter ${name} to the ids of this test.`)
  return id
}

const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => ['get', 'post', 'patch', 'delete'].includes(method))
    .map((method) => [method.toUpperCase(), path] as const),
)

it('the document has all seventeen operations of the contract, and marks every other as an addition', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values<object>(methods))
  expect(operations.filter((operation) => !('x-addition' in operation))).toHaveLength(17)
})

/** Valid bodies: an invalid one would be refused whatever the environment. */
const bodies: Record<string, object> = {
  '/users': { id: 'mine' },
  '/groups': { id: 'ours' },
  '/events': { name: 'other', user_id: 'mine' },
  '/content': { ...exampleBanner, key: 'other' },
  '/themes': { ...defaultTheme, key: 'other' },
  '/content/push': { documents: [{ document: { ...exampleBanner, key: 'other' } }] },
  '/decisions': { user_id: 'mine', receipts: true },
  '/content_sessions': { content: 'other', user_id: 'mine', holder: 'other' },
  '/content_sessions/{content_session_id}/progress': { holder: 'other', reports: [] },
  '/batch': { operations: [{ method: 'DELETE', path: '/users/mine' }] },
  '/segments': { key: 'other', condition: { event: 'other' } },
  '/segments/count': { condition: { event: 'other' } },
  '/segments/explain': { condition: { event: 'other' }, user_id: 'mine' },
  '/webhook_subscriptions': { url: 'http://127.0.0.1:9/other', topics: ['user'] },
  '/webhook_subscriptions/{webhook_subscription_id}': { disabled: true },
  '/webhook_subscriptions/{webhook_subscription_id}/replay': { since: '2020-01-01T00:00:00Z' },
}

/** Queries of those that need one. */
const queries: Record<string, string> = {
  '/group_memberships': '?user_id=mine&group_id=ours',
  '/content_versions': '?content_id={content_id}',
  '/content_sessions': '?user_id=mine&content=other',
}

describe.each(routes)('%s %s', (method, path) => {
  const hasBody = method === 'POST' || method === 'PATCH'

  it('is 401 without a key', async () => {
    const target = fill(path, idOf)
    const { status, body } = await server.client.send(method, target, undefined, { authorization: undefined })
    expect([status, body.error.code]).toEqual([401, 'invalid_api_key'])
  })

  it('shows and changes nothing to a key of another environment', async () => {
    const target = fill(path, idOf)
    const query = fill(queries[path] ?? '', idOf) || (method === 'GET' ? `?limit=100` : '')
    const text = hasBody ? JSON.stringify(bodies[path] ?? {}) : undefined
    const { status, body } = await server.otherClient.send(method, target + query, text)
    expect([200, 404]).toContain(status)
    expect(JSON.stringify(body)).not.toContain(MARK)
    expect(await everything()).toBe(before)
  })

  it('answers malformed input with 4xx in the envelope', async () => {
    const malformed = hasBody
      ? fill(path, () => 'x')
      : path.includes('{')
        ? fill(path, () => '%00')
        : `${path}?limit=none`
    const { status, body } = await server.client.send(method, malformed, hasBody ? '{"id":' : undefined)
    expect(status).toBe(400)
    expect(['invalid_json', 'invalid_params']).toContain(body.error.code)
  })
})
