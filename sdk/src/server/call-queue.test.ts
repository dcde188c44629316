import { expect, it } from 'vitest'
import { CallQueue } from './call-queue.ts'
import type { Answer } from './calls.ts'

const ok: Answer<unknown> = { ok: true, data: {} }
const failed = (status: number): Answer<unknown> => ({
  ok: false,
  status,
  code: 'x',
  problem: `answered ${status}`,
  retryAfterMs: 0,
  refused: [],
})

/** A clock that jumps over every wait. */
function jumping() {
  let now = 0
  return {
    now: () => now,
    wait: async (ms: number) => {
      now += ms
      await new Promise((resolve) => setTimeout(resolve))
    },
  }
}

it('carries calls out in their order, one at a time, also when one fails for now', async () => {
  const queue = new CallQueue(jumping())
  const log: string[] = []
  const answers = [failed(503), failed(0), ok]
  const first = queue.add(async () => {
    log.push('first')
    return answers.shift() as Answer<unknown>
  })
  const second = queue.add(async () => {
    log.push('second')
    return ok
  })
  expect(await Promise.all([first, second])).toEqual([{ ok: true }, { ok: true }])
  expect(log).toEqual(['first', 'first', 'first', 'second'])
})

it('a call that is refused is answered so, and the next one goes on', async () => {
  const queue = new CallQueue(jumping())
  const results = await Promise.all([queue.add(async () => failed(403)), queue.add(async () => ok)])
  expect(results).toEqual([{ ok: false, problem: 'answered 403' }, { ok: true }])
})

it('while Usher is away, a call is answered within seconds, and tried further', async () => {
  const queue = new CallQueue(jumping())
  let tries = 0
  let isBack = false
  const result = await queue.add(async () => {
    tries += 1
    return isBack ? ok : failed(0)
  })
  expect(result).toEqual({ ok: false, problem: 'answered 0' })
  const before = tries
  isBack = true
  expect(await queue.add(async () => ok)).toEqual({ ok: true })
  expect(tries).toBeGreaterThan(before)
})

it('while Usher is away, the calls behind the one that is tried are answered too, and carried out when it is back', async () => {
  const queue = new CallQueue(jumping())
  let isBack = false
  const log: string[] = []
  const first = queue.add(async () => (isBack ? ok : failed(0)))
  const behind = queue.add(async () => {
    log.push('behind')
    return ok
  })
  const away = { ok: false, problem: 'answered 0' }
  expect(await Promise.all([first, behind])).toEqual([away, away])
  expect(log).toEqual([])
  isBack = true
  expect(await queue.add(async () => ok)).toEqual({ ok: true })
  expect(log).toEqual(['behind'])
})

it('a call that throws is answered as failed, and none rejects', async () => {
  const queue = new CallQueue(jumping())
  const broken = queue.add(() => Promise.reject(new Error('broken')))
  expect(await broken).toMatchObject({ ok: false })
  expect(await queue.add(async () => ok)).toEqual({ ok: true })
})

it('a reset leaves out the calls that wait', async () => {
  const queue = new CallQueue(jumping())
  const waiting = [queue.add(async () => failed(0)), queue.add(async () => ok)]
  queue.clear()
  expect(await Promise.all(waiting)).toEqual([
    { ok: false, problem: 'the user was reset' },
    { ok: false, problem: 'the user was reset' },
  ])
})

it('a reset ends the pause before the next try, so that the calls of the next user do not wait for it', async () => {
  // The pause never ends by itself.
  const forever = new Promise<void>(() => {})
  let first: Promise<unknown> = forever
  const queue = await new Promise<CallQueue>((paused) => {
    const wait = () => {
      paused(made)
      return forever
    }
    const made = new CallQueue({ now: () => 0, wait })
    first = made.add(async () => failed(503))
  })
  queue.clear()
  expect(await queue.add(async () => ok)).toEqual({ ok: true })
  expect(await first).toEqual({ ok: false, problem: 'the user was reset' })
})

it('calls of a user who has left are still made, once each, if a page that is left would send them; those of the next user do not wait', async () => {
  const queue = new CallQueue(jumping())
  const log: string[] = []
  let resolve: (answer: Answer<unknown>) => void = () => {}
  const promise = new Promise<Answer<unknown>>((settle) => (resolve = settle))
  const call = (name: string, answer: Answer<unknown> | Promise<Answer<unknown>>, leave?: () => boolean) =>
    queue.add(async () => {
      log.push(name)
      return await answer
    }, leave)
  // Nobody is identified yet, so that nothing can be sent while the page is left.
  const cannot = () => false
  const before = [call('identify', promise, cannot), call('track', failed(503), cannot), call('start', ok)]
  await Promise.resolve()
  queue.leave()
  queue.clear()
  expect(await call('next', ok)).toEqual({ ok: true })
  resolve(ok)
  const wasReset = { ok: false, problem: 'the user was reset' }
  expect(await Promise.all(before)).toEqual([{ ok: true }, wasReset, wasReset])
  expect(log).toEqual(['identify', 'next', 'track'])
})

it('of a page that is left, calls that wait are sent, once, and the one that is under way is not sent twice', async () => {
  const queue = new CallQueue(jumping())
  const log: string[] = []
  let resolve: (answer: Answer<unknown>) => void = () => {}
  const promise = new Promise<Answer<unknown>>((settle) => (resolve = settle))
  const call = (name: string, answer: Answer<unknown> | Promise<Answer<unknown>>) => {
    const run = async () => {
      log.push(`run ${name}`)
      return await answer
    }
    return queue.add(run, () => log.push(`leave ${name}`) > 0)
  }
  const begun = call('a', promise)
  const waiting = call('b', ok)
  const start = queue.add(async () => {
    log.push('run start')
    return ok
  })
  await Promise.resolve()
  queue.leave()
  queue.leave()
  expect(await waiting).toEqual({ ok: true })
  // The page comes back from the cache of the browser.
  resolve(ok)
  expect(await Promise.all([begun, start])).toEqual([{ ok: true }, { ok: true }])
  expect(log).toEqual(['run a', 'leave b', 'run start'])
})

it('a call that failed and waits for its next try is sent by a page that is left, and not tried again', async () => {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => (resolve = settle))
  const queue = new CallQueue({ now: () => 0, wait: () => promise })
  const log: string[] = []
  const run = async () => {
    log.push('run')
    return failed(503)
  }
  const result = queue.add(run, () => log.push('leave') > 0)
  await new Promise((settled) => setTimeout(settled))
  queue.leave()
  resolve()
  expect(await result).toEqual({ ok: true })
  expect(await queue.add(async () => ok)).toEqual({ ok: true })
  expect(log).toEqual(['run', 'leave'])
})
