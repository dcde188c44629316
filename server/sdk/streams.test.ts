import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import type { EnvironmentId } from '../database/database.ts'
import { Hints } from '../hints/hints.ts'
import type { PushSink } from '../http/reply.ts'
import type { VisitorCaller } from './admission.ts'
import { Streams } from './streams.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())

/** Keeps what it is sent. */
function newSink(): PushSink & { texts: string[]; close(): void } {
  const texts: string[] = []
  let closed = () => {}
  return {
    texts,
    unread: 0,
    write: (text) => void texts.push(text),
    end: () => closed(),
    destroy: () => closed(),
    close: () => closed(),
    onClose: (listener) => {
      closed = listener
    },
  }
}

const callerOf = (browserId: string, address: string, environmentId = 7) =>
  ({
    side: { environmentId },
    visitor: { userId: 'u', groupId: null, browserId },
    address,
  }) as unknown as VisitorCaller

it('streams that are asked for at once get no more than the share either', () => {
  const hints = new Hints(test.database, silent)
  const streams = new Streams(hints, test.database, silent)
  const callers = Array.from({ length: sdkLimits.streamsPerAddress + 5 }, (_, index) =>
    callerOf(`b${index}`, '10.0.0.1'),
  )
  for (const caller of callers) streams.check(caller)
  const sinks = callers.map((caller) => {
    const sink = newSink()
    streams.open(caller, undefined, sink, async () => true)
    return sink
  })
  expect(streams.size).toBe(sdkLimits.streamsPerAddress)
  expect(sinks.at(-1)?.texts.at(-1)).toContain('"type":"close"')
  streams.close()
  hints.content.stop()
})

it('an address has a share of the streams, of IPv6 its /64, and an environment has one', () => {
  const hints = new Hints(test.database, silent)
  const streams = new Streams(hints, test.database, silent)
  const open = (caller: VisitorCaller) => {
    const sink = newSink()
    streams.check(caller)
    streams.open(caller, undefined, sink, async () => true)
    return sink
  }
  const first = open(callerOf('first', '2001:db8:1:2::1'))
  for (let index = 1; index < sdkLimits.streamsPerAddress; index += 1)
    open(callerOf(`b${index}`, `2001:db8:1:2::${index.toString(16)}`))
  const late = callerOf('late', '2001:db8:1:2:3::1')
  expect(() => open(late)).toThrow('too many open streams')
  open(callerOf('elsewhere', '2001:db8:1:3::1'))
  first.close()
  open(late)
  const shared = {
    environment: 9,
    address: (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  }
  for (let index = 0; index < sdkLimits.streamsPerEnvironment; index += 1)
    open(callerOf(`e${index}`, shared.address(index), shared.environment))
  expect(() => open(callerOf('one-too-many', '10.9.9.9', shared.environment))).toThrow('too many open streams')
  expect(() => open(callerOf('other-environment', '10.9.9.9'))).not.toThrow()
  streams.close()
  expect(streams.size).toBe(0)
  hints.content.stop()
})

it('every stream gets a beat in 45 s, and no more than a ninetieth of them at once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const hints = new Hints(test.database, silent)
  const streams = new Streams(hints, test.database, silent)
  const sinks = Array.from({ length: 360 }, (_, index) => {
    const sink = newSink()
    streams.open(callerOf(`b${index}`, `10.0.${index >> 8}.${index & 255}`), undefined, sink, () => true)
    return sink
  })
  const beats = () => sinks.map(({ texts }) => texts.filter((text) => text.startsWith(':')).length)
  await vi.advanceTimersByTimeAsync(500)
  expect(beats().reduce((sum, count) => sum + count)).toBe(4)
  await vi.advanceTimersByTimeAsync(44_500)
  expect(beats()).toEqual(sinks.map(() => 1))
  streams.close()
  hints.content.stop()
})

it('a stream whose visitor is refused is closed with its beat', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const hints = new Hints(test.database, silent)
  const streams = new Streams(hints, test.database, silent)
  const sink = newSink()
  streams.open(callerOf('b', '10.0.0.1'), undefined, sink, async () => false)
  await vi.advanceTimersByTimeAsync(45_000)
  expect(sink.texts.at(-1)).toContain('"type":"close"')
  expect(streams.size).toBe(0)
  streams.close()
  hints.content.stop()
})

it('a stream is hinted at its opening when its node has not heard of changes for ten seconds, or when its user has changed since', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const hints = new Hints(test.database, silent)
  const streams = new Streams(hints, test.database, silent)
  let opened = 0
  const isHinted = (userId: string) => {
    const sink = newSink()
    opened += 1
    const caller = callerOf(`b${opened}`, `10.0.0.${opened}`)
    streams.open({ ...caller, visitor: { ...caller.visitor, userId } }, undefined, sink, async () => true)
    return sink.texts.join('').includes('"type":"hint"')
  }
  expect(isHinted('ada')).toBe(true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isHinted('bob')).toBe(false)
  hints.userChanged(7 as EnvironmentId, 'eve')
  await vi.advanceTimersByTimeAsync(20)
  expect([isHinted('eve'), isHinted('bob')]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isHinted('eve')).toBe(false)
  streams.close()
  hints.content.stop()
})

it('an environment is watched until a minute after its last stream, so that the page that follows is not hinted', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const hints = new Hints(test.database, silent)
  const streams = new Streams(hints, test.database, silent)
  const open = () => {
    const sink = newSink()
    streams.open(callerOf('b', '10.0.0.1'), undefined, sink, async () => true)
    return sink
  }
  const isWatched = () => hints.isWatched(7 as EnvironmentId)
  expect(isWatched()).toBe(false)
  open().close()
  await vi.advanceTimersByTimeAsync(59_000)
  const next = open()
  expect(next.texts).toEqual(['retry: 2000\n\n'])
  await vi.advanceTimersByTimeAsync(20_000)
  next.close()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(isWatched()).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isWatched()).toBe(false)
  streams.close()
  hints.content.stop()
})

it('another node hears of every change, also when very many users and sessions have changed at once', async () => {
  const [own, other] = [new Hints(test.database, silent), new Hints(test.database, silent)]
  onTestFinished(async () => void (await Promise.all([own.stop(), other.stop()])))
  const environmentId = 7 as EnvironmentId
  const heard = { keys: new Set<string>(), sessions: new Set<string>() }
  other.onChanges = (_, { subjects, sessions }) => {
    for (const key of subjects) heard.keys.add(key)
    for (const id of sessions.keys()) heard.sessions.add(id)
  }
  await Promise.all([own.start(), other.start()])
  other.watch(environmentId)
  await expect.poll(() => own.isWatched(environmentId)).toBe(true)
  for (let number = 0; number < 400; number += 1) own.userChanged(environmentId, `user-${number}`)
  for (let number = 0; number < 250; number += 1) own.sessionChanged(environmentId, `user-${number}`, randomUUID())
  await expect.poll(() => [heard.keys.size, heard.sessions.size]).toEqual([400, 250])
})
