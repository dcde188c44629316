import { describe, expect, it } from 'vitest'
import type { DroppedEvent } from '../src/index.ts'
import { answer, breakConnection, failure, heldAnswer, neverAnswer, type Seen, scripted, usherAt } from './support.ts'

interface Sent {
  method: string
  path: string
  idempotency_key: string
  body: { name: string; time: string }
}
const operationsOf = ({ body }: Seen) => (JSON.parse(body) as { operations: Sent[] }).operations
const stored = (response: Parameters<ReturnType<typeof answer>>[0], seen: Seen) =>
  answer(200, { results: operationsOf(seen).map(() => ({ status: 200, body: {} })) })(response)
const event = (name: string) => ({ name, user_id: 'u_1' })

describe('an event buffer', () => {
  it('sends what was tracked in batches, in order, with the time of tracking and a key each', async () => {
    const { url, seen } = await scripted(stored)
    const buffer = usherAt(url).events.buffer({ maxBatch: 3, intervalMs: 60_000 })
    const before = new Date().toISOString()
    for (const name of ['a', 'b', 'c', 'd']) expect(buffer.track(event(name))).toBe(true)
    await buffer.flush()
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /batch', 'POST /batch'])
    const operations = seen.flatMap(operationsOf)
    expect(operations.map(({ method, path, body }) => `${method} ${path} ${body.name}`)).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `POST /events ${name}`),
    )
    for (const { body } of operations) expect(body.time >= before).toBe(true)
    expect(new Set(operations.map(({ idempotency_key }) => idempotency_key)).size).toBe(4)
    expect([buffer.pending, buffer.dropped]).toEqual([0, 0])
  })

  it('sends events after its interval', async () => {
    const { url, seen } = await scripted(stored)
    usherAt(url).events.buffer({ intervalMs: 10 }).track(event('a'))
    await expect.poll(() => seen.length).toBe(1)
  })

  it('keeps events that the server cannot accept now, and retries them with the same keys', async () => {
    const { url, seen } = await scripted(breakConnection, failure(503, 'unavailable'), stored)
    const buffer = usherAt(url, { maxRetries: 0 }).events.buffer({ intervalMs: 60_000 })
    buffer.track(event('a'))
    await expect(buffer.flush()).rejects.toThrow('POST /batch')
    await expect(buffer.flush()).rejects.toMatchObject({ status: 503 })
    expect(buffer.pending).toBe(1)
    await buffer.flush()
    expect(buffer.pending).toBe(0)
    expect(new Set(seen.flatMap(operationsOf).map(({ idempotency_key }) => idempotency_key)).size).toBe(1)
  })

  it('keeps events of a request that did not arrive in time (408), and retries them', async () => {
    const { url } = await scripted(failure(408, 'request_timeout'), stored)
    const buffer = usherAt(url, { maxRetries: 0 }).events.buffer({ intervalMs: 60_000 })
    buffer.track(event('a'))
    await expect(buffer.flush()).rejects.toMatchObject({ status: 408 })
    expect([buffer.pending, buffer.dropped]).toEqual([1, 0])
    await buffer.flush()
    expect([buffer.pending, buffer.dropped]).toEqual([0, 0])
  })

  it('close() reports every event that it could not send, also those that do not fit into one request', async () => {
    const { url } = await scripted(neverAnswer)
    const dropped: DroppedEvent[] = []
    const buffer = usherAt(url).events.buffer({ intervalMs: 60_000, onDrop: (one) => dropped.push(one) })
    const large = { ...event('large'), attributes: { text: 'x'.repeat(1_000_000) } }
    for (let count = 0; count < 9; count += 1) expect(buffer.track(large)).toBe(true)
    await buffer.close({ timeoutMs: 100 })
    expect([buffer.pending, buffer.dropped]).toEqual([0, 9])
    await expect.poll(() => dropped.map(({ reason }) => reason)).toEqual(Array(9).fill('unsent'))
  })

  it('reports refused events with the reason, and the others arrive', async () => {
    const refusal = { status: 400, body: { error: { code: 'invalid_params', message: 'name: is wrong' } } }
    const { url } = await scripted((response, seen) =>
      answer(200, {
        results: operationsOf(seen).map(({ body }) => (body.name === 'bad!' ? refusal : { status: 200, body: {} })),
      })(response),
    )
    const dropped: DroppedEvent[] = []
    const buffer = usherAt(url).events.buffer({ onDrop: (one) => dropped.push(one) })
    for (const name of ['good', 'bad!', 'better']) buffer.track(event(name))
    await buffer.flush()
    expect([buffer.pending, buffer.dropped]).toEqual([0, 1])
    expect(dropped).toMatchObject([
      { event: { name: 'bad!' }, reason: 'refused', error: { code: 'invalid_params', message: 'name: is wrong' } },
    ])
  })

  it('retries only the events of a batch that failed temporarily', async () => {
    let batches = 0
    const { url, seen } = await scripted((response, one) => {
      batches += 1
      answer(200, {
        results: operationsOf(one).map((_, index) => ({ status: batches === 1 && index === 1 ? 503 : 200, body: {} })),
      })(response)
    })
    const buffer = usherAt(url).events.buffer({ intervalMs: 60_000 })
    for (const name of ['a', 'b', 'c']) buffer.track(event(name))
    await expect(buffer.flush()).rejects.toMatchObject({ status: 503 })
    await buffer.flush()
    expect(seen.map((one) => operationsOf(one).map(({ body }) => body.name))).toEqual([['a', 'b', 'c'], ['b']])
  })

  it('is bounded: events without room are dropped and reported, events being sent count', async () => {
    const { url, seen } = await scripted(neverAnswer)
    const dropped: DroppedEvent[] = []
    const buffer = usherAt(url).events.buffer({ maxBatch: 2, maxEvents: 3, onDrop: (one) => dropped.push(one) })
    buffer.track(event('a'))
    buffer.track(event('b'))
    await expect.poll(() => seen.length).toBe(1)
    expect([buffer.track(event('c')), buffer.track(event('d'))]).toEqual([true, false])
    expect([buffer.pending, buffer.dropped]).toEqual([3, 1])
    await expect.poll(() => dropped).toMatchObject([{ event: { name: 'd' }, reason: 'full' }])
    const narrow = usherAt(url).events.buffer({ maxCharacters: 200, intervalMs: 60_000 })
    expect(narrow.track({ ...event('e'), attributes: { text: 'x'.repeat(300) } })).toBe(false)
  })

  it('close() sends the rest, and later events are dropped', async () => {
    const { url, seen } = await scripted(failure(503, 'unavailable'), stored)
    const dropped: DroppedEvent[] = []
    const buffer = usherAt(url, { maxRetries: 0 }).events.buffer({ onDrop: (one) => dropped.push(one) })
    buffer.track(event('a'))
    await buffer.close()
    expect(seen).toHaveLength(2)
    expect([buffer.pending, buffer.track(event('b'))]).toEqual([0, false])
    await expect.poll(() => dropped.map(({ reason }) => reason)).toEqual(['closed'])
  })

  it('close() ends in time when the server cannot be reached, and reports the dropped events', async () => {
    const { url } = await scripted(neverAnswer)
    const dropped: DroppedEvent[] = []
    const buffer = usherAt(url).events.buffer({ onDrop: (one) => dropped.push(one) })
    buffer.track(event('a'))
    await buffer.close({ timeoutMs: 50 })
    expect(buffer.pending).toBe(0)
    await expect.poll(() => dropped).toMatchObject([{ event: { name: 'a' }, reason: 'unsent' }])
  })

  it('close() waits for as long as it is told, however long that is', async () => {
    const { hold, breakOff } = heldAnswer()
    const { url, seen } = await scripted(hold, stored)
    const buffer = usherAt(url).events.buffer()
    buffer.track(event('a'))
    const closed = buffer.close({ timeoutMs: Number.POSITIVE_INFINITY })
    await expect.poll(() => seen.length).toBe(1)
    setTimeout(breakOff, 100)
    await closed
    expect([buffer.pending, buffer.dropped]).toEqual([0, 0])
  })

  it('an aborted flush() ends at once, and its events are stored later, once', async () => {
    const { hold, breakOff } = heldAnswer()
    const { url, seen } = await scripted(hold, stored)
    const buffer = usherAt(url).events.buffer({ intervalMs: 60_000 })
    buffer.track(event('a'))
    const controller = new AbortController()
    const flushed = buffer.flush({ signal: controller.signal })
    await expect.poll(() => seen.length).toBe(1)
    controller.abort(new Error('enough'))
    await expect(flushed).rejects.toThrow('enough')
    expect(buffer.pending).toBe(1)
    await expect(buffer.flush({ signal: controller.signal })).rejects.toThrow('enough')
    breakOff()
    await buffer.flush()
    expect([buffer.pending, buffer.dropped]).toEqual([0, 0])
    expect(new Set(seen.flatMap(operationsOf).map(({ idempotency_key }) => idempotency_key)).size).toBe(1)
  })

  it('an aborted close() ends at once, and reports the dropped events', async () => {
    const { url, seen } = await scripted(neverAnswer)
    const dropped: DroppedEvent[] = []
    const buffer = usherAt(url).events.buffer({ onDrop: (one) => dropped.push(one) })
    buffer.track(event('a'))
    const controller = new AbortController()
    const closed = buffer.close({ timeoutMs: 600_000, signal: controller.signal })
    await expect.poll(() => seen.length).toBe(1)
    controller.abort()
    await closed
    await expect.poll(() => dropped).toMatchObject([{ event: { name: 'a' }, reason: 'unsent' }])
  })
})
