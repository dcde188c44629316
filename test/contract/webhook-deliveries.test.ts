import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { verifySignature } from '../../contract/signature.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { eventually, type Inbox, openInbox } from '../support/deliveries.ts'

let server: TestServer
let inbox: Inbox
let path: string
let secret: string

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())
beforeEach(async () => {
  inbox = await openInbox()
  const { body } = await server.client.post('/webhook_subscriptions', { url: inbox.url, topics: ['user'] })
  path = `/webhook_subscriptions/${body.id}`
  secret = body.secret
})
afterEach(async () => {
  await server.client.delete(path)
  await inbox.close()
})

const get = async (query = '') => (await server.client.get(`${path}/deliveries${query}`)).body
const post = async (operation: string, body?: object) => await server.client.post(`${path}/${operation}`, body ?? {})
const UNKNOWN = '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'

/** Upserts users one after the other, and waits until each notification has been tried. */
async function happen(count: number): Promise<void> {
  const before = inbox.arrivals.length
  for (let index = 0; index < count; index += 1) await server.client.post('/users', { id: `u_${index}` })
  await eventually('all were tried', () => inbox.arrivals.length >= before + count)
}

async function inState(state: string, count: number): Promise<void> {
  await eventually(`${count} are ${state}`, async () => (await get(`?state=${state}`)).data.length === count)
}

describe('GET …/deliveries', () => {
  it('shows what was delivered, the newest first, page by page', async () => {
    await happen(5)
    await inState('delivered', 5)
    const first = await get('?limit=3')
    expect(first.data.map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(first.has_more).toBe(true)
    const second = (await server.client.get(first.next_page_url.replace(server.url, ''))).body
    expect([second.data.length, second.has_more]).toEqual([2, false])
    const ids = [...first.data, ...second.data].map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect((await get('?order_by=created_at')).data.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
    expect((await get(`?starting_after=${ids[1]}`)).data[0].id).toBe(ids[2])
    expect(first.data[0]).toMatchObject({ attempts: 1, reason: null, last_attempt: { status: 200, number: 1 } })
  })

  it('says why a delivery is not being sent', async () => {
    inbox.answer = () => 503
    await happen(1)
    await inState('retrying', 1)
    const { data } = await get('?state=retrying')
    expect(data[0]).toMatchObject({
      reason: 'backoff',
      topic: 'user.updated',
      last_attempt: { status: 503, failure: 'the receiver answered 503' },
    })
    expect(Date.parse(data[0].next_attempt_at)).toBeGreaterThan(Date.parse(data[0].last_attempt.at))
    await server.client.patch(path, { disabled: true })
    expect((await get()).data[0]).toMatchObject({ state: 'on_hold', reason: 'subscription_disabled' })
  })

  it('keeps to a time range and to states, and names what it does not know', async () => {
    await happen(2)
    await inState('delivered', 2)
    const hour = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString()
    const range = (from: string, to: string) => `?created_at%5Bgte%5D=${from}&created_at%5Blt%5D=${to}`
    expect((await get(range(hour(-1), hour(1)))).data).toHaveLength(2)
    expect((await get(range(hour(1), hour(2)))).data).toHaveLength(0)
    expect((await get('?state=delivered,given_up')).data).toHaveLength(2)
    for (const query of [
      '?state=lost',
      '?created_at%5Bgte%5D=yesterday',
      '?order_by=state',
      `?starting_after=${UNKNOWN}`,
      '?starting_after=x',
      '?limit=0',
    ]) {
      const { status, body } = await server.client.get(`${path}/deliveries${query}`)
      expect([query, status, body.error?.code]).toEqual([query, 400, 'invalid_params'])
    }
  })
})

describe('POST …/deliveries/:id/retry', () => {
  it('sends a waiting delivery now, and a finished one again', async () => {
    inbox.answer = () => 503
    await happen(1)
    await inState('retrying', 1)
    const { id } = (await get()).data[0]
    inbox.answer = () => 200
    expect((await post(`deliveries/${id}/retry`)).status).toBe(200)
    await inState('delivered', 1)
    const { status, body } = await server.client.send('POST', `${path}/deliveries/${id}/retry`)
    expect([status, body.id, body.object]).toEqual([200, id, 'webhook_delivery'])
    await eventually('it comes a third time', () => inbox.arrivals.length === 3)
    expect(new Set(inbox.arrivals.map((arrival) => arrival.id))).toEqual(new Set([id]))
  })

  it('is 404 for a delivery that is not there', async () => {
    for (const id of [UNKNOWN, 'x', '%F0%9F%91%BE']) {
      const { status, body } = await post(`deliveries/${id}/retry`)
      expect([status, body.error.code]).toEqual([404, 'not_found'])
    }
  })
})

describe('POST …/test', () => {
  it('answers with the outcome and its timings', async () => {
    const { status, body } = await post('test')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'delivered',
      topic: 'event.tracked.webhook_test',
      attempts: 1,
      last_attempt: { status: 200, failure: null, response: 'seen', total_ms: expect.any(Number) },
    })
    inbox.answer = () => 500
    expect((await post('test')).body).toMatchObject({ state: 'retrying', last_attempt: { status: 500 } })
  })

  it('is refused while the subscription is disabled, and writes nothing', async () => {
    await server.client.patch(path, { disabled: true })
    const { status, body } = await post('test')
    expect([status, body.error.message]).toEqual([400, 'The subscription is disabled. Enable it first.'])
    expect((await get()).data).toEqual([])
  })
})

