import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { exchangeBytes } from '../support/raw.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const post = (path: string, body: object, more = {}) => ({ method: 'POST', path, body, ...more })
const run = async (operations: unknown[], more = {}, headers = {}) =>
  await server.client.post('/batch', { operations, ...more }, headers)
const statuses = (body: { results?: { status: number }[] }) => body.results?.map(({ status }) => status)
const count = async (name: string) =>
  (await server.client.get(`/events?name=${name}&limit=100`)).body.data.length as number

/** A user whose attributes have nearly as many bytes as they may have. */
async function createLargeUser(id: string): Promise<void> {
  const attributes = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`text ${index}`, 'é'.repeat(4_096)]))
  expect((await server.client.post('/users', { id, attributes })).status).toBe(200)
}

const addOne = (id: string) => post('/users', { id, attributes: { n: { add: 1 } } })
const numberOf = async (id: string) => (await server.client.get(`/users/${id}`)).body.attributes.n

describe('a batch', () => {
  it('carries out what its answers have room for, and nothing behind the first operation without', async () => {
    await createLargeUser('large')
    const { status, body } = await run([
      ...Array.from({ length: 280 }, () => addOne('large')),
      { method: 'DELETE', path: '/users/large' },
    ])
    const stored = body.results.filter((result: { status: number }) => result.status === 200)
    const numbers = stored.map((result: { body: { attributes: { n: number } } }) => result.body.attributes.n)
    expect([status, statuses(body)]).toEqual([
      200,
      [...Array(stored.length).fill(200), ...Array(281 - stored.length).fill(413)],
    ])
    expect(numbers).toEqual(numbers.map((_: number, index: number) => index + 1))
    const bytes = stored.length * Buffer.byteLength(JSON.stringify(stored.at(-1)))
    expect(bytes).toBeLessThanOrEqual(limits.batchAnswerBytes)
    expect(bytes).toBeGreaterThan(limits.batchAnswerBytes - 2 * limits.attributesBytes)
    expect(body.results.at(-1).body.error).toMatchObject({ code: 'payload_too_large' })
    expect(await numberOf('large')).toBe(stored.length)
  })

  it('that is atomic is refused as a whole when its answers have no room', async () => {
    await createLargeUser('large-atomic')
    const most = Array.from({ length: 280 }, () => addOne('large-atomic'))
    const refused = await run(most, { atomic: true })
    expect([refused.status, refused.body.error.code]).toEqual([413, 'payload_too_large'])
    expect(await numberOf('large-atomic')).toBeUndefined()
    expect((await run(most.slice(0, 2), { atomic: true })).status).toBe(200)
    expect(await numberOf('large-atomic')).toBe(2)
  })

  it('that is atomic is refused as a whole when it writes more attributes than its answers may have, shown or not', async () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 31 }, (_, index) => [`text ${index}`, 'é'.repeat(4_096)]),
    )
    expect((await server.client.post('/groups', { id: 'large-group', attributes })).status).toBe(200)
    const join = (number: number) =>
      post('/users', { id: `joins-${number}`, groups: [{ id: 'large-group', attributes: { n: { add: 1 } } }] })
    const operations = Array.from({ length: 560 }, (_, number) => join(number))
    const refused = await run(operations, { atomic: true })
    expect([refused.status, refused.body.error.code]).toEqual([413, 'payload_too_large'])
    expect((await server.client.get('/users/joins-0')).status).toBe(404)
    expect((await server.client.get('/groups/large-group')).body.attributes.n).toBeUndefined()
    expect((await run(operations.slice(0, 9), { atomic: true })).status).toBe(200)
    expect((await server.client.get('/groups/large-group')).body.attributes.n).toBe(9)
  })

  it('carries out its operations in order, and answers each as a request would be', async () => {
    const { status, body } = await run([
      post('/users', { id: 'b1', attributes: { n: 1 }, groups: [{ id: 'bg' }] }),
      post('/users', { id: 'b1', attributes: { n: { add: 5 } } }),
      post('/events', { name: 'batched', user_id: 'b1' }),
      post('/groups', { id: 'bg', attributes: { name: 'G' } }),
      { method: 'DELETE', path: '/group_memberships?user_id=b1&group_id=bg' },
      { method: 'DELETE', path: '/users/b1' },
      post('/users', { id: 'b1', attributes: { n: { add: 2 } } }),
      { method: 'DELETE', path: '/users/a%2Fb/' },
    ])
    expect([status, statuses(body)]).toEqual([200, Array(8).fill(200)])
    expect(body.results[1].body.attributes).toEqual({ n: 6 })
    expect(body.results[2].body).toMatchObject({ object: 'event', name: 'batched' })
    expect(body.results[5].body).toEqual({ id: 'b1', object: 'user', deleted: true })
    expect(body.results[7].body.id).toBe('a/b')
    expect((await server.client.get('/users/b1?expand=groups')).body).toMatchObject({
      attributes: { n: 2 },
      groups: [],
    })
    expect(await count('batched')).toBe(0)
  })

  it('does not let bad operations stop good ones, and says what is wrong with each', async () => {
    const { status, body } = await run([
      post('/users', { id: 'good 1' }),
      post('/users', { id: 5.5 }),
      post('/users', { id: 'text', attributes: { n: 'text' } }),
      post('/users', { id: 'text', attributes: { n: { add: 1 } } }),
      post('/nothing', {}),
      { method: 'DELETE', path: '/users' },
      { method: 'POST', path: '/events' },
      { method: 'DELETE', path: '/users/x', body: {} },
      post('/users?expand=groups', { id: 'x' }),
      post('/users', { id: 'x', expand: 'groups' }),
      { method: 'DELETE', path: '/users/%zz' },
      { method: 'DELETE', path: '/users/%00' },
      post('/users', { id: 'x', attributes: { big: 2 ** 60 } }),
      post('/users', { id: 'x' }, { idempotency_key: 'a b' }),
      post('/webhook_subscriptions', { url: 'https://example.com', topics: ['user'] }),
      post('/batch', { operations: [] }),
      5,
      null,
      [],
      {},
      post('/users', { id: 'x' }, { unknown: 1 }),
      post('/users', { id: 'x' }, { method: 'GET' }),
      post('/users', { id: 'x' }, { body: 'x' }),
      post('/users', { id: 'x' }, { idempotency_key: 5 }),
      post('/users', { id: 'good 2' }),
    ])
    expect(status).toBe(200)
    expect(statuses(body)).toEqual([200, 400, 200, ...Array(21).fill(400), 200])
    expect(body.results.at(-4).body.error).toMatchObject({ param: 'method' })
    const unknown = { param: 'path', message: expect.stringMatching(/no POST \/nothing; it has POST \/users, DELETE /) }
    expect(body.results[4].body.error).toMatchObject(unknown)
    expect(body.results[3].body.error).toMatchObject({ code: 'invalid_params', request_id: expect.any(String) })
    expect((await server.client.get('/users/x')).status).toBe(404)
    expect((await server.client.get('/users/good%202')).status).toBe(200)
  })

  it('that is malformed as a whole is 400, and nothing of it is stored', async () => {
    const good = post('/users', { id: 'never' })
    for (const body of [
      {},
      { operations: [] },
      { operations: {} },
      { operations: [good, 5], atomic: true },
      { operations: [good, { ...good, unknown: 1 }], atomic: true },
      { operations: [good, { ...good, method: 'GET' }], atomic: true },
      { operations: [good], unknown: 1 },
      { operations: [good], atomic: 'yes' },
      { operations: Array(limits.operationsPerBatch + 1).fill(good) },
    ])
      expect((await server.client.post('/batch', body)).status).toBe(400)
    expect((await server.client.get('/users/never')).status).toBe(404)
  })

  it('has up to 1,000 operations and 10 MiB', async () => {
    const events = Array.from({ length: limits.operationsPerBatch }, (_, index) =>
      post('/events', { name: 'thousand', user_id: `t${index}` }),
    )
    expect(new Set(statuses((await run(events)).body))).toEqual(new Set([200]))
    const text = JSON.stringify({ operations: [post('/users', { id: 'sized' })] })
    const sized = (bytes: number) => text + ' '.repeat(bytes - text.length)
    expect((await server.client.send('POST', '/batch', sized(limits.batchBodyBytes))).status).toBe(200)
    expect((await server.client.send('POST', '/batch', sized(limits.batchBodyBytes + 1))).status).toBe(413)
  })

  it('sees and changes only its own environment', async () => {
    await server.client.post('/users', { id: 'ours', attributes: { secret: 'ours' } })
    const { body } = await server.otherClient.post('/batch', {
      operations: [post('/users', { id: 'ours' }), { method: 'DELETE', path: '/users/ours' }],
    })
    expect(body.results[0].body.attributes).toEqual({})
    expect((await server.client.get('/users/ours')).body.attributes).toEqual({ secret: 'ours' })
  })
})

