import { describe, expect, it } from 'vitest'
import { IdempotencySweeper } from '../../server/idempotency/sweeper.ts'
import { tour } from '../support/content.ts'
import { silent } from '../support/log.ts'
import type { Client, Response } from '../support/requests.ts'
import { keyMaker, useTwoNodes } from '../support/two-nodes.ts'

const two = useTwoNodes()
const newKey = keyMaker('key')
const keyed = (key: string) => ({ 'idempotency-key': key })
const isReplay = ({ headers }: Response) => headers['idempotent-replayed'] === 'true'
const stored = async (key: string) =>
  await two.test.database.query<{ body: string }>('select body from idempotency_keys where key = $1::text', [key])

describe('a repeat with the same key', () => {
  it('gets the same bytes and is not carried out again, on any node', async () => {
    const headers = keyed(newKey())
    const body = { id: 'counted', attributes: { n: { add: 1 } } }
    const first = await two.client.post('/users', body, headers)
    const repeats = [
      await two.client.post('/users', body, headers),
      await two.onSecondNode.post('/users', body, headers),
    ]
    expect([first.status, first.body.attributes, isReplay(first)]).toEqual([200, { n: 1 }, false])
    expect(repeats.map(({ text, status }) => [status, text])).toEqual(repeats.map(() => [200, first.text]))
    expect(repeats.map(isReplay)).toEqual([true, true])
    await two.client.post('/users', body)
    expect((await two.client.post('/users', body, headers)).text).toBe(first.text)
    expect((await two.client.get('/users/counted')).body.attributes).toEqual({ n: 2 })
  })

  it.each<[string, string, unknown]>([
    ['POST', '/users', { id: 'every', groups: [{ id: 'every group' }] }],
    ['POST', '/groups', { id: 'every group', attributes: { n: { add: 1 } } }],
    ['POST', '/events', { name: 'every', user_id: 'every' }],
    ['POST', '/events', { name: 'brand new name', user_id: 'every', attributes: { 'brand new': 1 } }],
    ['DELETE', '/group_memberships?user_id=every&group_id=every%20group', undefined],
    ['DELETE', '/users/every', undefined],
    ['DELETE', '/groups/every%20group', undefined],
    ['DELETE', '/events/019b7a1e-2f00-7cc3-98c4-dc0c0c07398f', undefined],
    ['DELETE', '/webhook_subscriptions/019b7a1e-2f00-7cc3-98c4-dc0c0c07398f', undefined],
    ['DELETE', '/events/no-uuid', undefined],
    ['DELETE', '/webhook_subscriptions/no-uuid', undefined],
  ])('works for %s %s', async (method, path, body) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = keyed(newKey())
    const first = await two.client.send(method, path, text, headers)
    const repeat = await two.onSecondNode.send(method, path, text, headers)
    expect([first.status, isReplay(first), repeat.status, isReplay(repeat)]).toEqual([200, false, 200, true])
    expect(repeat.text).toBe(first.text)
  })

  it.each([undefined, false, true])(
    'gets it although it would be refused by now (in a batch, atomic: %s)',
    async (atomic) => {
      const id = `refused by now ${atomic}`
      const headers = keyed(newKey())
      const user = { id, attributes: { n: { add: 1 } } }
      const body = { atomic, operations: [{ method: 'POST', path: '/users', body: user }] }
      const send = () =>
        atomic === undefined ? two.client.post('/users', user, headers) : two.client.post('/batch', body, headers)
      const first = await send()
      await two.client.post('/users', { id, attributes: { n: 'text' } })
      const [repeat, { status }] = await Promise.all([send(), two.client.post('/users', user, keyed(newKey()))])
      expect([repeat.status, repeat.text, isReplay(repeat)]).toEqual([200, first.text, true])
      expect(status).toBe(400)
      expect((await two.client.get(`/users/${encodeURIComponent(id)}`)).body.attributes).toEqual({ n: 'text' })
    },
  )

  it('gets it about a content session whose content was taken down or deleted since, on any node', async () => {
    const { client, onSecondNode } = two
    const { body: content } = await client.post('/content', tour('taken-down'))
    await client.post(`/content/${content.id}/publish`, {})
    await client.post('/users', { id: 'inside' })
    const keys = Array.from({ length: 4 }, () => keyed(newKey()))
    const claim = { content: 'taken-down', user_id: 'inside', holder: 'h' }
    const session = `/content_sessions/${(await client.post('/content_sessions', claim, keys[0])).body.id}`
    const seen = { holder: 'h', reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] }
    const requests = [
      (node: Client) => node.post('/content_sessions', claim, keys[0]),
      (node: Client) => node.post(`${session}/progress`, seen, keys[1]),
      (node: Client) => node.post(`${session}/end?expand=user`, {}, keys[2]),
      (node: Client) => node.delete('/content_sessions?content=taken-down&user_id=inside', keys[3]),
    ]
    const first: Response[] = []
    for (const request of requests) first.push(await request(client))
    await client.post(`/content/${content.id}/unpublish`, {})
    for (const [index, request] of requests.entries()) {
      const repeat = await request(onSecondNode)
      expect([repeat.status, repeat.text, isReplay(repeat)]).toEqual([200, first[index]?.text, true])
    }
    await client.delete(`/content/${content.id}`)
    const [claimed, ...others] = await Promise.all(requests.map((request) => request(client)))
    expect([claimed?.status, claimed?.body.error.message]).toEqual([404, `Content with id '${content.id}' not found`])
    expect(others.map(isReplay)).toEqual([true, true, true])
    // Nothing was stored under a key that is new.
    expect((await client.post('/content_sessions', claim, keyed(newKey()))).body.error.code).toBe('not_found')
    expect((await client.post('/content_sessions', claim, keys[1])).body.error.code).toBe('idempotency_key_reused')
  })

  it('stores an event once', async () => {
    const headers = keyed(newKey())
    const body = { name: 'once', user_id: 'eventful' }
    const ids = new Set<string>()
    for (let count = 0; count < 3; count += 1) ids.add((await two.client.post('/events', body, headers)).body.id)
    expect(ids.size).toBe(1)
    expect((await two.client.get('/events?user_id=eventful')).body.data).toHaveLength(1)
  })

  it('shows the object of the first answer, with what is expanded below it as it is now', async () => {
    const headers = keyed(newKey())
    const body = { id: 'expanded', attributes: { a: '","created_at":"' }, groups: [{ id: 'eg', attributes: { n: 1 } }] }
    const send = async () => await two.client.post('/users?expand=groups', body, headers)
    const first = await send()
    expect(first.body.groups).toMatchObject([{ id: 'eg', attributes: { n: 1 } }])
    expect((await send()).text).toBe(first.text)
    await two.client.post('/users', { id: 'expanded', attributes: { a: 'later' } })
    await two.client.post('/groups', { id: 'eg', attributes: { n: 2 } })
    expect((await send()).text).toBe(first.text.replace('"n": 1', '"n": 2'))
    const event = { name: 'expanded', user_id: 'expanded' }
    const track = async () => await two.client.post('/events?expand=user.groups', event, keyed('expanded-event'))
    const tracked = await track()
    expect(tracked.body.user.groups).toHaveLength(1)
    await two.client.delete('/group_memberships?user_id=expanded&group_id=eg')
    expect((await track()).body).toEqual({ ...tracked.body, user: { ...tracked.body.user, groups: [] } })
    expect((await send()).body).toEqual({ ...first.body, groups: [] })
  })

  it('is stored without what is expanded below it', async () => {
    const groups = Array.from({ length: 100 }, (_, index) => ({
      id: `wide_${index}`,
      attributes: { t: 'x'.repeat(2_000) },
    }))
    await two.client.post('/users', { id: 'wide', groups })
    const { text } = await two.client.post('/users', { id: 'wide', expand: ['groups'] }, keyed('wide'))
    expect(text.length).toBeGreaterThan(200_000)
    const [row] = await two.test.database.query<{ bytes: number }>(
      `select octet_length(body) as bytes from idempotency_keys where key = 'wide'`,
      [],
    )
    expect(row?.bytes).toBeLessThan(500)
  })

  it('that was stored with its expansion by an earlier version is shown as it was', async () => {
    const send = async () => await two.client.post('/users?expand=groups', { id: 'stored' }, keyed('stored'))
    await send()
    const group =
      '{"id":"gone","object":"group","attributes":{},"created_at":"2026-01-01T00:00:00Z","memberships":null,"users":null}'
    const earlier = `{"id":"stored","object":"user","attributes":{},"created_at":"2026-01-01T00:00:00Z","groups":[${group}],"memberships":null}`
    await two.test.database.query(`update idempotency_keys set body = $1::text where key = 'stored'`, [earlier])
    expect((await two.client.post('/users?expand=groups', { id: 'stored' }, keyed('stored'))).text).toBe(earlier)
  })
})