describe('POST …/replay', () => {
  it('counts first, sends again what matches, and doubles nothing that is not finished', async () => {
    let since = ''
    await eventually('the notifications of other tests lie before it', async () => {
      // The clock of the database may be some milliseconds behind that of this process.
      since = new Date(Date.now() - 100).toISOString()
      return (await post('replay', { since, dry_run: true })).body.matching === 0
    })
    await happen(3)
    await inState('delivered', 3)
    await server.client.post('/events', { name: 'not_subscribed', user_id: 'u_0' })
    const counted = (await post('replay', { since, dry_run: true })).body
    expect(counted).toEqual({
      object: 'webhook_replay',
      complete: true,
      dry_run: true,
      matching: 3,
      next_since: null,
      written: 0,
    })
    expect((await post('replay', { since })).body).toMatchObject({ matching: 3, written: 3, dry_run: false })
    await eventually('they come again', () => inbox.arrivals.length === 6)
    await inState('delivered', 3)
    const { status, body } = await post('replay', { since, until: since })
    expect([status, body.error.message]).toEqual([400, 'until: must be later than since'])
    expect((await post('replay', {})).status).toBe(400)
    expect((await post('replay', { since: 'yesterday' })).status).toBe(400)
    expect((await post('replay', { since, dry: true })).status).toBe(400)
  })
})

describe('POST …/rotate_secret', () => {
  const check = (key: string) => {
    const { headers, body } = inbox.arrivals.at(-1) as Inbox['arrivals'][number]
    const header = String(headers['service-signature'])
    return verifySignature({ header, body, secret: key, nowSeconds: Date.now() / 1000 }).valid
  }

  it('signs with both secrets until the old one expires, the new one first', async () => {
    const { status, body } = await post('rotate_secret')
    expect(status).toBe(200)
    expect(body.secret).not.toBe(secret)
    expect(Date.parse(body.old_secret_expires_at) - Date.now()).toBeGreaterThan(86_000_000)
    await post('test')
    expect([check(body.secret), check(secret)]).toEqual([true, true])
    const signatures = String(inbox.arrivals.at(-1)?.headers['service-signature']).split(',').slice(1)
    expect(signatures).toHaveLength(2)
    expect((await server.client.get(path)).body.secret).toBeUndefined()
  })

  it('ends the old secret at once with old_secret_expires_in: 0', async () => {
    const { body: first } = await post('rotate_secret', { old_secret_expires_in: 3_600 })
    const { body } = await post('rotate_secret', { old_secret_expires_in: 0 })
    expect(body.old_secret_expires_at).toBeNull()
    await post('test')
    expect([check(body.secret), check(first.secret), check(secret)]).toEqual([true, false, false])
  })

  it('keeps every secret that is still valid, up to the limit, and refuses more', async () => {
    const secrets = [secret]
    for (let time = 1; time < limits.secretsPerSubscription; time += 1) {
      secrets.push((await post('rotate_secret', { old_secret_expires_in: limits.secretOverlapSeconds })).body.secret)
    }
    const { status, body } = await post('rotate_secret')
    expect([status, body.error.code]).toEqual([400, 'invalid_params'])
    await post('test')
    expect(secrets.map(check)).toEqual(secrets.map(() => true))
    const tooLong = await post('rotate_secret', { old_secret_expires_in: limits.secretOverlapSeconds + 1 })
    expect(tooLong.status).toBe(400)
  })

  it('with one Idempotency-Key happens once, and answers the same secret again', async () => {
    const headers = { 'idempotency-key': `rotate-${path}` }
    const first = await server.client.post(`${path}/rotate_secret`, {}, headers)
    const again = await server.client.post(`${path}/rotate_secret`, {}, headers)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    await post('test')
    expect([first.body.secret, secret].map(check)).toEqual([true, true])
  })

  it('two at the same time leave both old and both new secrets valid', async () => {
    const answers = await Promise.all([post('rotate_secret'), post('rotate_secret')])
    await post('test')
    expect([secret, ...answers.map(({ body }) => body.secret)].map(check)).toEqual([true, true, true])
  })
})

it('every one of them is 404 for another environment, and changes nothing', async () => {
  await happen(1)
  await inState('delivered', 1)
  const { id } = (await get()).data[0]
  const since = new Date(Date.now() - 60_000).toISOString()
  const requests: [string, string, object?][] = [
    ['GET', `${path}/deliveries`],
    ['POST', `${path}/deliveries/${id}/retry`, {}],
    ['POST', `${path}/test`, {}],
    ['POST', `${path}/replay`, { since }],
    ['POST', `${path}/rotate_secret`, {}],
  ]
  for (const [method, address, body] of requests) {
    const answer = await server.otherClient.send(method, address, body && JSON.stringify(body))
    expect([address, answer.status, answer.body.error?.code]).toEqual([address, 404, 'not_found'])
  }
  expect((await post('test')).body.state).toBe('delivered')
  expect(inbox.arrivals).toHaveLength(2)
  expect((await get()).data).toHaveLength(2)
})
