import type { ServerResponse } from 'node:http'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { backoffMs, parseRetryAfter } from '../src/backoff.ts'
import {
  ApiError,
  ConnectionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  type UsherOptions,
} from '../src/index.ts'
import { answer, breakConnection, usherAt as clientAt, failure, neverAnswer, scripted } from './support.ts'

const user = { id: 'u_1', object: 'user', attributes: {} }

const senders: [string, Partial<UsherOptions>][] = [
  ["the dispatcher of Node's fetch", {}],
  ['fetch', { fetch }],
]

describe.each(senders)('by %s', (_, sender) => {
  const usherAt = (url: string, options: Partial<UsherOptions> = {}) => clientAt(url, { ...sender, ...options })

  describe('a temporary failure', () => {
    it.each([
      ['a broken connection', breakConnection],
      ['408', failure(408, 'request_timeout')],
      ['429', failure(429, 'rate_limited')],
      ['500', failure(500, 'internal_error')],
      ['502 of a proxy', answer(502, 'Bad Gateway')],
      ['503', failure(503, 'unavailable')],
    ])('%s is tried again with the same idempotency key', async (_, fail) => {
      const { url, seen } = await scripted(fail, answer(200, user))
      expect(await usherAt(url).users.upsert({ id: 'u_1' })).toEqual(user)
      expect(seen).toHaveLength(2)
      const [first, second] = seen.map(({ headers }) => headers['idempotency-key'])
      expect(first).toMatch(/^[0-9a-f-]{36}$/)
      expect(second).toBe(first)
    })

    it('is thrown when it persists', async () => {
      const { url, seen } = await scripted(failure(503, 'unavailable'))
      const problem = await usherAt(url, { maxRetries: 1 })
        .users.retrieve('u_1')
        .catch((error: unknown) => error)
      expect(problem).toBeInstanceOf(ServerError)
      expect(problem).toMatchObject({ name: 'ServerError', status: 503, code: 'unavailable', requestId: 'req_1' })
      expect(seen).toHaveLength(2)
    })

    it('is thrown at once when Retry-After is over a minute', async () => {
      const { url, seen } = await scripted(failure(429, 'rate_limited', { 'retry-after': '61' }))
      await expect(usherAt(url).users.retrieve('u_1')).rejects.toBeInstanceOf(RateLimitError)
      expect(seen).toHaveLength(1)
    })

    it('is retried after the time of Retry-After', async () => {
      const { url } = await scripted(failure(503, 'unavailable', { 'retry-after': '1' }), answer(200, user))
      const begun = performance.now()
      await usherAt(url).users.retrieve('u_1')
      expect(performance.now() - begun).toBeGreaterThanOrEqual(990)
    })
  })

  it.each([400, 401, 404, 409, 413, 415])('%d is not tried again', async (status) => {
    const { url, seen } = await scripted(failure(status, 'some_code'))
    await expect(usherAt(url).users.upsert({ id: 'u_1' })).rejects.toBeInstanceOf(ApiError)
    expect(seen).toHaveLength(1)
  })

  it('every write has its own idempotency key, or the one that is given; a read has none', async () => {
    const { url, seen } = await scripted(answer(200, user))
    const usher = usherAt(url)
    await usher.users.upsert({ id: 'u_1' })
    await usher.users.upsert({ id: 'u_1' })
    await usher.users.delete('u_1', { idempotencyKey: 'mine' })
    await usher.users.retrieve('u_1')
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).not.toBe(keys[1])
    expect(keys.slice(2)).toEqual(['mine', undefined])
  })

  it('a request says its host and its length in bytes, and has each header once, however that is written', async () => {
    const { url, seen } = await scripted(answer(200, user))
    const usher = usherAt(url, { headers: { Accept: 'text/html', 'X-Tenant': '2' } })
    await usher.users.upsert({ id: 'ü_€_𝄞' })
    await usher.users.delete('u_1')
    await usher.users.retrieve('u_1')
    expect(seen[0]?.headers['content-length']).toBe('20')
    for (const { headers } of seen.slice(1)) expect(Number(headers['content-length'] ?? 0)).toBe(0)
    for (const { headers } of seen) {
      expect(headers).toMatchObject({ host: new URL(url).host, accept: 'application/json', 'x-tenant': '2' })
      expect(headers['transfer-encoding']).toBeUndefined()
    }
  })

  it('an attempt that takes too long ends with a TimeoutError', async () => {
    const timeoutMs = 1_234
    const limits: (() => void)[] = []
    const { setTimeout } = globalThis
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      if (ms !== timeoutMs) return setTimeout(run, ms)
      limits.push(run)
      return setTimeout(() => {})
    }) as never)
    onTestFinished(() => void timers.mockRestore())
    // The time of an attempt is over when its request has arrived, and not before.
    const { url, seen } = await scripted(() => limits.shift()?.())
    const problem = await usherAt(url, { timeoutMs, maxRetries: 1 })
      .users.list()
      .then(undefined, (error) => error)
    expect(problem).toBeInstanceOf(TimeoutError)
    expect(problem).toMatchObject({ message: 'GET /users: no answer within 1234 ms' })
    expect(seen).toHaveLength(2)
  })

  it('an unreachable server is a ConnectionError with the cause', async () => {
    const problem = await usherAt('http://127.0.0.1:1', { maxRetries: 0 })
      .users.retrieve('u')
      .catch((error) => error)
    expect(problem).toBeInstanceOf(ConnectionError)
    expect(problem.message).toMatch(/^GET \/users\/u: .+/)
  })

  it('an answer that is not JSON is an error that says so, without a retry', async () => {
    const { url, seen } = await scripted((response) => response.end('<html>'))
    await expect(usherAt(url).users.retrieve('u_1')).rejects.toThrow('is not JSON: is there an Usher server')
    expect(seen).toHaveLength(1)
  })

  it('a redirect is not followed: the key goes to no other server', async () => {
    const other = await scripted(answer(200, user))
    const { url } = await scripted(answer(301, '', { location: `${other.url}/users/u_1` }))
    await expect(usherAt(url).users.retrieve('u_1')).rejects.toMatchObject({ status: 301 })
    expect(other.seen).toEqual([])
  })

  it('an incomplete answer is retried', async () => {
    const half = (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"id":')
      setTimeout(() => response.socket?.destroy(), 20)
    }
    const { url } = await scripted(half, answer(200, user))
    expect(await usherAt(url).users.retrieve('u_1')).toEqual(user)
  })

  it('works with a base URL that has a path, and with text of every alphabet', async () => {
    const { url, seen } = await scripted(answer(200, { id: 'Größe 📦' }))
    expect(await usherAt(`${url}/usher/`).users.upsert({ id: 'Größe 📦' })).toEqual({ id: 'Größe 📦' })
    expect(seen).toMatchObject([{ url: '/usher/users', body: '{"id":"Größe 📦"}' }])
  })

  it.each([Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])(
    'an attempt of a call may take %s ms',
    async (timeoutMs) => {
      const { url } = await scripted((response) => void setTimeout(() => answer(200, user)(response), 100))
      expect(await usherAt(url, { maxRetries: 0 }).users.retrieve('u_1', { timeoutMs })).toEqual(user)
    },
  )

  describe('an abort signal', () => {
    it('ends a call that is under way, with its own reason', async () => {
      const { url } = await scripted(neverAnswer)
      const reason = new Error('enough')
      const controller = new AbortController()
      const call = usherAt(url).users.retrieve('u_1', { signal: controller.signal })
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
    })

    it('ends the waiting between two attempts', async () => {
      const { url, seen } = await scripted(failure(503, 'unavailable', { 'retry-after': '60' }))
      const controller = new AbortController()
      const call = usherAt(url).users.retrieve('u_1', { signal: controller.signal })
      await expect.poll(() => seen.length).toBe(1)
      controller.abort(new Error('enough'))
      await expect(call).rejects.toThrow('enough')
      expect(seen).toHaveLength(1)
    })

    it('that was aborted before sends nothing', async () => {
      const { url, seen } = await scripted(answer(200, user))
      const signal = AbortSignal.abort(new Error('never'))
      await expect(usherAt(url).users.upsert({ id: 'u_1' }, { signal })).rejects.toThrow('never')
      expect(seen).toHaveLength(0)
    })
  })
})

