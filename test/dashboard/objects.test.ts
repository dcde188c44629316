import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Input, Output } from '../../contract/dashboard/operations.ts'
import { parseOperations } from '../../server/attributes/operations.ts'
import { orderedScan } from '../../server/dashboard/objects/ordered.ts'
import type { EnvironmentId } from '../../server/database/database.ts'
import { timeOfId } from '../../server/ids.ts'
import { users } from '../../server/objects/tables.ts'
import { objectSource } from '../../server/reads/lists.ts'
import type { Services } from '../../server/services.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { testServices } from '../support/services.ts'

let server: TestServer
let member: Browser
const environment = 'production'

beforeAll(async () => {
  server = await startTestServer()
  member = await memberOf(server, 'member')
})
afterAll(async () => await server.close())

type ListInput = Omit<Input<'listUsers'>, 'environment'>
const list = (query: ListInput) => member.call('listUsers', { environment, ...query })
const idsOf = ({ data }: Output<'listUsers'>) => data.map(({ id }) => id)

async function walk(query: ListInput): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await list({ ...query, ...(cursor !== undefined && { cursor }) })
    ids.push(...idsOf(page))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}

describe('the list of users', () => {
  const names = ['Ada Okafor', 'adam', 'Bea', 'Émile', 'ADA', 'Zoë']
  beforeAll(async () => {
    for (const [n, name] of names.entries())
      await server.client.post('/users', {
        id: `search_${n}`,
        attributes: { name, email: `${name.split(' ')[0]}@Example.com`, seats: n, plan: n % 2 ? 'growth' : 'starter' },
      })
    await server.client.post('/users', { id: 'ada_by_id', attributes: { name: 'Ada again' } })
    await server.otherClient.post('/users', { id: 'ada_of_staging', attributes: { name: 'Ada' } })
  })

  it.each([
    ['ada', ['ada_by_id', 'search_0', 'search_1', 'search_4']],
    ['ADA', ['search_0', 'search_1', 'search_4', 'ada_by_id']],
    ['ada o', ['search_0']],
    ['search_', ['search_0', 'search_1', 'search_2', 'search_3', 'search_4', 'search_5']],
    ['émile', ['search_3']],
    ['ÉMILE', ['search_3']],
    ['zoë', ['search_5']],
    ['BEA@example', ['search_2']],
    ['okafor', []],
    ['%', []],
    ["'; drop table users; --", []],
  ])('finds %j by the beginning of id, e-mail and name, each user once', async (q, expected) => {
    expect(new Set(await walk({ q }))).toEqual(new Set(expected))
    const paged = await walk({ q, limit: 1 })
    expect(paged.length).toBe(expected.length)
    expect(new Set(paged)).toEqual(new Set(expected))
  })

  it('ends a page of large users at 4 MiB in PostgreSQL, also of values that it compresses, and continues', async () => {
    const { environmentId, database } = server
    const ids = Array.from({ length: 40 }, (_, n) => `large_${String(n).padStart(2, '0')}`)
    const texts = Array.from({ length: 30 }, (_, n) => [
      `text_${n}`,
      n === 0 ? randomBytes(4_000).toString('hex') : 'x'.repeat(8_000),
    ])
    const attributes = Object.fromEntries(texts)
    for (const id of ids) expect(await server.client.post('/users', { id, attributes })).toMatchObject({ status: 200 })
    const scan = orderedScan(database, environmentId, users, objectSource(users), 'created_at')
    const read: string[] = []
    for (let next: string | null | undefined; next !== null; ) {
      const part: Awaited<ReturnType<typeof scan>> = await scan(next, 1_000)
      const bytes = part.rows.reduce((sum, { attributesJson }) => sum + attributesJson.length, 0)
      expect(bytes).toBeLessThan(4.5 * 1024 * 1024)
      read.push(...part.rows.map(({ id }) => id))
      next = part.next
    }
    expect(read.filter((id) => id.startsWith('large_'))).toEqual(ids)
    expect(new Set(read).size).toBe(read.length)
    for (const id of ids) await server.client.delete(`/users/${id}`)
  })

  const leaf = (attribute: string, is: string, value?: unknown) => ({ attribute, is, value })
  it.each([
    [{ all: [leaf('plan', 'equals', 'growth'), leaf('seats', 'more', 1)] }, ['search_5', 'search_3']],
    [leaf('seats', 'at_most', 1), ['search_1', 'search_0']],
    [{ ...leaf('name', 'contains', 'OKA'), ignore_case: true }, ['search_0']],
    [leaf('plan', 'missing'), ['ada_by_id']],
    [leaf('plan', 'not_equals', 'growth'), ['ada_by_id', 'search_4', 'search_2', 'search_0']],
    [{ all: [leaf('name', 'exists'), leaf('email', 'missing')] }, ['ada_by_id']],
    // A number is not the text of the same digits.
    [leaf('seats', 'equals', '1'), []],
  ])('selects by %j', async (given, expected) => {
    const condition = JSON.stringify(given)
    expect(await walk({ condition })).toEqual(expected)
    expect(await walk({ condition, limit: 1 })).toEqual(expected)
  })

  it('selects among the results of a search', async () => {
    const condition = JSON.stringify(leaf('plan', 'missing'))
    expect(await walk({ q: 'ada', condition })).toEqual(['ada_by_id'])
  })

  it.each(['plan', '[]', '0', 'null', '{"attribute":"plan"}', '{"url":"/x"}', '{"segment":"nobody","is":"in"}'])(
    'refuses the condition %s',
    async (condition) => {
      const { code, body } = await member.send('listUsers', { environment, condition })
      expect(code).toBe('invalid_params')
      expect(body).toMatchObject({ error: { param: expect.stringMatching(/^condition/) } })
    },
  )

  it('continues at its position in every order, also with an invalid cursor', async () => {
    for (const order_by of ['created_at', '-created_at', 'attributes.name', '-attributes.name'] as const) {
      const all = await walk({ order_by, limit: 100 })
      expect([order_by, await walk({ order_by, limit: 2 })]).toEqual([order_by, all])
      expect(all).not.toContain('ada_of_staging')
    }
    for (const cursor of ['x', '', 'WyJ4Il0', Buffer.from('[0,"\\u0000",""]').toString('base64url')]) {
      expect(idsOf(await list({ cursor, limit: 3 }))).toEqual(idsOf(await list({ limit: 3 })))
      expect((await member.send('listUsers', { environment, q: 'ada', cursor })).status).toBe(200)
    }
  })

  it('of a group is searched among its members', async () => {
    await server.client.post('/users', { id: 'search_0', groups: [{ id: 'g_members' }] })
    await server.client.post('/users', { id: 'search_2', groups: [{ id: 'g_members' }] })
    expect(await walk({ group_id: 'g_members' })).toEqual(['search_2', 'search_0'])
    expect(await walk({ group_id: 'g_members', q: 'ad' })).toEqual(['search_0'])
  })
})

