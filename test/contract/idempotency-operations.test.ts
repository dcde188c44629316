import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { verifySignature } from '../../contract/signature.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, type Inbox, openInbox } from '../support/deliveries.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { Client, type Response } from '../support/requests.ts'
import { createKeys } from '../support/service.ts'
import { withheldAnswers } from '../support/withheld-answers.ts'

/** Repeats of what operators do about webhooks, and of batches, on two nodes. The first can be killed after a commit. */

let test: TestDatabase
let commits: Awaited<ReturnType<typeof withheldAnswers>>
let nodes: [ServerProcess, ServerProcess]
let clients: [Client, Client]
let inbox: Inbox
let path: string
let lastKey = 0

beforeAll(async () => {
  test = await createTestDatabase()
  commits = await withheldAnswers(test)
  nodes = [await startNode(commits.url), await startNode(test.url)]
  clients = nodes.map(({ url, key }) => new Client(url, key)) as [Client, Client]
  inbox = await openInbox()
  const { body } = await clients[0].post('/webhook_subscriptions', { url: inbox.url, topics: ['user'] })
  path = `/webhook_subscriptions/${body.id}`
})
afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()))
  await Promise.all(nodes.map((node) => node.end()))
  commits.close()
  await inbox.close()
  await test.close()
})
beforeEach(() => {
  lastKey += 1
})

const startNode = (url: string) => spawnServer({ DATABASE_URL: url, USHER_LOG_LEVEL: 'error' })

const isReplay = ({ headers }: Response) => headers['idempotent-replayed'] === 'true'
const key = () => ({ 'idempotency-key': `operation-${lastKey}` })
/** The same request on both nodes at the same time, and once more afterwards. */
async function thrice(operation: string, body: object): Promise<Response[]> {
  const both = await Promise.all(clients.map((each) => each.post(operation, body, key())))
  return [...both, await clients[1].post(operation, body, key())]
}

async function delivered(userId: string, client = clients[0], of = path): Promise<string> {
  await client.post('/users', { id: userId })
  const arrived = () => inbox.arrivals.find(({ body }) => JSON.parse(body).data.object.id === userId)
  await eventually('it arrives', () => arrived() !== undefined)
  const id = arrived()?.id as string
  await eventually(
    'it is delivered',
    async () => (await client.get(`${of}/deliveries/${id}`)).body.state === 'delivered',
  )
  return id
}

/** By the clock of the database: this process has another, which may be some milliseconds ahead. */
async function happenedAt(id: string, client = clients[0], of = path): Promise<string> {
  return (await client.get(`${of}/deliveries/${id}`)).body.created_at
}

