import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../errors.ts'
import { ConcurrencyLimiter, type QueuedSlot } from './concurrency-limiter.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests that are admitted, refused or cancelled, with the outcome of each. */
class Load {
  readonly limiter: ConcurrencyLimiter
  readonly log: string[] = []
  readonly queued = new Map<string, QueuedSlot>()
  /** The accounts of the active requests. */
  readonly #active: number[] = []

  constructor(mostActive: number, mostWaiting = 1_000) {
    this.limiter = new ConcurrencyLimiter({ mostActive, mostWaiting, maxWaitMs: 15_000 })
  }

  request(account: number, name = `${account}`): void {
    const admit = () => {
      this.#active.push(account)
      this.log.push(name)
    }
    if (this.limiter.tryEnter(account)) {
      admit()
      return
    }
    const turn = this.limiter.wait(account)
    this.queued.set(name, turn)
    turn.admitted.then(admit, (error: unknown) =>
      this.log.push(`${name}: ${error instanceof ApiError ? error.code : error}`),
    )
  }

  /** The oldest active requests end, one after the other; of one account, if it is given. */
  async leave(times = 1, account?: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const index = account === undefined ? 0 : this.#active.indexOf(account)
      this.limiter.leave(...(this.#active.splice(index, 1) as [number]))
      await vi.advanceTimersByTimeAsync(0)
    }
  }
}

it('admits at once while there is room, and queues the rest', async () => {
  const load = new Load(2)
  for (const name of ['a', 'b', 'c']) load.request(1, name)
  expect(load.log).toEqual(['a', 'b'])
  expect(load.limiter).toMatchObject({ active: 2, waiting: 1 })
  await load.leave()
  expect(load.log).toEqual(['a', 'b', 'c'])
  expect(load.limiter).toMatchObject({ active: 2, waiting: 0 })
})

it('serves accounts in turn, so that a flood delays itself and not the others', async () => {
  const load = new Load(1)
  for (let index = 0; index < 100; index += 1) load.request(1)
  for (const account of [2, 3, 2]) load.request(account)
  await load.leave(7)
  expect(load.log.join(' ')).toBe('1 1 2 3 1 2 1 1')
})

it('leaves slots for the others while the requests of one account do not end', async () => {
  const load = new Load(4)
  for (let index = 0; index < 6; index += 1) load.request(1)
  load.request(2)
  expect(load.log.join(' ')).toBe('1 1 1 2')
  load.request(3)
  await load.leave(1, 2)
  expect(load.log.join(' ')).toBe('1 1 1 2 3')
  await load.leave(1, 3)
  expect(load.limiter).toMatchObject({ active: 3, waiting: 3 })
  await load.leave(1, 1)
  expect(load.log.join(' ')).toBe('1 1 1 2 3 1')
})

it('refuses a request that waited 15 seconds as overloaded', async () => {
  const load = new Load(1)
  for (const name of ['active', 'late', 'later']) load.request(1, name)
  await vi.advanceTimersByTimeAsync(14_999)
  expect(load.log).toEqual(['active'])
  await vi.advanceTimersByTimeAsync(1)
  expect(load.log).toEqual(['active', 'late: overloaded', 'later: overloaded'])
  await load.leave()
  expect(load.limiter).toMatchObject({ active: 0, waiting: 0, refusals: 2 })
})

it('refuses at once beyond the length of the queue, but keeps room for an account that has less in it', async () => {
  const load = new Load(1, 3)
  for (const name of ['a', 'b', 'c', 'd']) load.request(1, name)
  expect(() => load.request(1, 'e')).toThrow(expect.objectContaining({ code: 'overloaded' }))
  load.request(2, 'other')
  await vi.advanceTimersByTimeAsync(0)
  expect(load.log).toEqual(['a', 'd: overloaded'])
  await load.leave(2)
  expect(load.log.slice(2)).toEqual(['b', 'other'])
})

it('skips a request whose client disconnected while it waited', async () => {
  const load = new Load(1)
  for (const name of ['a', 'b', 'c']) load.request(1, name)
  expect(load.queued.get('b')?.cancel()).toBe(true)
  await load.leave()
  expect(load.log).toEqual(['a', 'c'])
  expect(load.queued.get('c')?.cancel()).toBe(false)
})

it('reports the peak of active requests since the last report', async () => {
  const load = new Load(10)
  expect(load.limiter.takePeak()).toBe(0)
  for (let count = 0; count < 5; count += 1) load.request(1)
  await load.leave(4)
  load.request(1)
  expect(load.limiter.takePeak()).toBe(5)
  expect(load.limiter.takePeak()).toBe(2)
  await load.leave(2)
  expect(load.limiter.takePeak()).toBe(2)
  expect(load.limiter.takePeak()).toBe(0)
})

it('never has more active requests than allowed and loses no slot, under random arrivals, ends, timeouts and disconnects', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('request' as const), account: fc.nat(4) }),
    fc.record({ kind: fc.constant('leave' as const), which: fc.nat(50) }),
    fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(50) }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(9_000) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 120 }), async (most, steps) => {
      const limiter = new ConcurrencyLimiter({ mostActive: most, mostWaiting: 8, maxWaitMs: 15_000 })
      const queued: QueuedSlot[] = []
      const active: number[] = []
      const share = Math.ceil(most * 0.75)
      for (const step of steps) {
        if (step.kind === 'request' && limiter.tryEnter(step.account)) active.push(step.account)
        else if (step.kind === 'request') queue(limiter, step.account, queued, () => active.push(step.account))
        else if (step.kind === 'leave' && active.length > 0)
          limiter.leave(...(active.splice(step.which % active.length, 1) as [number]))
        else if (step.kind === 'cancel') queued[step.which % (queued.length || 1)]?.cancel()
        await vi.advanceTimersByTimeAsync(step.kind === 'pass' ? step.ms : 0)
        expect(active).toHaveLength(limiter.active)
        expect(active.length).toBeLessThanOrEqual(most)
        const ofAccounts = [...Map.groupBy(active, (account) => account).values()].map(({ length }) => length)
        expect(Math.max(0, ...ofAccounts)).toBeLessThanOrEqual(share)
        if (limiter.waiting > 0) expect(active.length === most || ofAccounts.includes(share)).toBe(true)
      }
      while (active.length > 0) {
        limiter.leave(active.pop() as number)
        await vi.advanceTimersByTimeAsync(0)
      }
      expect(limiter).toMatchObject({ active: 0, waiting: 0 })
    }),
    { numRuns: 200 },
  )
})

function queue(limiter: ConcurrencyLimiter, account: number, queued: QueuedSlot[], admit: () => void): void {
  try {
    const turn = limiter.wait(account)
    queued.push(turn)
    turn.admitted.then(admit, () => {})
  } catch (error) {
    expect(error).toMatchObject({ code: 'overloaded' })
  }
}