describe('a condition over many users', () => {
  it('stops after a bounded number of rows, says so, and continues from there', async () => {
    const admin = await memberOf(server, 'owner')
    const { slug } = await admin.call('createEnvironment', { name: 'Many' })
    const [row] = await server.database.query<{ id: number }>('select id from environments where slug = $1::text', [
      slug,
    ])
    await server.database.query(
      `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
       select $1::int, 'm' || n, jsonb_build_object('n', n), '2026-01-01'::timestamptz + n * interval '1 second', '', '', ''
         from generate_series(1, 25000) as n`,
      [row?.id],
    )
    const condition = JSON.stringify({ attribute: 'n', is: 'less', value: 3 })
    const first = await admin.call('listUsers', { environment: slug, condition })
    expect(first).toMatchObject({ data: [], looked_at: 10_000, is_bounded: true, next: expect.any(String) })
    const second = await admin.call('listUsers', { environment: slug, condition, cursor: first.next as string })
    const third = await admin.call('listUsers', { environment: slug, condition, cursor: second.next as string })
    expect(third).toMatchObject({ looked_at: 5_000, is_bounded: false, next: null })
    expect(third.data.map(({ id }) => id)).toEqual(['m2', 'm1'])
  })
})

describe('at the same time', () => {
  const MANY = 12
  const each = <T>(run: (index: number) => Promise<T>) => Promise.all(Array.from({ length: MANY }, (_, n) => run(n)))

  it.each([
    ['createUser', 'users'],
    ['createGroup', 'groups'],
  ] as const)('%s with one id creates it once, and stores nothing of the others', async (name, path) => {
    const id = `once_${path}`
    const answers = await each((n) => member.send(name, { environment, id, attributes: { [`only_${path}_${n}`]: n } }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(MANY - 1).fill(409)])
    const winner = answers.findIndex(({ status }) => status === 200)
    const { body } = await server.client.get(`/${path}/${id}`)
    expect(body.attributes).toEqual({ [`only_${path}_${winner}`]: winner })
    const definitions = await server.database.query(
      'select name from attribute_definitions where starts_with(name, $1::text)',
      [`only_${path}_`],
    )
    expect(definitions).toEqual([{ name: `only_${path}_${winner}` }])
    const log = await (await memberOf(server, 'owner')).call('listAuditEntries', { environment, target_id: id })
    expect(log.data.map(({ action, after }) => ({ action, after }))).toEqual([
      { action: name === 'createUser' ? 'user.created' : 'group.created', after: body.attributes },
    ])
  })

  it('creations of one id on two nodes create it once', async () => {
    const nodes = [testServices(server.database), testServices(server.database)]
    const [environmentRow] = await server.database.query<{ id: EnvironmentId }>(
      'select id from environments where slug = $1::text order by id limit 1',
      [environment],
    )
    const results = await Promise.allSettled(
      Array.from({ length: MANY }, (_, n) =>
        (nodes[n % 2] as Services).write(environmentRow?.id as EnvironmentId, {
          ...{ kind: 'user', id: 'two nodes', groups: [], prune: false, expects: 'new' },
          operations: parseOperations({ [`only_${n}`]: n }),
        }),
      ),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(MANY - 1).fill('conflict'))
    const { body } = await server.client.get('/users/two%20nodes')
    expect(Object.keys(body.attributes)).toHaveLength(1)
  })

  it('a change, a joining and a deletion leave nothing: what is deleted is not created again', async () => {
    for (const path of ['/users', '/groups']) await each((n) => server.client.post(path, { id: `gone_${n}` }))
    await each((n) => {
      const [user_id, group_id] = [`gone_${n}`, `gone_${n}`]
      const attributes = { n }
      return Promise.all([
        member.send('deleteUser', { environment, user_id }),
        member.send('deleteGroup', { environment, group_id }),
        member.send('setMembership', { environment, user_id, group_id, attributes }),
        member.send('updateUser', { environment, user_id, attributes }),
        member.send('updateGroup', { environment, group_id, attributes }),
      ])
    })
    const left = (path: string) => each(async (n) => (await server.client.get(`${path}/gone_${n}`)).status)
    expect(await left('/users')).toEqual(Array(MANY).fill(404))
    expect(await left('/groups')).toEqual(Array(MANY).fill(404))
  })
})

