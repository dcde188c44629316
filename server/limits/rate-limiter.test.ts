import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import { insertAccount } from '../accounts/queries.ts'
import type { Queryable } from '../database/database.ts'
import type { RateVerdict } from './bucket.ts'
import { RateLimiter } from './rate-limiter.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())

let accounts = 0

/** Nodes on one real database, whose clock is set by the test. */
class World implements Queryable {
  readonly isDistributed = false
  /** Ten seconds into some minute. */
  seconds = 1_800_000_010
  statements = 0
  unreachable = false
  /** Called once, before the next statement. */
  next: (() => Promise<void>) | undefined

  async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    this.statements += 1
    const next = this.next
    this.next = undefined
    await next?.()
    if (this.unreachable) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    return await test.database.query<Row>(text.replaceAll('clock_timestamp()', `to_timestamp(${this.seconds})`), values)
  }

  /** The monotonic clock of each node starts at a random value. */
  node(bootedAt: number = Math.random() * 1e9): RateLimiter {
    return new RateLimiter(this, silent, () => this.seconds * 1000 - bootedAt)
  }

  async account(): Promise<number> {
    accounts += 1
    const row = await insertAccount(test.database, `limited ${accounts}`, 'starter', new Date().toISOString())
    return (row as { id: number }).id
  }
}

async function takes(node: RateLimiter, account: number, limit: number, count: number): Promise<RateVerdict[]> {
  return await Promise.all(Array.from({ length: count }, () => node.take(account, limit)))
}

const allowed = (verdicts: RateVerdict[]) => verdicts.filter((verdict) => verdict.allowed).length

it('allows exactly the limit over three nodes that take at the same time', async () => {
  const world = new World()
  const account = await world.account()
  const nodes = [world.node(), world.node(), world.node()]
  let sum = 0
  for (let round = 0; round < 25; round += 1) {
    const verdicts = await Promise.all(nodes.map((node) => takes(node, account, 500, 33)))
    sum += allowed(verdicts.flat())
  }
  expect(sum).toBe(500)
})

it('never allows more than the limit in any minute of the database, under random loads on three nodes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.array(fc.record({ node: fc.nat(2), count: fc.nat(60), seconds: fc.nat(25) }), { maxLength: 12 }),
      async (limit, steps) => {
        const world = new World()
        const account = await world.account()
        const nodes = [world.node(), world.node(), world.node()]
        const perMinute = new Map<number, number>()
        for (const { node, count, seconds } of steps) {
          world.seconds += seconds
          const minute = Math.floor(world.seconds / 60)
          const passed = allowed(await takes(nodes[node] as RateLimiter, account, limit, count))
          perMinute.set(minute, (perMinute.get(minute) ?? 0) + passed)
        }
        expect(Math.max(0, ...perMinute.values())).toBeLessThanOrEqual(limit)
      },
    ),
    { numRuns: 60 },
  )
})

it('queries the database seldom, and never for requests refused in a spent minute', async () => {
  const world = new World()
  const account = await world.account()
  const node = world.node()
  for (let request = 0; request < 3_000; request += 1) await node.take(account, 3_000)
  expect(world.statements).toBeLessThan(60)
  expect((await node.take(account, 3_000)).allowed).toBe(false)
  const before = world.statements
  for (let request = 0; request < 12_000; request += 1) {
    const verdict = node.take(account, 3_000)
    expect(verdict).toMatchObject({ allowed: false, limit: 3_000, remaining: 0, resetSeconds: 50 })
  }
  expect(world.statements).toBe(before)
  expect(node.refusals).toBe(12_001)
})

it('starts again with the next minute of the database, and uses no slice beyond its minute', async () => {
  const world = new World()
  const account = await world.account()
  const nodes = [world.node(), world.node()] as const
  expect(allowed(await takes(nodes[0], account, 100, 150))).toBe(100)
  world.seconds += 49
  expect(await nodes[1].take(account, 100)).toMatchObject({ allowed: false, resetSeconds: 1 })
  world.seconds += 1
  expect(await nodes[1].take(account, 100)).toMatchObject({ allowed: true, resetSeconds: 60 })
  expect(allowed(await takes(nodes[0], account, 100, 150))).toBe(99)
})

it('grants no budget twice when the clock of the database steps back', async () => {
  const world = new World()
  const account = await world.account()
  expect(allowed(await takes(world.node(), account, 100, 150))).toBe(100)
  world.seconds -= 30
  expect(allowed(await takes(world.node(), account, 100, 150))).toBe(0)
})

it('returns the budget of an idle node to the others within the minute', async () => {
  const world = new World()
  const account = await world.account()
  const [idle, busy] = [world.node(), world.node()]
  expect(allowed(await takes(idle, account, 500, 3))).toBe(3)
  world.seconds += 6
  await idle.sweep()
  expect(allowed(await takes(busy, account, 500, 600))).toBe(497)
})

it('finds budget that another node returned after it had refused', async () => {
  const world = new World()
  const account = await world.account()
  const [idle, busy] = [world.node(), world.node()]
  await takes(idle, account, 500, 40)
  const first = allowed(await takes(busy, account, 500, 600))
  await idle.stop()
  world.seconds += 3
  expect(40 + first + allowed(await takes(busy, account, 500, 600))).toBe(500)
})

it('loses at most its slice with a node that dies', async () => {
  const world = new World()
  const account = await world.account()
  await takes(world.node(), account, 500, 10)
  const survivor = allowed(await takes(world.node(), account, 500, 600))
  expect(survivor).toBeGreaterThan(500 - 10 - 125)
})

it('admits requests while the database is unreachable, queries it rarely, and charges them afterwards', async () => {
  const world = new World()
  const account = await world.account()
  const node = world.node()
  world.unreachable = true
  expect(allowed(await takes(node, account, 100, 30))).toBe(30)
  expect(allowed(await takes(node, account, 100, 30))).toBe(30)
  expect(world.statements).toBe(1)
  world.unreachable = false
  world.seconds += 1
  expect(allowed(await takes(node, account, 100, 100))).toBe(40)
})

it('a refused batch puts back what it has taken, but nothing of a minute that has ended', async () => {
  const world = new World()
  const account = await world.account()
  const [node, other] = [world.node(), world.node()]
  expect(await node.takeMany(account, 100, 101)).toMatchObject({ allowed: false, remaining: 100 })
  // The budget that is left is taken in the last second of this minute, and the next slice is of a minute that is spent.
  world.seconds += 49
  world.next = async () => {
    world.seconds += 1
    expect(allowed(await takes(other, account, 100, 100))).toBe(100)
  }
  expect(await node.takeMany(account, 100, 101)).toMatchObject({ allowed: false, remaining: 0 })
  expect(allowed(await takes(node, account, 100, 50))).toBe(0)
})

it('counts down what remains', async () => {
  const world = new World()
  const account = await world.account()
  const node = world.node()
  for (let left = 19; left >= 0; left -= 1) expect(await node.take(account, 20)).toMatchObject({ remaining: left })
})

it('a stop asks a database that does not answer once, and not for each account', async () => {
  const world = new World()
  const node = world.node()
  for (let count = 0; count < 5; count += 1) await node.take(await world.account(), 500)
  world.unreachable = true
  const before = world.statements
  await node.stop()
  expect(world.statements - before).toBe(1)
})
