import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { LONGEST_WAIT_MS } from '../../../test/support/database.ts'
import { httpReceiver, type Receiver, rawReceiver } from '../../../test/support/receivers.ts'
import { Sender, type SenderOptions } from './send.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(opened.splice(0).map((one) => one.close()))
})

async function opens<T extends { close(): Promise<void> }>(one: T | Promise<T>): Promise<T> {
  const ready = await one
  opened.unshift(ready)
  return ready
}

const limits = { connectTimeoutMs: 5000, totalTimeoutMs: 15_000 }

function sender(options: Partial<SenderOptions> = {}): Promise<Sender> {
  return opens(new Sender({ allowPrivate: true, userAgent: 'Usher/test', ...limits, ...options }))
}

async function post(receiver: Receiver, options: Partial<SenderOptions> = {}, body = '{}') {
  return (await sender(options)).send(`http://127.0.0.1:${receiver.port}/hook?a=1`, {}, body)
}

async function postTo(answer: RequestListener, options: Partial<SenderOptions> = {}) {
  return post(await opens(httpReceiver(answer)), options)
}

async function postToRaw(answer: (socket: Socket) => void, options: Partial<SenderOptions> = {}) {
  return post(await opens(rawReceiver(answer)), options)
}

describe('a sent notification', () => {
  it('arrives with exactly the given bytes and headers', async () => {
    const seen: {
      url?: string | undefined
      method?: string | undefined
      headers?: IncomingHttpHeaders
      body?: Buffer
    } = {}
    const receiver = await opens(
      httpReceiver(async (request, response) => {
        const chunks = await request.toArray()
        Object.assign(seen, { url: request.url, method: request.method, headers: request.headers })
        seen.body = Buffer.concat(chunks)
        response.end('thanks')
      }),
    )
    const body = Buffer.from('{"name":"Größe 📦"}')
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Service-Signature': 't=1,v1=ab' }
    const attempt = await (await sender()).send(`http://127.0.0.1:${receiver.port}/hook?a=1`, headers, body)

    expect(attempt).toMatchObject({ ok: true, status: 200, responseText: 'thanks' })
    expect(seen).toMatchObject({ url: '/hook?a=1', method: 'POST', body })
    expect(seen.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'service-signature': 't=1,v1=ab',
      'user-agent': 'Usher/test',
      host: `127.0.0.1:${receiver.port}`,
    })
  })

  it('reports how long each step took', async () => {
    const receiver = await opens(httpReceiver((_, response) => response.end()))
    const one = await sender({ lookup: async () => ['127.0.0.1'] })
    const { timing } = await one.send(`http://hook.localhost:${receiver.port}/`, {}, '{}')
    expect(timing).toEqual({
      nameMs: expect.any(Number),
      connectMs: expect.any(Number),
      firstByteMs: expect.any(Number),
      totalMs: expect.any(Number),
    })
    expect(timing.totalMs).toBeGreaterThanOrEqual(timing.firstByteMs ?? Number.NaN)
  })

  it.each([200, 201, 202, 204, 226, 299])('is acknowledged by %i', async (status) => {
    expect(await postTo((_, response) => response.writeHead(status).end())).toMatchObject({ ok: true, status })
  })

  it.each([400, 401, 404, 410, 429, 500, 503])('is not acknowledged by %i', async (status) => {
    const attempt = await postTo((_, response) => response.writeHead(status).end('no'))
    expect(attempt).toMatchObject({ ok: false, status, failure: `the receiver answered ${status}`, responseText: 'no' })
  })

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    let requests = 0
    const attempt = await postTo((_, response) => {
      requests++
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    expect(attempt).toMatchObject({ ok: false, status, failure: 'redirects are not followed' })
    expect(requests).toBe(1)
  })

  it.each([
    ['120', 120],
    ['0', 0],
    [new Date(Date.now() - 60_000).toUTCString(), 0],
    ['-5', undefined],
    ['soon', undefined],
    ['1.5', undefined],
  ])('reads Retry-After: %s', async (value, seconds) => {
    const attempt = await postTo((_, response) => response.writeHead(503, { 'retry-after': value }).end())
    expect(attempt.retryAfterSeconds).toBe(seconds)
  })

  it('reads Retry-After as a date to come', async () => {
    const value = new Date(Date.now() + 90_000).toUTCString()
    const attempt = await postTo((_, response) => response.writeHead(503, { 'retry-after': value }).end())
    expect(attempt.retryAfterSeconds).toBeGreaterThan(60)
    expect(attempt.retryAfterSeconds).toBeLessThanOrEqual(90)
  })

  it('counts Retry-After as a date by the clock of the receiver, and without Date by its own', async () => {
    const hourAgo = Date.now() - 3_600_000
    const headers = { 'retry-after': new Date(hourAgo + 90_000).toUTCString() }
    const date = new Date(hourAgo).toUTCString()
    const dated = await postTo((_, response) => response.writeHead(503, { ...headers, date }).end())
    expect(dated.retryAfterSeconds).toBe(90)
    const answer: RequestListener = (_, response) => {
      response.sendDate = false
      response.writeHead(503, headers).end()
    }
    const undated = await postTo(answer, { now: () => Date.parse(date) })
    expect(undated.retryAfterSeconds).toBe(90)
  })

  it.each(['', 'nonsense', 'ftp://127.0.0.1/', 'https://', 'file:///etc/passwd'])('does not go to %j', async (url) => {
    expect(await (await sender()).send(url, {}, '{}')).toMatchObject({ ok: false, failure: 'the URL is not valid' })
  })

  it('with a header that cannot be sent is a failure in plain words', async () => {
    const attempt = await (await sender()).send('http://127.0.0.1:1/', { 'x-a': 'a\r\nb: c' }, '{}')
    expect(attempt).toMatchObject({ ok: false, failure: 'the request failed: invalid x-a header' })
  })

  it('is sent directly to its receiver, whatever proxy the environment names', async () => {
    const proxy = await opens(httpReceiver((_, response) => response.end('the proxy')))
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    expect((await postTo((_, response) => response.end('the receiver'))).responseText).toBe('the receiver')
    expect(proxy.connections).toBe(0)
  })
})