it('single requests that are sent at once on one connection keep their order, also around a key that was used before', async () => {
  const first = await server.client.post('/users', { id: 'one-connection' }, { 'idempotency-key': 'one-connection' })
  expect(first.status).toBe(200)
  const last = 59
  const lines = (n: number) => {
    if (n === 20) return ['idempotency-key: one-connection']
    return n === last ? ['connection: close'] : []
  }
  const request = (n: number) => {
    const body = JSON.stringify({ id: 'one-connection', ...(n === 20 ? {} : { attributes: { n } }) })
    const headers = [
      ...[`host: ${new URL(server.url).host}`, `authorization: Bearer ${server.key}`, 'content-type: application/json'],
      ...[`content-length: ${body.length}`, ...lines(n)],
    ]
    return ['POST /users HTTP/1.1', ...headers, '', body].join('\r\n')
  }
  for (let round = 0; round < 5; round += 1) {
    const requests = Array.from({ length: last + 1 }, (_, n) => request(n)).join('')
    const answers = String(await exchangeBytes(Number(new URL(server.url).port), requests))
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(last + 1)
    expect((await server.client.get('/users/one-connection')).body.attributes).toEqual({ n: last })
  }
})

it('keeps the order of writes and deletes of the same objects, every time', async () => {
  for (let round = 0; round < 20; round += 1) {
    const id = `order ${round}`
    const operations = [
      post('/users', { id, groups: [{ id: 'order' }] }),
      { method: 'DELETE', path: `/users/${encodeURIComponent(id)}` },
      post('/users', { id, attributes: { n: { add: 1 } } }),
      post('/users', { id, attributes: { n: { add: 1 } } }),
    ]
    const { body } = await run(operations)
    expect(body.results[3].body.attributes).toEqual({ n: 2 })
    const { attributes, memberships } = (await server.client.get(`/users/${encodeURIComponent(id)}?expand=memberships`))
      .body
    expect([attributes, memberships]).toEqual([{ n: 2 }, []])
  }
})