async function unfinished(): Promise<unknown[]> {
  return (await clients[0].get(`${path}/deliveries?state=waiting,sending,retrying`)).body.data
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
    const id = await delivered('replayed')
    const since = await happenedAt(id)
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

  it('a replay and other requests with its key are one that is carried out, and the others are 409', async () => {
    const id = await delivered('replayed or not')
    const since = await happenedAt(id)
    for (let round = 1; round <= 5; round += 1) {
      const headers = { 'idempotency-key': `either-${round}` }
      const before = arrivals(id)
      const answers = await Promise.all([
        clients[0].post(`${path}/replay`, { since, dry_run: true }, headers),
        clients[1].post(`${path}/replay`, { since }, headers),
        clients[0].post('/groups', { id: `either ${round}` }, headers),
      ])
      const statuses = answers.map(({ status }) => status)
      expect([...statuses].sort(), `${statuses}`).toEqual([200, 409, 409])
      expect((await clients[0].get(`/groups/either%20${round}`)).status).toBe(statuses[2] === 200 ? 200 : 404)
      const isSent = statuses[1] === 200
      if (!isSent) expect([await unfinished(), arrivals(id)]).toEqual([[], before])
      else await eventually('it is sent again', () => arrivals(id) === before + 1)
      // A replay does not send again what another one is still sending.
      await eventually('it is delivered', async () => (await unfinished()).length === 0)
    }
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

describe('when the node is killed after the commit and before its answer, a repeat on another node', () => {
  interface Environment {
    /** On the node that is killed, and on the other one. */
    first: Client
    other: Client
    path: string
    secret: string
  }

  /** Two environments, each with a subscription: the first node commits for both at the same time. */
  async function twoEnvironments(): Promise<[Environment, Environment]> {
    const keys = await createKeys(test.database, 'self_hosted', ['One', 'Two'])
    const environments = keys.map(async (apiKey) => {
      const [first, other] = [new Client(nodes[0].url, apiKey), new Client(nodes[1].url, apiKey)]
      onTestFinished(async () => void (await Promise.all([first.close(), other.close()])))
      const { body } = await other.post('/webhook_subscriptions', { url: inbox.url, topics: ['user'] })
      return { first, other, path: `/webhook_subscriptions/${body.id}`, secret: body.secret }
    })
    return (await Promise.all(environments)) as [Environment, Environment]
  }

  /** Sends both requests to the first node, and kills it when their answers are stored under the key. */
  async function killAfterCommits(requests: readonly [Environment, string, object][]): Promise<void> {
    commits.withhold(true)
    const sent = requests.map(([{ first, path: of }, operation, body]) => first.post(`${of}/${operation}`, body, key()))
    const outcomes = Promise.allSettled(sent)
    // A claim holds a number instead of an answer.
    const stored = "select from idempotency_keys where key like $1 and body !~ '^[0-9]+$'"
    await eventually('both are committed', async () => {
      const { rowCount } = await test.database.pool.query(stored, [`${key()['idempotency-key']}%`])
      return rowCount === requests.length
    })
    await nodes[0].end('SIGKILL')
    commits.withhold(false)
    expect((await outcomes).map(({ status }) => status)).toEqual(requests.map(() => 'rejected'))
  }

  it('of a retry is answered as the first, and a replay continues: each delivery is written once', async () => {
    const [one, two] = await twoEnvironments()
    const id = await delivered('killed retry', one.other, one.path)
    const replayed = await delivered('killed replay', two.other, two.path)
    const since = await happenedAt(replayed, two.other, two.path)
    await killAfterCommits([
      [one, `deliveries/${id}/retry`, {}],
      [two, 'replay', { since }],
    ])
    const retry = await one.other.post(`${one.path}/deliveries/${id}/retry`, {}, key())
    expect([retry.status, isReplay(retry), retry.body.id]).toEqual([200, true, id])
    const replay = await two.other.post(`${two.path}/replay`, { since }, key())
    expect(replay.body).toMatchObject({ matching: 1, written: 1, complete: true })
    // The killed node may have claimed them: its lease ends after 20 s.
    await eventually('both are sent again', () => arrivals(id) > 1 && arrivals(replayed) > 1)
    const again = await two.other.post(`${two.path}/replay`, { since }, key())
    expect([isReplay(again), again.text]).toEqual([true, replay.text])
    nodes[0] = await startNode(commits.url)
  })

  it('of a rotation has the same secret, and a test is sent as one notification', async () => {
    const [one, two] = await twoEnvironments()
    await killAfterCommits([
      [one, 'rotate_secret', {}],
      [two, 'test', {}],
    ])
    const rotation = await one.other.post(`${one.path}/rotate_secret`, {}, key())
    expect([rotation.status, isReplay(rotation)]).toEqual([200, true])
    const sent = await one.other.post(`${one.path}/test`, {})
    const { headers, body } = inbox.arrivals.find((arrival) => arrival.id === sent.body.id) as Inbox['arrivals'][number]
    const isSignedBy = (secret: string) =>
      verifySignature({ header: String(headers['service-signature']), body, secret, nowSeconds: Date.now() / 1000 })
        .valid
    expect([rotation.body.secret, one.secret].map(isSignedBy)).toEqual([true, true])
    expect(String(headers['service-signature']).split(',').slice(1)).toHaveLength(2)
    const tested = await two.other.post(`${two.path}/test`, {}, key())
    expect([tested.status, isReplay(tested), tested.body.state]).toEqual([200, true, 'delivered'])
    const { data } = (await two.other.get(`${two.path}/deliveries`)).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([tested.body.id])
  })
})