describe('at the same time', () => {
  it('requests with one key on two nodes give one write and one answer', async () => {
    for (let round = 0; round < 5; round += 1) {
      const headers = keyed(newKey())
      const body = { id: `race ${round}`, attributes: { n: { add: 1 } } }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? two.client : two.onSecondNode).post('/users', body, headers),
        ),
      )
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
      expect((await two.client.get(`/users/race%20${round}`)).body.attributes).toEqual({ n: 1 })
    }
  })

  it('requests with one key on two nodes whose connections are killed get 200 or 503, and are carried out once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const headers = keyed(newKey())
      const path = `/users/killed%20${round}`
      const body = { id: `killed ${round}`, attributes: { n: { add: 1 } } }
      const send = (index: number) => (index % 2 ? two.client : two.onSecondNode).post('/users', body, headers)
      const killed = (async () => {
        for (let kill = 0; kill < 5; kill += 1)
          await two.test.database.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
            [],
          )
      })()
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)))
      await killed
      expect(answers.map(({ status, text }) => [200, 503].includes(status) || text)).not.toContainEqual(
        expect.any(String),
      )
      expect((await send(round)).status).toBe(200)
      expect((await two.client.get(path)).body.attributes).toEqual({ n: 1 })
    }
  })

  it('events with one key, among others without and with keys of their own, are stored once', async () => {
    const headers = keyed(newKey())
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const kind = ['same', 'own', 'none'][index % 3] as string
        const body = { name: 'crowd', user_id: `crowd ${kind}` }
        const sent = { same: headers, own: keyed(newKey()), none: {} }[kind]
        return (index % 2 ? two.client : two.onSecondNode).post('/events', body, sent)
      }),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const count = async (kind: string) =>
      (await two.client.get(`/events?user_id=crowd%20${kind}&limit=100`)).body.data.length
    expect([await count('same'), await count('own'), await count('none')]).toEqual([1, 20, 20])
  })

  it('two different requests with one key: one is carried out, the other is refused', async () => {
    const headers = keyed(newKey())
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id, index) =>
        (index % 2 ? two.client : two.onSecondNode).post('/users', { id: `either ${id}` }, headers),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const found = await Promise.all(['a', 'b', 'c', 'd'].map((id) => two.client.get(`/users/either%20${id}`)))
    expect(found.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
  })
})

