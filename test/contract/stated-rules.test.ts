import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildDocument } from '../../server/openapi/document.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

/** Rules over several fields, and patterns, that code checks: the OpenAPI document says the same as the service. */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const ajv = new Ajv2020({ strict: false }).addSchema({ $id: 'usher', ...buildDocument() })
const hook = (more: object) => ({ url: 'https://1.1.1.1/hook', topics: ['*'], disabled: true, ...more })
const group = { id: 'g' }

const bodies: [path: string, schema: string, verdict: 200 | 400, body: object][] = [
  ['/users', 'UpsertUser', 200, { id: 'u', attributes: { seats: { add: 1 } } }],
  ['/users', 'UpsertUser', 400, { id: 'u', attributes: { seats: { add: 1, set: 2 } } }],
  ['/users', 'UpsertUser', 400, { id: 'u', attributes: { seats: {} } }],
  ['/users', 'UpsertUser', 400, { id: 'u', attributes: { seats: { data_type: 'number' } } }],
  ['/groups', 'UpsertGroup', 400, { id: 'g', attributes: { seats: { set: 1, set_once: 2 } } }],
  ['/users', 'UpsertUser', 200, { id: 'u', groups: [group], memberships: null }],
  ['/users', 'UpsertUser', 200, { id: 'u', memberships: [{ group }] }],
  ['/users', 'UpsertUser', 400, { id: 'u', groups: [group], memberships: [{ group }] }],
  ['/users', 'UpsertUser', 400, { id: 'u', groups: [], memberships: [] }],
  ['/events', 'TrackEvent', 200, { name: 'e', user_id: 'u' }],
  ['/events', 'TrackEvent', 200, { name: 'e', group_id: 7, user_id: null }],
  ['/events', 'TrackEvent', 400, { name: 'e' }],
  ['/events', 'TrackEvent', 400, { name: 'e', user_id: null, group_id: null }],
  ...['*', 'user', 'user.created', 'event', 'event.tracked', 'event.tracked.Ad clicked'].map(
    (topic) =>
      [
        '/webhook_subscriptions',
        'CreateWebhookSubscription',
        200,
        hook({ topics: [topic] }),
      ] as (typeof bodies)[number],
  ),
  ...['', 'users', 'user.', 'user.removed', 'event.tracked.', 'event.tracked.a.b', 'userXcreated', '**'].map(
    (topic) =>
      [
        '/webhook_subscriptions',
        'CreateWebhookSubscription',
        400,
        hook({ topics: [topic] }),
      ] as (typeof bodies)[number],
  ),
  ...['https://1.1.1.1', 'HTTPS://1.1.1.1:8443/a?b=@'].map(
    (url) => ['/webhook_subscriptions', 'CreateWebhookSubscription', 200, hook({ url })] as (typeof bodies)[number],
  ),
  ...[
    'ftp://1.1.1.1/',
    '1.1.1.1/hook',
    'https:///1.1.1.1/',
    'https://1.1.1.1\\@evil/',
    'https://1.1.1.1/\\evil',
    'https://user@1.1.1.1/',
    'https://1.1.1.1/ x',
    'https://1.1.1.1/#part',
  ].map(
    (url) => ['/webhook_subscriptions', 'CreateWebhookSubscription', 400, hook({ url })] as (typeof bodies)[number],
  ),
]

it.each(bodies)(
  'POST %s with a %s is %i by the service and by the document: %j',
  async (path, schema, verdict, body) => {
    const isValid = ajv.validate({ $ref: `usher#/components/schemas/${schema}` }, body)
    const { status } = await server.client.post(path, body)
    expect([isValid, status]).toEqual([verdict === 200, verdict])
  },
)
