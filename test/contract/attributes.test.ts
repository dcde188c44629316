import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationKeys } from '../../contract/attributes.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const set = async (id: string, attributes: unknown) => await server.client.post('/users', { id, attributes })

describe('values come back as they were sent', () => {
  it.each([
    [
      'numbers',
      { a: 1e308, b: 5e-324, c: 0.1 + 0.2, d: -1.5, e: 0, f: 2 ** 53, g: 1.7976931348623157e308, h: -(2 ** 53) },
    ],
    [
      'date-times',
      { a: '2026-01-03T09:30:00+05:30', b: '2026-01-03T09:30Z', c: '2026-01-03T09:30:00.000000000-00:00' },
    ],
    [
      'texts',
      {
        a: '',
        b: '👩‍🚀',
        c: '\u0001\t\n\u2028"\\',
        d: "'; drop table users; --",
        e: '\ud7ff\ue000\uffff',
        f: '$1 {} %s',
      },
    ],
    ['texts that look like others', { a: 'null', b: 'true', c: '1', d: '1e5', e: 'NaN', f: '[object Object]' }],
    ['booleans', { a: true, b: false }],
  ])('%s', async (id, attributes) => {
    expect((await set(id, attributes)).body.attributes).toEqual(attributes)
    expect((await server.client.get(`/users/${encodeURIComponent(id)}`)).body.attributes).toEqual(attributes)
    // Reads the stored values again, through the write path.
    expect((await set(id, {})).body.attributes).toEqual(attributes)
  })

  it('minus zero is zero', async () => {
    const { body } = await server.client.send('POST', '/users', '{"id":"zero","attributes":{"a":-0,"b":{"add":-0}}}')
    expect(body.attributes.a + 0).toBe(0)
    expect(body.attributes.b + 0).toBe(0)
  })

  it('a number that no double holds is refused', async () => {
    for (const number of ['1e309', '-1e400']) {
      const body = `{"id":"inf","attributes":{"a":${number}}}`
      const refused = await server.client.send('POST', '/users', body)
      expect(refused.body.error.message).toBe('attributes.a: must be a number that a 64-bit double can hold')
      const added = `{"id":"inf","attributes":{"a":{"add":${number}}}}`
      expect((await server.client.send('POST', '/users', added)).status).toBe(400)
    }
  })
})

/** Compared as text: parsed numbers are doubles, which may have lost digits. */
describe('whole numbers', () => {
  const send = async (number: string) =>
    await server.client.send('POST', '/users', `{"id":"whole","attributes":{"a":${number}}}`)

  it.each(['9007199254740991', '9007199254740992', '-9007199254740992', '0'])(
    '%s is stored as it is',
    async (number) => {
      expect((await send(number)).text).toContain(`"attributes":{"a": ${number}}`)
      expect((await server.client.get('/users/whole')).text).toContain(`"attributes":{"a": ${number}}`)
    },
  )

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740994',
    '12345678901234567890',
    '1152921504606846976',
    '100000000000000000000000',
  ])('%s is refused: send a string', async (number) => {
    await send('1')
    for (const text of [number, ...operationKeys.map((key) => `{"${key}":${number}}`)]) {
      const { status, body } = await send(text)
      expect([text, status]).toEqual([text, 400])
      expect(body.error.message).toMatch(/^attributes\.a.*: is a whole number beyond ±2\^53, .*; send it as a string$/)
    }
    expect((await server.client.get('/users/whole')).body.attributes).toEqual({ a: 1 })
    expect((await send(`"${number}"`)).body.attributes).toEqual({ a: number })
  })

  it('beyond 2^53 in the form of doubles are doubles, whatever strings are beside them', async () => {
    const body =
      '{"id":"doubles","attributes":{"a":1e21,"b":1.5e300,"c":9007199254740993.0,"d":"9007199254740993","e":"\\"1e21"}}'
    const { status } = await server.client.send('POST', '/users', body)
    expect(status).toBe(200)
    const both = '{"id":"doubles","attributes":{"a":1e21,"b":1000000000000000000000}}'
    expect((await server.client.send('POST', '/users', both)).status).toBe(400)
  })

  it('beyond 2^53 in the form of doubles can be sent back as they were read, alone and in a batch', async () => {
    const body = '{"id":"sent back","attributes":{"a":1e21,"b":-1.5e300,"c":9007199254740994.0,"d":1e16}}'
    const { text } = await server.client.send('POST', '/users', body)
    expect(text).toContain('"a": 1000000000000000000000.0')
    expect((await server.client.get('/users/sent%20back')).text).toBe(text)
    expect(await server.client.send('POST', '/users', text)).toMatchObject({ status: 200, text })
    const digits = '{"id":"digits","attributes":{"a":9007199254740993}}'
    const operations = [digits, body, text].map((each) => `{"method":"POST","path":"/users","body":${each}}`)
    const batch = await server.client.send('POST', '/batch', `{"operations":[${operations}]}`)
    expect(batch.body.results.map(({ status }: { status: number }) => status)).toEqual([400, 200, 200])
  })
})