describe('the response', () => {
  it('is read up to 16 KB, then cut off, and its status counts', async () => {
    const cut = Promise.withResolvers<void>()
    const attempt = await postTo((_, response) => {
      response.on('close', () => cut.resolve())
      const more = () => {
        while (response.write('x'.repeat(8192)));
      }
      response.on('drain', more)
      more()
    })
    await cut.promise
    expect(attempt).toMatchObject({ ok: true, status: 200, responseText: 'x'.repeat(4096) })
  })

  it('is kept as valid UTF-8 without NULs, and without the half of a character', async () => {
    const attempt = await postTo((_, response) => response.end(`a\0b${'x'.repeat(4092)}é`))
    expect(attempt.responseText).toBe(`ab${'x'.repeat(4092)}`)
    const broken = await postTo((_, response) => response.end(Buffer.from([0x61, 0xff, 0xfe, 0x62])))
    expect(broken.responseText).toBe('a\ufffd\ufffdb')
  })

  it('may be preceded by early hints', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
    const attempt = await postToRaw((socket) =>
      socket.end(`${early}HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok`),
    )
    expect(attempt).toMatchObject({ ok: true, status: 201, responseText: 'ok' })
  })

  it.each([
    ['garbage', '\x00\x01\x02 garbage\r\n\r\n', 'the response is not valid HTTP'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'the response is not valid HTTP'],
    ['a bad status line', 'HTTP/1.1 abc OK\r\n\r\n', 'the response is not valid HTTP'],
    ['an unasked-for 100', 'HTTP/1.1 100 Continue\r\n\r\n', 'the response is not valid HTTP'],
    [
      'an unasked-for upgrade',
      'HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      'the response is not valid HTTP',
    ],
    ['huge headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 'the response headers are too large'],
    ['nothing', '', 'the connection was closed before the response was complete'],
    ['half a head', 'HTTP/1.1 200 OK\r\nX', 'the connection was closed before the response was complete'],
    [
      'half a body',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
      'the connection was closed before the response was complete',
    ],
  ])('that is %s is a failure in plain words', async (_, bytes, failure) => {
    expect(await postToRaw((socket) => socket.end(bytes))).toMatchObject({ ok: false, failure })
  })

  /** The total time, which is over when the test says so. */
  const totalTimeoutMs = LONGEST_WAIT_MS
  function holdTotalTime(): { end: () => void } {
    const { setTimeout } = globalThis
    const held = { end: () => {} }
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => {
      if (ms > totalTimeoutMs / 2) held.end = run
      return setTimeout(run, ms)
    }) as never)
    onTestFinished(() => void timers.mockRestore())
    return held
  }

  it('may not take longer than the total time, though every pause in it is short', async () => {
    const time = holdTotalTime()
    const onHeaders = () => void setImmediate(time.end)
    subscribe('undici:request:headers', onHeaders)
    onTestFinished(() => void unsubscribe('undici:request:headers', onHeaders))
    const dripping = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
      const drip = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(drip))
    }
    const attempt = await postToRaw(dripping, { totalTimeoutMs })
    expect(attempt).toMatchObject({ ok: false, status: 200, failure: 'no complete response within 240 s' })
  })

  it('must come within the total time, and the connection is closed when it does not', async () => {
    const closed = Promise.withResolvers<void>()
    const time = holdTotalTime()
    const silent = (socket: Socket) => {
      socket.on('close', () => closed.resolve())
      time.end()
    }
    const attempt = await postToRaw(silent, { totalTimeoutMs })
    expect(attempt).toMatchObject({ ok: false, failure: 'no response within 240 s' })
    expect(attempt.status).toBeUndefined()
    await closed.promise
  })
})