it('sends through the dispatcher that the application has set, and sends nothing that was given up while it waited', async () => {
  const before = getGlobalDispatcher()
  const agent = new Agent({ connections: 1 })
  setGlobalDispatcher(agent)
  onTestFinished(async () => {
    setGlobalDispatcher(before)
    await agent.destroy()
  })
  const { url, seen } = await scripted(neverAnswer, answer(200, user))
  const usher = clientAt(url, { maxRetries: 0 })
  const first = new AbortController()
  const second = new AbortController()
  const calls = [
    usher.users.retrieve('first', { signal: first.signal }),
    usher.users.retrieve('second', { signal: second.signal }),
    usher.users.retrieve('third'),
  ]
  await expect.poll(() => seen.length).toBe(1)
  second.abort(new Error('enough'))
  await expect(calls[1]).rejects.toThrow('enough')
  first.abort(new Error('enough'))
  await expect(calls[0]).rejects.toThrow('enough')
  expect(await calls[2]).toEqual(user)
  expect(seen.map(({ url }) => url)).toEqual(['/users/first', '/users/third'])
})

it('the backoff doubles up to 8 s, half of it random, and is never less than Retry-After', () => {
  expect([0, 1, 2, 9].map((attempt) => backoffMs(attempt, undefined, () => 1))).toEqual([250, 500, 1_000, 8_000])
  expect([0, 1, 2, 9].map((attempt) => backoffMs(attempt, undefined, () => 0))).toEqual([125, 250, 500, 4_000])
  expect(backoffMs(0, 5_000, () => 0)).toBeGreaterThanOrEqual(5_000)
})

it('Retry-After is seconds or a date, and anything else is ignored', () => {
  expect(parseRetryAfter('2')).toBe(2_000)
  expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:05 GMT', 1_000)).toBe(4_000)
  expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:00 GMT', 1_000)).toBe(0)
  expect([parseRetryAfter(null), parseRetryAfter(''), parseRetryAfter('soon')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