describe('an atomic batch', () => {
  it('names the operation whose idempotency_key is not valid, and stores nothing', async () => {
    const operations = [post('/users', { id: 'unstored' }), post('/users', { id: 'x' }, { idempotency_key: 'a b' })]
    const { status, body } = await run(operations, { atomic: true })
    expect([status, body.error.param]).toEqual([400, 'operations[1].idempotency_key'])
    expect((await server.client.get('/users/unstored')).status).toBe(404)
  })

  it('stores all of it', async () => {
    const { status, body } = await run(
      [
        post('/users', { id: 'a1', groups: [{ id: 'ag' }], attributes: { n: 1 } }),
        post('/users', { id: 'a1', attributes: { n: { add: 1 } } }),
        post('/events', { name: 'atomic', user_id: 'a1' }),
      ],
      { atomic: true },
    )
    expect([status, statuses(body)]).toEqual([200, [200, 200, 200]])
    expect(body.results[1].body.attributes).toEqual({ n: 2 })
    expect(await count('atomic')).toBe(1)
  })

  it.each([
    ['a body that is wrong', post('/users', { id: 5.5 }), 'body.id'],
    [
      'a value that does not fit',
      post('/users', { id: 'words', attributes: { n: { add: 1 } } }),
      'body.attributes.n.add',
    ],
    ['an event of nobody', post('/events', { name: 'nobody' }), 'body.user_id'],
    ['memberships of nowhere', post('/users', { id: 'x', prune_memberships: true }), 'body.prune_memberships'],
    ['a delete', { method: 'DELETE', path: '/users/words' }, 'method'],
    ['an unknown path', post('/nothing', {}), 'path'],
    ['an unknown field', post('/users', { id: 'x' }, { unknown: 1 }), 'unknown'],
  ])('with %s stores nothing, and names it', async (_name, bad, field) => {
    await server.client.post('/users', { id: 'words', attributes: { n: 'words' } })
    const good = [post('/users', { id: 'all or nothing' }), post('/events', { name: 'rolled_back', user_id: 'x' })]
    for (const operations of [
      [...good, bad, ...good],
      [good[1], good[1], bad],
    ]) {
      const { status, body } = await run(operations, { atomic: true })
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('operations[2]')])
      expect(body.error.param).toBe(`operations[2].${field}`)
    }
    expect((await server.client.get('/users/all%20or%20nothing')).status).toBe(404)
    expect(await count('rolled_back')).toBe(0)
  })

  it('beside others at the same time fails alone', async () => {
    await server.client.post('/users', { id: 'words', attributes: { n: 'words' } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run(
          [
            post('/users', { id: `side ${index}` }),
            index % 2
              ? post('/users', { id: 'words', attributes: { n: { add: 1 } } })
              : post('/groups', { id: 'side' }),
          ],
          { atomic: true },
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 ? 400 : 200)))
    for (const index of [0, 1, 2, 3])
      expect((await server.client.get(`/users/side%20${index}`)).status).toBe(index % 2 ? 404 : 200)
  })
})

