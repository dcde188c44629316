import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyDocument } from '../../contract/content/starters.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { countLockWaits } from '../support/lock-waits.ts'

let server: TestServer
let member: Browser
const environment = 'production'

beforeAll(async () => {
  server = await startTestServer()
  member = await memberOf(server, 'member')
  for (let n = 0; n < 3; n += 1)
    await server.client.post('/events', { name: 'order_placed', user_id: 'u_1', attributes: { total: n, coupon: 'x' } })
  await server.client.post('/events', { name: 'Seen', user_id: 'u_1', attributes: { total: 9 } })
  const memberships = [{ attributes: { role: 'admin' }, group: { id: 'g_1', attributes: { size: 5 } } }]
  await server.client.post('/users', { id: 'u_1', attributes: { plan: 'pro', seats: 3 }, memberships })
  await server.otherClient.post('/events', { name: 'staging_only', user_id: 'u_1' })
  await Promise.all([server.services.counters.flush(), server.services.usage.flush()])
})
afterAll(async () => await server.close())

const findEvent = async (name: string) => {
  const { data } = await member.call('listEventDefinitions', { environment })
  return data.find((one) => one.name === name) as (typeof data)[number]
}
const findAttribute = async (scope: 'user' | 'event' | 'group' | 'group_membership', name: string) => {
  const { data } = await member.call('listAttributeDefinitions', { environment, scope })
  return data.find((one) => one.name === name) as (typeof data)[number]
}

describe('event definitions', () => {
  it('say how often and when last, of this environment alone', async () => {
    const { data } = await member.call('listEventDefinitions', { environment })
    expect(data.map(({ name }) => name).sort()).toEqual(['Seen', 'order_placed'])
    const order = await findEvent('order_placed')
    expect(order).toMatchObject({ display_name: 'Order placed', total_14_days: 3, last_seen_at: expect.any(String) })
    expect(order.days.values).toHaveLength(14)
    expect(order.days.values.at(-1)).toBe(3)
  })

  it('are found by the beginning of name and display name, whatever the case, page by page', async () => {
    for (const q of ['ORDER', 'order p', 'Order_'])
      expect((await member.call('listEventDefinitions', { environment, q })).data).toHaveLength(1)
    const first = await member.call('listEventDefinitions', { environment, limit: 1, order_by: '-name' })
    const second = await member.call('listEventDefinitions', {
      environment,
      limit: 1,
      order_by: '-name',
      cursor: first.next as string,
    })
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['order_placed', 'Seen'])
    expect(second.next).toBeNull()
  })

  it('show their attributes and newest events', async () => {
    const { id } = await findEvent('order_placed')
    const detail = await member.call('getEventDefinition', { environment, definition_id: id })
    expect(detail.attributes.map(({ name }) => name).sort()).toEqual(['coupon', 'total'])
    expect(detail.events.map(({ attributes }) => attributes.total)).toEqual([2, 1, 0])
    expect((await member.send('getEventDefinition', { environment: 'staging', definition_id: id })).code).toBe(
      'not_found',
    )
  })

  it('are renamed and described, which the API and the audit log show; other environments keep theirs', async () => {
    const { id } = await findEvent('Seen')
    const changes = { display_name: 'Page <seen>', description: 'Somebody\nlooked.' }
    expect(await member.call('updateEventDefinition', { environment, definition_id: id, ...changes })).toMatchObject(
      changes,
    )
    const { data } = (await server.client.get('/event_definitions?limit=100')).body
    expect(data.find((one: { id: string }) => one.id === id)).toMatchObject(changes)
    const admin = await memberOf(server, 'admin')
    const [entry] = (await admin.call('listAuditEntries', { action: 'definition', limit: 1 })).data
    expect(entry).toMatchObject({ action: 'definition.changed', before: { display_name: 'Seen' }, after: changes })
    const elsewhere = await member.send('updateEventDefinition', {
      environment: 'staging',
      definition_id: id,
      ...changes,
    })
    expect(elsewhere.code).toBe('not_found')
  })

  it.each([
    { display_name: '' },
    { display_name: 'x'.repeat(101) },
    { description: 'x'.repeat(2001) },
    { name: 'other' },
  ])('refuse %j', async (changes) => {
    const { id } = await findEvent('order_placed')
    const answer = await member.send('updateEventDefinition', { environment, definition_id: id, ...changes } as never)
    expect(answer.code).toBe('invalid_params')
  })
})