describe('a key', () => {
  it('is refused for another body, path or method, and nothing is stored', async () => {
    const headers = keyed(newKey())
    await two.client.post('/users', { id: 'first' }, headers)
    for (const [method, path, body] of [
      ['POST', '/users', '{"id":"second"}'],
      ['POST', '/groups', '{"id":"first"}'],
      ['POST', '/users?expand=groups', '{"id":"first"}'],
      ['DELETE', '/users/first', undefined],
      ['DELETE', '/events/no-uuid', undefined],
      ['DELETE', '/webhook_subscriptions/no-uuid', undefined],
    ] as const) {
      const { status, body: answer } = await two.client.send(method, path, body, headers)
      expect([method, path, status, answer.error.code]).toEqual([method, path, 409, 'idempotency_key_reused'])
    }
    expect((await two.client.get('/users/second')).status).toBe(404)
    expect((await two.client.get('/users/first')).status).toBe(200)
  })

  it('belongs to its environment', async () => {
    const headers = keyed(newKey())
    await two.client.post('/users', { id: 'mine' }, headers)
    const answer = await two.other.post('/users', { id: 'theirs' }, headers)
    expect([answer.status, answer.body.id, isReplay(answer)]).toEqual([200, 'theirs', false])
  })

  it('of a request that failed is free for the next one', async () => {
    const key = newKey()
    await two.client.post('/users', { id: 'text', attributes: { n: 'text' } })
    for (const body of [{ id: 5.5 }, { id: 'text', attributes: { n: { add: 1 } } }])
      expect((await two.client.post('/users', body, keyed(key))).status).toBe(400)
    expect(await stored(key)).toEqual([])
    expect((await two.client.post('/users', { id: 'text', attributes: { n: 1 } }, keyed(key))).status).toBe(200)
  })

  it.each(['', ' ', 'a b', 'ü', 'x'.repeat(256), 'a\tb'])('%j is not valid', async (key) => {
    const { status, body } = await two.client.post('/users', { id: 'invalid' }, keyed(key))
    expect([status, body.error.code]).toEqual([400, 'invalid_params'])
    expect(body.error.message).toMatch(/^Idempotency-Key: must be/)
  })

  it('has up to 255 characters, and does nothing on a GET', async () => {
    expect((await two.client.post('/users', { id: 'long' }, keyed('x'.repeat(255)))).status).toBe(200)
    expect(isReplay(await two.client.get('/users/long', keyed('x'.repeat(255))))).toBe(false)
  })

  it('that is over 24 hours old is ignored, and is deleted in steps', async () => {
    const keys = Array.from({ length: 25 }, newKey)
    await Promise.all(
      keys.map((key) => two.client.post('/users', { id: 'old', attributes: { n: { add: 1 } } }, keyed(key))),
    )
    await two.test.database.query(
      `update idempotency_keys set created_at = now() - interval '25 hours' where key = any($1::text[])`,
      [keys],
    )
    const again = await two.client.post(
      '/users',
      { id: 'old', attributes: { n: { add: 1 } } },
      keyed(keys[0] as string),
    )
    expect([isReplay(again), again.body.attributes]).toEqual([false, { n: 26 }])
    expect((await two.client.post('/groups', { id: 'old' }, keyed(keys[1] as string))).status).toBe(200)
    await new IdempotencySweeper(two.test.database, silent).sweep(10)
    const left = await two.test.database.query<{ key: string }>(
      'select key from idempotency_keys where key = any($1::text[]) order by key',
      [keys],
    )
    expect(left.map(({ key }) => key).sort()).toEqual(keys.slice(0, 2).sort())
  })
})