describe('a profile', () => {
  it('is created, changed through the commit queue, and deleted with what belongs to it', async () => {
    const user_id = 'profile/ü?%'
    const created = await member.call('createUser', { environment, id: user_id, attributes: { seats: 24, name: 'P' } })
    expect(created).toMatchObject({ id: user_id, memberships: { count: 0, is_more: false } })
    expect(created.attributes.find(({ name }) => name === 'seats')).toMatchObject({ value: 24, data_type: 'number' })
    expect((await member.send('createUser', { environment, id: user_id, attributes: { seats: 1 } })).code).toBe(
      'conflict',
    )
    const changed = await member.call('updateUser', {
      environment,
      user_id,
      attributes: { seats: { add: 1 }, name: null, at: { set: '2026-01-01T00:00:00Z', data_type: 'datetime' } },
    })
    expect(Object.fromEntries(changed.attributes.map(({ name, value }) => [name, value]))).toEqual({
      seats: 25,
      at: '2026-01-01T00:00:00Z',
    })
    expect(
      (await member.send('updateUser', { environment, user_id, attributes: { seats: { add: 'x' } } } as never)).code,
    ).toBe('invalid_params')
    await member.call('trackEvent', { environment, name: 'seen', user_id, attributes: { a: 1 } })
    expect(await member.call('getUserDeletion', { environment, user_id })).toEqual({
      attributes: 2,
      memberships: { count: 0, is_more: false },
      events: { count: 1, is_more: false },
      notifications: { count: 0, is_more: false },
    })
    const admin = await memberOf(server, 'admin')
    const entries = async (limit: number) => {
      const { data } = await admin.call('listAuditEntries', { action: 'user', limit })
      return data.map(({ action, before, after }) => ({ action, before, after }))
    }
    expect(await entries(2)).toEqual([
      {
        action: 'user.changed',
        before: { seats: 24, name: 'P', at: null },
        after: { seats: 25, name: null, at: '2026-01-01T00:00:00Z' },
      },
      { action: 'user.created', before: null, after: { seats: 24, name: 'P' } },
    ])
    await member.call('deleteUser', { environment, user_id })
    expect((await member.send('getUser', { environment, user_id })).code).toBe('not_found')
    // The entries stay, the values of the deleted user do not.
    expect(await entries(3)).toEqual(
      ['user.deleted', 'user.changed', 'user.created'].map((action) => ({ action, before: null, after: null })),
    )
  })

  it('of one environment is not seen or changed from another', async () => {
    await server.client.post('/users', { id: 'apart', attributes: { secret: 'mine' } })
    for (const name of ['getUser', 'getUserDeletion', 'listUserTimeline', 'deleteUser'] as const)
      expect((await member.send(name, { environment: 'staging', user_id: 'apart' })).code).toBe('not_found')
    expect((await server.client.get('/users/apart')).status).toBe(200)
    expect((await member.send('getUser', { environment: 'elsewhere', user_id: 'apart' })).code).toBe('not_found')
  })

  it('shows memberships from both ends, and makes and removes them', async () => {
    for (const id of ['g_1', 'g_2', 'g_3'])
      await member.call('createGroup', { environment, id, attributes: { name: id } })
    await member.call('createUser', { environment, id: 'u_groups' })
    for (const group_id of ['g_1', 'g_2', 'g_3'])
      await member.call('setMembership', { environment, user_id: 'u_groups', group_id, attributes: { role: 'owner' } })
    const first = await member.call('listUserGroups', { environment, user_id: 'u_groups', limit: 2 })
    const cursor = first.next as string
    const second = await member.call('listUserGroups', { environment, user_id: 'u_groups', limit: 2, cursor })
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(['g_3', 'g_2', 'g_1'])
    expect(first.data[0]).toMatchObject({ name: 'g_3', attributes: { role: 'owner' } })
    await member.call('removeMembership', { environment, user_id: 'u_groups', group_id: 'g_2' })
    expect((await member.call('listGroupMembers', { environment, group_id: 'g_2' })).data).toEqual([])
    expect((await member.call('listGroupMembers', { environment, group_id: 'g_3' })).data).toMatchObject([
      { id: 'u_groups' },
    ])
    const nowhere = { environment, user_id: 'u_groups', group_id: 'nowhere' }
    expect((await member.send('setMembership', nowhere)).code).toBe('not_found')
    expect((await server.client.get('/groups/nowhere')).status).toBe(404)
  })
})