describe('attribute definitions', () => {
  it('say on which events they were seen, and how often', async () => {
    const total = await findAttribute('event', 'total')
    expect(total).toMatchObject({ data_type: 'number', events: ['Seen', 'order_placed'], event_count: 2, conflicts: 0 })
    expect(total.days.values.at(-1)).toBe(4)
    const { events } = await member.call('getAttributeDefinition', { environment, definition_id: total.id })
    expect(events.map(({ name }) => name).sort()).toEqual(['Seen', 'order_placed'])
  })

  it.each([
    ['user', 'plan'],
    ['group', 'size'],
    ['group_membership', 'role'],
  ] as const)('of a %s say how often they were written, also inside of a user', async (scope, name) => {
    expect((await findAttribute(scope, name)).days.values.at(-1)).toBe(1)
  })

  it('say what pages may do with them, which a member chooses, with an entry in the audit log', async () => {
    const { id, written_by, shown_unverified } = await findAttribute('user', 'plan')
    expect([written_by, shown_unverified]).toEqual(['back_end', false])
    const access = { written_by: 'anyone', shown_unverified: true } as const
    const asked = { environment, definition_id: id }
    expect(await member.call('updateAttributeDefinition', { ...asked, ...access })).toMatchObject(access)
    expect(await findAttribute('user', 'plan')).toMatchObject(access)
    const admin = await memberOf(server, 'admin')
    const [entry] = (await admin.call('listAuditEntries', { action: 'definition', limit: 1 })).data
    expect(entry).toMatchObject({ action: 'definition.access_changed', after: access })
    // What the back end writes afterwards does not change a choice.
    const quietly = { 'usher-notify': 'false' }
    await server.client.post('/users', { id: 'u_1', attributes: { plan: 'growth' } }, quietly)
    expect(await findAttribute('user', 'plan')).toMatchObject(access)
    const other = await member.send('updateAttributeDefinition', { ...asked, written_by: 'nobody' } as never)
    expect(other.code).toBe('invalid_params')
  })

  it('show type conflicts with an example of each type, its object and its request', async () => {
    await server.client.post('/users', { id: 'u_2', attributes: { seats: 'three' } })
    const third = await server.client.post('/users', { id: 'u_3', attributes: { seats: true } })
    const fourth = await server.client.post('/users', { id: 'u_4', attributes: { seats: 'four' } })
    await server.services.usage.flush()
    const seats = await findAttribute('user', 'seats')
    expect(seats).toMatchObject({ data_type: 'number', conflicts: 3 })
    const { conflicts } = await member.call('getAttributeDefinition', { environment, definition_id: seats.id })
    expect(conflicts).toMatchObject([
      { data_type: 'string', count: 2, example: 'four', object_id: 'u_4', request_id: fourth.headers['request-id'] },
      { data_type: 'boolean', count: 1, example: true, object_id: 'u_3', request_id: third.headers['request-id'] },
    ])
    await server.client.delete('/users/u_4')
    const afterwards = await member.call('getAttributeDefinition', { environment, definition_id: seats.id })
    // The example of a deleted user is not shown any more.
    expect(afterwards.conflicts.map(({ object_id }) => object_id)).toEqual(['u_3'])
  })

  const written = (value: unknown) => ({ attributes: { wide: value } })
  it.each([
    ['event', '/events', (value: unknown) => ({ name: 'widened', user_id: 'u_1', ...written(value) })],
    ['group', '/groups', (value: unknown) => ({ id: 'g_1', ...written(value) })],
    [
      'group_membership',
      '/users',
      (value: unknown) => ({ id: 'u_1', memberships: [{ ...written(value), group_id: 'g_1' }] }),
    ],
  ] as const)(
    'name the request of a conflict of a %s, and in a batch the request of the batch',
    async (scope, path, body) => {
      const { otherClient: client, services } = server
      await client.post(path, body(1))
      const { data } = await member.call('listAttributeDefinitions', { environment: 'staging', scope, q: 'wide' })
      const asked = { environment: 'staging', definition_id: data[0]?.id as string }
      const operations = [{ method: 'POST', path, body: body('two') }]
      for (const send of [() => client.post(path, body('one')), () => client.post('/batch', { operations })]) {
        const { headers } = await send()
        await services.usage.flush()
        const { conflicts } = await member.call('getAttributeDefinition', asked)
        expect(conflicts.map(({ request_id }) => request_id)).toEqual([headers['request-id']])
      }
    },
  )
})