describe('connections', () => {
  it('are kept and used again', async () => {
    const receiver = await opens(httpReceiver((_, response) => response.end()))
    const one = await sender()
    const url = `http://127.0.0.1:${receiver.port}/`
    for (let i = 0; i < 20; i++) expect((await one.send(url, {}, '{}')).ok).toBe(true)
    const reused = await one.send(url, {}, '{}')
    expect(reused.timing.connectMs).toBeUndefined()
    // Two, because undici frees a socket only after the turn in which its response ended.
    expect(receiver.connections).toBeLessThanOrEqual(2)
  })

  it('are bounded for one endpoint, and another on the same host does not wait for them', async () => {
    const waiting: (() => void)[] = []
    const receiver = await opens(
      httpReceiver((request, response) => {
        if (request.url === '/slow') waiting.push(() => response.end())
        else response.end('fast')
      }),
    )
    const one = await sender()
    const slow = Array.from({ length: 80 }, () => one.send(`http://127.0.0.1:${receiver.port}/slow`, {}, '{}'))
    await expect.poll(() => waiting).toHaveLength(64)
    expect((await one.send(`http://127.0.0.1:${receiver.port}/fast`, {}, '{}')).responseText).toBe('fast')
    expect(waiting).toHaveLength(64)
    const release = setInterval(() => waiting.shift()?.(), 1)
    const attempts = await Promise.all(slow)
    clearInterval(release)
    expect(attempts.every(({ ok }) => ok)).toBe(true)
    expect(receiver.connections).toBe(65)
  })

  it('that were reset while idle are replaced without a failed attempt', async () => {
    let resets = 0
    const receiver = await opens(
      rawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        socket.on('data', () => {
          resets++
          socket.resetAndDestroy()
        })
      }),
    )
    const one = await sender()
    for (let i = 0; i < 20; i++)
      expect(await one.send(`http://127.0.0.1:${receiver.port}/`, {}, '{}')).toMatchObject({ ok: true })
    expect(resets).toBeGreaterThan(0)
  })

  it('that are new and reset are a failed attempt', async () => {
    const attempt = await postToRaw((socket) => socket.resetAndDestroy())
    expect(attempt.failure).toBe('the connection was closed before the response was complete')
  })

  it('that are refused are a failure in plain words', async () => {
    const receiver = await httpReceiver(() => {})
    await receiver.close()
    expect(await post(receiver)).toMatchObject({ ok: false, failure: 'connection refused' })
  })

  it('are not opened by a closed sender', async () => {
    const receiver = await opens(httpReceiver((_, response) => response.end()))
    const one = await sender()
    await one.close()
    const attempt = await one.send(`http://127.0.0.1:${receiver.port}/`, {}, '{}')
    expect(attempt).toMatchObject({ ok: false, failure: 'the sender is closed' })
  })

  it('under way are waited for by close', async () => {
    const arrived = Promise.withResolvers<() => void>()
    const receiver = await opens(httpReceiver((_, response) => arrived.resolve(() => response.end())))
    const one = await sender()
    const sending = one.send(`http://127.0.0.1:${receiver.port}/`, {}, '{}')
    const answer = await arrived.promise
    const closing = one.close()
    answer()
    expect((await sending).ok).toBe(true)
    await closing
  })

  it('are closed once they are idle', async () => {
    const receiver = await opens(
      rawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nKeep-Alive: timeout=2\r\n\r\n')
        void once(socket, 'end').then(() => ended.resolve())
      }),
    )
    const ended = Promise.withResolvers<void>()
    expect((await post(receiver)).ok).toBe(true)
    await ended.promise
  })
})