describe('a batch that is repeated', () => {
  const add = (key?: string) =>
    post('/users', { id: 'repeated', attributes: { n: { add: 1 } } }, key === undefined ? {} : { idempotency_key: key })
  const n = async () => (await server.client.get('/users/repeated')).body.attributes.n

  it('carries out an operation with its own key once, in any batch', async () => {
    await run([add('k1'), add('k2'), add('k1')])
    const second = await run([add('k3'), add('k2')], { atomic: true })
    await run([add('k1')])
    expect([await n(), second.status]).toEqual([3, 200])
    const reused = await run([post('/users', { id: 'other' }, { idempotency_key: 'k1' }), add()])
    expect(statuses(reused.body)).toEqual([409, 200])
  })

  it('with one key for all of it is carried out once', async () => {
    const before = await n()
    const headers = { 'idempotency-key': 'whole-batch' }
    const first = await run([add(), add(), post('/users', { id: 5.5 })], {}, headers)
    const again = await run([add(), add(), post('/users', { id: 5.5 })], {}, headers)
    expect(statuses(again.body)).toEqual([200, 200, 400])
    expect(again.body.results.slice(0, 2)).toEqual(first.body.results.slice(0, 2))
    expect(await n()).toBe(before + 2)
    expect((await run([add()], {}, headers)).status).toBe(409)
  })

  it.each([{}, { atomic: true }])(
    'with the key of another request is 409, and nothing of it is stored: %j',
    async (more) => {
      const key = `reused ${JSON.stringify(more)}`.replace(/\W/g, '_')
      const headers = { 'idempotency-key': key }
      const keyed = post('/users', { id: 'keyed' }, { idempotency_key: `${key}_own` })
      const first = [keyed, add(), ...('atomic' in more ? [] : [post('/users', { id: 5.5 })])]
      expect((await run(first, more, headers)).status).toBe(200)
      const before = await n()
      const longer = await run([...first, post('/users', { id: 'never' })], more, headers)
      const other = await run([post('/users', { id: 'never' })], more, headers)
      const single = await server.client.post('/users', { id: 'never' }, headers)
      expect([longer.status, other.status, single.status]).toEqual([409, 409, 409])
      expect([await n(), (await server.client.get('/users/never')).status]).toEqual([before, 404])
      await server.client.post('/users', { id: 'single' }, { 'idempotency-key': `${key}_single` })
      const batch = await run([add(), add()], more, { 'idempotency-key': `${key}_single` })
      expect([batch.status, await n()]).toEqual([409, before])
    },
  )

  it.each([
    ['{"id":"shared","attributes":{"n":{"add":1.0}}}', '{ "attributes" : {"n":{"add":1}}, "id" : "shared" }'],
    ['{"id":7,"attributes":{"n":{"add":1}}}', '{"id":"7","attributes":{"n":{"add":1}}}'],
    [
      '{"id":"\\u0073hared","attributes":{"b":1,"n":{"add":1},"1":2}}',
      '{"id":"shared","attributes":{"1":2,"n":{"add":1},"b":1}}',
    ],
  ])('has an operation in common with a single request that has the same key: %s', async (text, same) => {
    const send = async (body: string, key: string) =>
      await server.client.send('POST', '/users/', body, { 'idempotency-key': key })
    const inBatch = async (body: string, key: string) =>
      await server.client.send(
        'POST',
        '/batch',
        `{"operations":[{"method":"POST","path":"/users","body":${body},"idempotency_key":"${key}"}]}`,
      )
    const [one, two] = [`one${text.length}`, `two${text.length}`]
    const first = await send(text, one)
    for (const body of [text, same]) {
      expect((await inBatch(body, one)).body.results).toEqual([{ status: 200, body: first.body }])
      expect((await send(body, one)).text).toBe(first.text)
    }
    const [{ body: other }] = (await inBatch(text, two)).body.results
    expect((await send(same, two)).body).toEqual(other)
    expect((await server.client.delete('/users/nobody', { 'idempotency-key': `${one}d` })).status).toBe(200)
    const deletion = { method: 'DELETE', path: '/users/nobody/', idempotency_key: `${one}d` }
    expect(statuses((await run([deletion])).body)).toEqual([200])
  })
})