describe('with large attributes', () => {
  const attributes = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`text_${n}`, 'x'.repeat(8_000)]))
  const MOST_BYTES = 4.5 * 1024 * 1024

  /** All pages, and none with more bytes than it may have. */
  async function pagesOf<Row>(
    read: (page: { limit: number; cursor?: string }) => Promise<{ data: Row[]; next: string | null }>,
  ) {
    const pages: Row[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, next }: { data: Row[]; next: string | null } = await read({ limit: 100, ...(cursor && { cursor }) })
      expect(JSON.stringify(data).length).toBeLessThan(MOST_BYTES)
      pages.push(data)
      cursor = next
    }
    return pages
  }

  it('a page of memberships ends at 4 MiB of them, and the next one continues after it', async () => {
    const user_id = 'u_large_groups'
    await member.call('createUser', { environment, id: user_id })
    const memberships = Array.from({ length: 50 }, (_, n) => ({ group: { id: `large_${String(n).padStart(2, '0')}` } }))
    await server.client.post('/users', { id: user_id, memberships })
    await server.database.query('update group_memberships set attributes = $1::jsonb where user_id = $2::text', [
      JSON.stringify(attributes),
      user_id,
    ])
    const pages = await pagesOf((page) => member.call('listUserGroups', { environment, user_id, ...page }))
    const ids = memberships.map(({ group }) => group.id)
    expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed())
    expect(pages.map(({ length }) => length)).toEqual([18, 18, 14])
  })

  it('a page of a timeline ends at 4 MiB of events, and nothing is left out between its items', async () => {
    const user_id = 'u_large_events'
    await member.call('createUser', { environment, id: user_id })
    const { id } = (
      await server.client.post('/webhook_subscriptions', {
        url: 'http://127.0.0.1:9/hook',
        topics: ['user'],
        disabled: true,
      })
    ).body
    const first = Date.parse((await member.call('getUser', { environment, user_id })).created_at) + 1_000
    const time = (n: number) => new Date(first + n * 1_000)
    for (let n = 0; n < 50; n += 1) {
      const event = { name: 'large', user_id, time: time(n).toISOString() }
      await server.client.post('/events', { ...event, attributes: n < 40 ? attributes : {} })
    }
    await server.database.query(
      `insert into webhook_notifications (environment_id, id, topic, object, user_id, created_at)
       select $1::int, (lpad(to_hex($3::bigint + n * 2000 + 500), 12, '0') || '7000' || '8000' || lpad(n::text, 12, '0'))::uuid, 'user.updated', '{}',
              $2::text, now() from generate_series(0, 24) as n`,
      [server.environmentId, user_id, first],
    )
    const pages = await pagesOf((page) => member.call('listUserTimeline', { environment, user_id, ...page }))
    const items = pages.flat()
    expect(items.map(({ kind }) => kind).filter((kind) => kind === 'event')).toHaveLength(50)
    expect(items.map(({ kind }) => kind).filter((kind) => kind === 'webhook')).toHaveLength(25)
    const places = items.map((item) => (item.kind === 'webhook' ? timeOfId(item.notification_id) : Date.parse(item.at)))
    expect(places).toEqual([...new Set(places)].toSorted((one, other) => other - one))
    expect(items).toHaveLength(76)
    await server.client.delete(`/webhook_subscriptions/${id}`)
  })
})

