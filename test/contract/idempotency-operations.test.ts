import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, type Inbox, openInbox } from '../support/deliveries.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { Client, type Response } from '../support/requests.ts'

/** Repeats of what operators do about webhooks, and of batches, on two nodes. */

let test: TestDatabase
let nodes: ServerProcess[]
let clients: [Client, Client]
let inbox: Inbox
let path: string
let lastKey = 0

beforeAll(async () => {
  test = await createTestDatabase()
  const environment = { DATABASE_URL: test.url, USHER_LOG_LEVEL: 'error' }
  nodes = [await spawnServer(environment), await spawnServer(environment)]
  clients = nodes.map(({ url, key }) => new Client(url, key)) as [Client, Client]
  inbox = await openInbox()
  const { body } = await clients[0].post('/webhook_subscriptions', { url: inbox.url, topics: ['user'] })
  path = `/webhook_subscriptions/${body.id}`
})
afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()))
  await Promise.all(nodes.map((node) => node.end()))
  await inbox.close()
  await test.close()
})
beforeEach(() => {
  lastKey += 1
})

const isReplay = ({ headers }: Response) => headers['idempotent-replayed'] === 'true'
const key = () => ({ 'idempotency-key': `operation-${lastKey}` })
/** The same request on both nodes at the same time, and once more afterwards. */
async function thrice(operation: string, body: object): Promise<Response[]> {
  const both = await Promise.all(clients.map((each) => each.post(operation, body, key())))
  return [...both, await clients[1].post(operation, body, key())]
}

async function delivered(userId: string): Promise<string> {
  await clients[0].post('/users', { id: userId })
  const arrived = () => inbox.arrivals.find(({ body }) => JSON.parse(body).data.object.id === userId)
  await eventually('it arrives', () => arrived() !== undefined)
  const id = arrived()?.id as string
  await eventually(
    'it is delivered',
    async () => (await clients[0].get(`${path}/deliveries/${id}`)).body.state === 'delivered',
  )
  return id
}

const arrivals = (id: string) => inbox.arrivals.filter((arrival) => arrival.id === id).length

describe('with one key, on two nodes at the same time and again later', () => {
  it('a retry sends once', async () => {
    const id = await delivered('retried')
    const answers = await thrice(`${path}/deliveries/${id}/retry`, {})
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(isReplay)).toHaveLength(2)
    await eventually('it is sent again', () => arrivals(id) === 2)
    await delivered('after the retry')
    expect(arrivals(id)).toBe(2)
  })

  it('a test sends one notification, and every answer has its outcome', async () => {
    const answers = await thrice(`${path}/test`, {})
    expect(answers.map(({ body }) => [body.state, body.id])).toEqual(
      answers.map(() => ['delivered', answers[0]?.body.id]),
    )
    expect(answers.filter(isReplay)).toHaveLength(2)
    expect(inbox.arrivals.filter(({ body }) => body.includes('event.tracked.webhook_test'))).toHaveLength(1)
    await clients[0].patch(path, { disabled: true })
    expect(isReplay(await clients[0].post(`${path}/test`, {}, key()))).toBe(true)
    await clients[0].patch(path, { disabled: false })
  })

  it('a replay writes each delivery once, and is answered the same, whatever happened since', async () => {
    const since = new Date().toISOString()
    const id = await delivered('replayed')
    const body = { since }
    const answers = await thrice(`${path}/replay`, body)
    expect(answers.map(({ status, body: { matching, written } }) => [status, matching, written])).toEqual(
      answers.map(() => [200, 1, 1]),
    )
    await eventually('it is sent again', () => arrivals(id) === 2)
    await delivered('later')
    const again = await clients[0].post(`${path}/replay`, body, key())
    expect([isReplay(again), again.text]).toEqual([true, answers[0]?.text])
    expect(arrivals(id)).toBe(2)
  })

  it('a rotation makes one secret', async () => {
    const answers = await thrice(`${path}/rotate_secret`, {})
    expect(new Set(answers.map(({ body }) => body.secret)).size).toBe(1)
    expect(answers.filter(isReplay)).toHaveLength(2)
  })

  it.each([true, false])('a batch (atomic: %s) is stored once, and its repeats say that they are', async (atomic) => {
    const id = `batched ${atomic}`
    const operations = [
      { method: 'POST', path: '/users', body: { id, attributes: { n: { add: 1 } } } },
      { method: 'POST', path: '/events', body: { name: 'batched', user_id: id } },
    ]
    const answers = await thrice('/batch', { operations, atomic })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(isReplay(answers[2] as Response)).toBe(true)
    expect((await clients[0].get(`/users/${encodeURIComponent(id)}`)).body.attributes).toEqual({ n: 1 })
    const without = await clients[0].post('/batch', { operations, atomic })
    expect(isReplay(without)).toBe(false)
  })

  it('a batch of which something is new is no replay', async () => {
    const operation = { method: 'POST', path: '/users', body: { id: 'part' }, idempotency_key: `part-${lastKey}` }
    const other = { method: 'POST', path: '/users', body: { id: 'other part' } }
    expect(isReplay(await clients[0].post('/batch', { operations: [operation] }))).toBe(false)
    expect(isReplay(await clients[0].post('/batch', { operations: [operation, other] }))).toBe(false)
    const refused = { method: 'POST', path: '/users', body: {} }
    expect(isReplay(await clients[0].post('/batch', { operations: [operation, refused] }))).toBe(true)
  })
})

it('a delivery is read by its id, and 404 when it is none of this subscription', async () => {
  const id = await delivered('single')
  const { status, body } = await clients[1].get(`${path}/deliveries/${id}`)
  expect([status, body]).toMatchObject([200, { id, object: 'webhook_delivery', state: 'delivered', attempts: 1 }])
  expect((await clients[1].get(`${path}/deliveries/${id.toUpperCase()}`)).body.id).toBe(id)
  const other = await clients[0].post('/webhook_subscriptions', { url: inbox.url, topics: ['event'] })
  for (const place of [
    `${path}/deliveries/x`,
    `${path}/deliveries/${other.body.id}`,
    `/webhook_subscriptions/${other.body.id}/deliveries/${id}`,
  ]) {
    const answer = await clients[0].get(place)
    expect([place, answer.status, answer.body.error.code]).toEqual([place, 404, 'not_found'])
  }
})