it('notify: false sends no notification, and neither does the header', async () => {
  const { client, database, environmentId } = server
  await client.post('/webhook_subscriptions', { url: 'http://127.0.0.1:9/hook', topics: ['user', 'event'] })
  const countNotifications = async () => {
    const [row] = await database.query<{ count: number }>(
      'select count(*)::int as count from webhook_notifications where environment_id = $1::int',
      [environmentId],
    )
    return row?.count
  }
  const before = (await countNotifications()) as number
  const operations = [post('/users', { id: 'quiet' }), post('/events', { name: 'quiet', user_id: 'quiet' })]
  await run(operations, { notify: false })
  await run(operations, {}, { 'usher-notify': 'false' })
  await run(operations, { notify: false, atomic: true })
  expect(await countNotifications()).toBe(before)
  await run(operations)
  expect(await countNotifications()).toBe(before + 2)
})

it('costs as many requests of the limit as it has operations', async () => {
  const limited = await startTestServer({ plan: 'starter' })
  const events = (length: number) => ({
    operations: Array.from({ length }, () => post('/events', { name: 'paid', user_id: 'u' })),
  })
  try {
    expect((await limited.client.post('/batch', events(501))).status).toBe(400)
    // A minute can end in between. Then there is a new budget, and the test repeats.
    const answers = []
    for (let count = 0; count < 4; count += 1) answers.push(await limited.client.post('/batch', events(200)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, body } of refused) {
      const left = Number(headers['ratelimit-remaining'])
      expect([left < 199, left > 90]).toEqual([true, true])
      expect(body.error.message).toContain(`The batch has 200 operations, and the account has ${left} more requests`)
    }
    // A refused batch leaves the rest of the minute to others.
    expect((await limited.client.post('/users', { id: 'u' })).status).toBe(200)
    expect((await limited.client.post('/batch', events(90))).status).toBe(200)
  } finally {
    await limited.close()
  }
})

it('an inexact number beside a string of megabytes is the 400 of its operation', async () => {
  const body = `{"operations":[{"method":"POST","path":"/users","body":{"id":"huge","attributes":{"s":"${'x'.repeat(9_000_000)}","n":9007199254740993}}}]}`
  const { status, text } = await server.client.send('POST', '/batch', body)
  expect([status, text.includes('"status":400')]).toEqual([200, true])
})