describe('a datetime', () => {
  const typeOf = async (name: string) =>
    (await server.client.get('/attribute_definitions?scope=user&limit=100')).body.data.find(
      (definition: Json) => definition.name === name,
    )?.data_type

  it('is inferred from a full date-time with an offset, in any form', async () => {
    const values = ['2026-01-03T09:30Z', '20260103T093000Z', '2026-01-03T09:30:00,5+02', '2026-01-03T24:00:00Z']
    const attributes = Object.fromEntries(values.map((value, index) => [`inferred_${index}`, value]))
    expect((await set('inferred', attributes)).body.attributes).toEqual(attributes)
    for (const name of Object.keys(attributes)) expect([name, await typeOf(name)]).toEqual([name, 'datetime'])
  })

  it('may be a date, or be without an offset, only with a given type; it is answered as it was sent', async () => {
    const values = ['2026-01-03', '20260103', '2026-01-03T09:30:00', '2026-01-03T09:30']
    const given = Object.fromEntries(
      values.flatMap((value, index) => [
        [`untyped_${index}`, value],
        [`typed_${index}`, { set: value, data_type: 'datetime' }],
      ]),
    )
    const { body } = await set('typed', given)
    for (const [index, value] of values.entries()) {
      expect([body.attributes[`untyped_${index}`], await typeOf(`untyped_${index}`)]).toEqual([value, 'string'])
      expect([body.attributes[`typed_${index}`], await typeOf(`typed_${index}`)]).toEqual([value, 'datetime'])
    }
  })

  it.each([
    [
      'tomorrow',
      /^attributes\.a\.set: must be an ISO 8601 date-time such as 2026-01-03T09:30:00Z; its data_type is "datetime"$/,
    ],
    [1767432600, /^attributes\.a\.set: must be an ISO 8601 date-time such as 2026-01-03T09:30:00Z/],
    ['2026-02-30', /^attributes\.a\.set: "2026-02-30" is a day or a time that does not exist; send an ISO 8601/],
  ])('is not %j, and the message shows the form', async (value, message) => {
    const { status, body } = await set('no date-time', { a: { set: value, data_type: 'datetime' } })
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)])
  })
})

describe('a write and every later read answer the same bytes', () => {
  const attributes =
    '{"zz":1,"b":0.1,"10":1e-7,"9":true,"a b":-1.5e-9,"constructor":"\\u0001\\t\\u2028\\"","B":"👩‍🚀","c":12.50,"-":-0}'

  it.each(['users', 'groups'])('of %s', async (path) => {
    const { client } = server
    const written = await client.send('POST', `/${path}`, `{"id":"bytes","attributes":${attributes}}`)
    expect((await client.get(`/${path}/bytes`)).text).toBe(written.text)
    expect((await client.get(`/${path}?order_by=-created_at&limit=1`)).text).toContain(`"data":[${written.text}]`)
    expect((await client.post(`/${path}`, { id: 'bytes' })).text).toBe(written.text)
  })

  it('of memberships', async () => {
    const body = `{"id":"member","memberships":[{"group":{"id":"club","attributes":${attributes}},"attributes":${attributes}}]}`
    const { text } = await server.client.send('POST', '/users?expand=memberships.group', body)
    expect((await server.client.get('/users/member?expand=memberships.group')).text).toBe(text)
  })

  it('of events, as PostgreSQL holds them', async () => {
    const { client, database } = server
    const { text } = await client.send('POST', '/events', `{"name":"bytes","user_id":"u","attributes":${attributes}}`)
    const { rows } = await database.pool.query("select attributes::text as stored from events where name = 'bytes'")
    expect(text).toContain(`"attributes":${rows[0].stored},`)
  })
})

describe('names of inherited JavaScript properties', () => {
  it('are ordinary attribute names', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', '__defineGetter__', 'length']
    const attributes = Object.fromEntries(names.map((name) => [name, { set_once: name }]))
    const { body } = await set('names', attributes)
    expect(body.attributes).toEqual(Object.fromEntries(names.map((name) => [name, name])))
    const counted = await set('counted', Object.fromEntries(names.map((name) => [name, { add: 1 }])))
    expect(new Set(Object.values(counted.body.attributes))).toEqual(new Set([1]))
    const removed = await set('names', Object.fromEntries(names.map((name) => [name, null])))
    expect(removed.body.attributes).toEqual({})
  })

  it('but __proto__ is refused everywhere, and changes no prototype', async () => {
    for (const body of [
      '{"id":"p","attributes":{"__proto__":{"set":1}}}',
      '{"id":"p","attributes":{"__proto__":{"add":1}}}',
      '{"id":"p","attributes":{"__proto__":1}}',
      '{"id":"p","__proto__":{"polluted":1}}',
      '{"id":"p","attributes":{"a":{"__proto__":{"add":1}}}}',
      '{"id":"p","groups":[{"id":"g","__proto__":{"attributes":{}}}]}',
      '{"__proto__":{"id":"p"}}',
    ]) {
      const { status } = await server.client.send('POST', '/users', body)
      expect([body, status]).toEqual([body, 400])
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect((await server.client.get('/users/p')).status).toBe(404)
  })
})