describe('the palette', () => {
  it('finds users, groups, definitions and endpoints by their beginning', async () => {
    await server.client.post('/users', { id: 'ord_1', attributes: { name: 'Orla', email: 'orla@example.com' } })
    await server.client.post('/groups', { id: 'g_ord', attributes: { name: 'Orders' } })
    const found = await member.call('search', { environment, q: 'or' })
    expect(found).toMatchObject({
      users: [{ id: 'ord_1', name: 'Orla', email: 'orla@example.com' }],
      groups: [{ id: 'g_ord', name: 'Orders' }],
      events: [{ name: 'order_placed' }],
      request_id: null,
    })
    const { headers } = await server.client.get('/users/ord_1')
    const q = String(headers['request-id'])
    expect((await member.call('search', { environment, q })).request_id).toBe(q)
  })

  it('finds content and segments by a word of the name, and the receipts that a question is about', async () => {
    const admin = await memberOf(server, 'admin')
    await server.client.post('/users', { id: 'u_why', attributes: { name: 'Wanda' } })
    const document = { ...emptyDocument('banner'), name: 'Quarterly maintenance' }
    const { id } = await admin.call('createContent', { environment, document })
    const condition = { attribute: 'name', is: 'exists' } as const
    const segment = { key: 'maintained', name: 'Maintained people', scope: 'user', condition } as const
    await admin.call('createSegment', { environment, ...segment })
    const search = (q: string, slug = environment) => member.call('search', { environment: slug, q })
    expect(await search('maint')).toMatchObject({
      content: [{ id, name: 'Quarterly maintenance', type: 'banner' }],
      segments: [{ name: 'Maintained people' }],
      why: [],
    })
    const pair = { user_id: 'u_why', user_name: 'Wanda', content_id: id, content_name: 'Quarterly maintenance' }
    expect((await search('why does wanda not see quarterly?')).why).toEqual([pair])
    expect(await search('maint', 'staging')).toMatchObject({ content: [], segments: [] })
  })

  it('finds users and groups by a part of the name, and events, deliveries and endpoints by id', async () => {
    const search = (q: string, slug = environment) => member.call('search', { environment: slug, q })
    const { client } = server
    await client.post('/users', { id: 'u_part', attributes: { name: 'Ada Chidi OKAFOR' } })
    await client.post('/groups', { id: 'g_part', attributes: { name: 'The okafor family' } })
    expect(await search('okaf')).toMatchObject({ users: [{ id: 'u_part' }], groups: [{ id: 'g_part' }] })
    expect((await search('ok')).users).toEqual([])
    const hook = { url: 'http://127.0.0.1:9/by-id', topics: ['event.tracked.by_id'] }
    const { id: endpoint_id } = (await client.post('/webhook_subscriptions', hook)).body
    const { id } = (await client.post('/events', { name: 'by_id', user_id: 'u_part' })).body
    expect((await search(id)).event).toEqual({ id, name: 'by_id', user_id: 'u_part', group_id: null })
    expect((await search(endpoint_id)).endpoints).toMatchObject([{ id: endpoint_id }])
    const [delivery] = (await client.get(`/webhook_subscriptions/${endpoint_id}/deliveries`)).body.data
    const found = (await search(delivery.id)).deliveries
    expect(found).toEqual([{ notification_id: delivery.id, endpoint_id, url: hook.url }])
    for (const other of [id, endpoint_id, delivery.id])
      expect(await search(other, 'staging')).toMatchObject({ event: null, deliveries: [], endpoints: [] })
    // Its delivery fails, and would wait for the next try.
    await client.delete(`/webhook_subscriptions/${endpoint_id}`)
  })
})

describe('usage', () => {
  it('shows requests against the limit, and an owner changes the rules of sessions, and not the plan', async () => {
    const owner = await memberOf(server, 'owner')
    const usage = await owner.call('getUsage', {})
    expect(usage).toMatchObject({ plan: 'self_hosted', requests_per_minute: null, has_groups: true })
    expect(usage.environments.map(({ slug }) => slug)).toEqual(['production', 'staging'])
    expect(usage.environments[0]?.requests_24_hours).toBeGreaterThan(4)
    const changed = await owner.send('updateAccount', { idle_hours: 12, plan: 'scale' } as { idle_hours: 12 })
    expect([changed.status, changed.text]).toEqual([400, expect.stringContaining('plan')])
    expect((await owner.call('updateAccount', { idle_hours: 12 })).account).toMatchObject({ idle_hours: 12 })
    expect((await owner.call('updateAccount', { idle_hours: null })).account).toMatchObject({
      plan: 'self_hosted',
      idle_hours: null,
    })
  })
})

it('System shows the installation and what doctor says', async () => {
  const admin = await memberOf(server, 'admin')
  const system = await admin.call('getSystem', {})
  expect(system.database.version).toMatch(/^\d+/)
  expect(system.findings.map(({ what }) => what).join('\n')).toMatch(/PostgreSQL .* answers/)
  expect(system.backlog?.waiting).toBe(0)
  // They share the connections of the server, so PostgreSQL does not run out of them.
  const many = await Promise.all(Array.from({ length: 150 }, () => admin.send('getSystem', {})))
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]))
})

it('two members who change the name and the description of a definition at the same time both have what they wrote', async () => {
  const { id } = await findEvent('order_placed')
  const other = await server.database.pool.connect()
  await other.query('begin')
  const describe = 'update event_definitions set description = $3 where environment_id = $1 and id = $2'
  await other.query(describe, [server.environmentId, id, 'Paid and packed.'])
  const renaming = member.call('updateEventDefinition', { environment, definition_id: id, display_name: 'Ordered' })
  await expect.poll(() => countLockWaits(server.database)).toBe(1)
  await other.query('commit')
  other.release()
  const both = { display_name: 'Ordered', description: 'Paid and packed.' }
  expect(await renaming).toMatchObject(both)
  expect(await findEvent('order_placed')).toMatchObject(both)
  const admin = await memberOf(server, 'admin')
  const [entry] = (await admin.call('listAuditEntries', { action: 'definition', limit: 1 })).data
  expect(entry).toMatchObject({ before: { display_name: 'Order placed' }, after: both })
})