describe('a timeline', () => {
  it('has events and webhooks newest first, page by page, and ends with the creation', async () => {
    const user_id = 'u_timeline'
    await member.call('createUser', { environment, id: user_id })
    const subscription = await server.client.post('/webhook_subscriptions', {
      url: 'http://127.0.0.1:9/hook',
      topics: ['event.tracked.odd'],
      disabled: true,
    })
    expect(subscription.status).toBe(200)
    for (let n = 0; n < 7; n += 1)
      await server.client.post('/events', { name: n % 2 ? 'odd' : 'even', user_id, attributes: { n } })
    const items: Output<'listUserTimeline'>['data'] = []
    let cursor: string | undefined
    do {
      const page = await member.call('listUserTimeline', { environment, user_id, limit: 3, ...(cursor && { cursor }) })
      items.push(...page.data)
      cursor = page.next ?? undefined
    } while (cursor)
    const events = items.flatMap((item) => (item.kind === 'event' ? [item.event.attributes.n] : []))
    expect(events).toEqual([6, 5, 4, 3, 2, 1, 0])
    expect(items.at(-1)).toMatchObject({ kind: 'created' })
    const shown = await member.call('listUserTimeline', { environment, user_id, show: 'events' })
    expect(new Set(shown.data.map(({ kind }) => kind))).toEqual(new Set(['event']))
    const [event] = shown.data
    const id = event?.kind === 'event' ? event.event.id : ''
    expect(await member.call('getEvent', { environment, event_id: id })).toMatchObject({ id, name: 'even' })
    expect((await member.send('getEvent', { environment: 'staging', event_id: id })).code).toBe('not_found')
  })

  it('has the times of events that their offset carries out of the years with four digits', async () => {
    const user_id = 'u_far'
    await member.call('createUser', { environment, id: user_id })
    for (const time of ['9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00+23:59'])
      expect((await server.client.post('/events', { name: 'far', user_id, time })).status).toBe(200)
    const { data } = await member.call('listUserTimeline', { environment, user_id, show: 'events' })
    const times = data.map((item) => item.kind === 'event' && [item.at, item.event.time])
    expect(times).toEqual(
      ['+010000-01-01T23:58:59.000Z', '0000-01-01T00:00:00.000Z', '-000001-12-31T00:01:00.000Z'].map((at) => [at, at]),
    )
  })

  it('places events by their own time, also between and before webhooks and the creation, each once', async () => {
    const user_id = 'u_back_dated'
    const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString()
    const times = ['2024-03-05T10:00:00Z', minutes(-1), '0001-01-01T00:00:00Z', minutes(60), '2024-03-05T10:00:00Z']
    await member.call('createUser', { environment, id: user_id })
    const hook = { url: 'http://127.0.0.1:9/hook', topics: ['event.tracked.back_dated'] }
    expect((await server.client.post('/webhook_subscriptions', hook)).status).toBe(200)
    for (const [n, time] of times.entries())
      await server.client.post('/events', { name: 'back_dated', user_id, time, attributes: { n } })
    const items: Output<'listUserTimeline'>['data'] = []
    let cursor: string | undefined
    do {
      const page = await member.call('listUserTimeline', { environment, user_id, limit: 2, ...(cursor && { cursor }) })
      items.push(...page.data)
      cursor = page.next ?? undefined
    } while (cursor)
    const shown = items.map((item) => (item.kind === 'event' ? item.event.attributes.n : item.kind))
    const webhooks = Array.from({ length: 5 }, () => 'webhook')
    expect(shown).toEqual([3, ...webhooks, 'created', 1, 4, 0, 2])
    expect(items.map(({ at }) => at)).toEqual(
      items
        .map(({ at }) => at)
        .sort()
        .reverse(),
    )
    expect(items.at(-2)?.at).toBe('2024-03-05T10:00:00.000Z')
  })
})