describe('operations', () => {
  it('set_once changes nothing that is present, whatever its value', async () => {
    await set('once', { a: 0, b: '', c: false })
    const { body } = await set('once', {
      a: { set_once: 1 },
      b: { set_once: 1 },
      c: { set_once: 1 },
      d: { set_once: 1 },
    })
    expect(body.attributes).toEqual({ a: 0, b: '', c: false, d: 1 })
  })

  it('add and subtract refuse what is not a number, and what is not finite', async () => {
    await set('sum', { text: 'x', flag: true, most: 1.7e308, least: -1.7e308, kept: 1 })
    for (const [attributes, message] of [
      [{ text: { add: 1 } }, 'attributes.text.add: works only on a number, and the value is a string'],
      [{ flag: { subtract: 1 } }, 'attributes.flag.subtract: works only on a number, and the value is a boolean'],
      [{ most: { add: 1.7e308 } }, 'attributes.most.add: would give a number that no 64-bit double can hold'],
      [
        { least: { subtract: 1.7e308 } },
        'attributes.least.subtract: would give a number that no 64-bit double can hold',
      ],
    ] as const) {
      const { status, body } = await set('sum', { kept: 2, ...attributes })
      expect([status, body.error.message]).toEqual([400, message])
    }
    expect((await server.client.get('/users/sum')).body.attributes.kept).toBe(1)
  })

  it('add and subtract store every finite result', async () => {
    await set('finite', { most: 9007199254740991, huge: 1e300, least: -9007199254740991 })
    const { status, body } = await set('finite', { most: { add: 1 }, huge: { add: 1 }, least: { subtract: 3 } })
    expect([status, body.attributes]).toEqual([200, { most: 2 ** 53, huge: 1e300, least: -9007199254740994 }])
    const literal = '{"id":"finite","attributes":{"most":{"add":9007199254740993}}}'
    expect((await server.client.send('POST', '/users', literal)).status).toBe(400)
  })

  it.each([
    ['no operation', { a: {} }, /^attributes\.a: must have exactly one of set, set_once, add, subtract/],
    ['two operations', { a: { set: 1, add: 1 } }, /^attributes\.a: must have exactly one of .*, and has set and add/],
    ['only a data_type', { a: { data_type: 'string' } }, /^attributes\.a: must have exactly one/],
    [
      'an unknown operation',
      { a: { no_such_operation: 2 } },
      new RegExp(`^attributes\\.a: is an object; .* operations ${operationKeys.join(', ')}$`),
    ],
    ['an operation with something else', { a: { set: 2, unit: 'kg' } }, /^attributes\.a\.unit: is not a known field/],
    [
      'a nested object',
      { address: { street: 'x', zip: 1 } },
      /^attributes\.address: is an object; attributes hold strings[^;]*$/,
    ],
    ['an array', { a: [1] }, /^attributes\.a: is an array; attributes hold strings/],
    ['a nested object as an operand', { a: { set: { b: 1 } } }, /^attributes\.a\.set: must be/],
    ['null as an operand', { a: { set: null } }, /^attributes\.a\.set: must be/],
    ['text to add', { a: { add: '1' } }, /^attributes\.a\.add: must be a number/],
    ['a NUL', { a: 'x\0' }, /^attributes\.a: must not contain a NUL/],
    ['a lone surrogate', { a: '\ud800' }, /^attributes\.a: .*surrogate/],
    ['a bad name', { 'a.b': 1 }, /^attributes: the attribute name `a\.b` must be 1 to 100 characters/],
    ['an empty name', { '': 1 }, /^attributes: the attribute name `` must be 1 to 100 characters/],
    ['a list of attributes', [1], /^attributes: must be an object$/],
    ['a text for attributes', 'x', /^attributes: must be an object/],
  ])('refuses %s', async (_, attributes, message) => {
    const { status, body } = await set('refused', attributes)
    expect([status, body.error.code]).toEqual([400, 'invalid_params'])
    expect(body.error.message).toMatch(message)
    expect((await server.client.get('/users/refused')).status).toBe(404)
  })

  it('every problem of a request is named, each with its path', async () => {
    const { body } = await server.client.post('/users', {
      id: 5.5,
      attribute: {},
      attributes: { a: [], 'b!': 1, c: { add: 'x' } },
      groups: [{ id: 'ok' }, { id: '' }],
    })
    const problems = body.error.message.match(/(?<=^|; )[^ ]+(?=: )/g)
    expect(problems.toSorted()).toEqual([
      'attribute',
      'attributes',
      'attributes.a',
      'attributes.c.add',
      'groups[1].id',
      'id',
    ])
  })
})

it('one failing request of a flush fails alone', async () => {
  await set('flush', { text: 'x', count: 0 })
  const requests = Array.from({ length: 60 }, (_, index) =>
    set('flush', index % 3 === 0 ? { text: { add: 1 }, count: { add: 1000 } } : { count: { add: 1 } }),
  )
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(statuses).toEqual(statuses.map((_, index) => (index % 3 === 0 ? 400 : 200)))
  expect((await server.client.get('/users/flush')).body.attributes).toEqual({ text: 'x', count: 40 })
})
