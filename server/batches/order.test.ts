import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { CommitOrder } from './order.ts'

const environments = (...ids: number[]) => ids as EnvironmentId[]

it('keeps no state of 10,000 environments whose batches are finished', async () => {
  const order = new CommitOrder()
  const all = environments(...Array.from({ length: 10_000 }, (_, id) => id + 1))
  await order.settle(await order.enter(all, true))
  await sleep(5)
  await order.settle(await order.enter(environments(1), true))
  expect(order.size).toBe(1)
})

it('gives an environment later times than before, also after its state is gone', async () => {
  const order = new CommitOrder()
  let last = 0
  for (let round = 0; round < 50; round += 1) {
    const place = await order.enter(environments(1 + (round % 2), 3), true)
    expect(place.stamp.ms).toBeGreaterThan(last)
    last = place.stamp.ms
    await order.settle(place)
    if (round % 10 === 0) await sleep(2)
  }
})

it('answers a batch after those before it in its own environments, and waits for no other', async () => {
  const order = new CommitOrder()
  const [first, both, other] = [
    await order.enter(environments(1), true),
    await order.enter(environments(1, 2), true),
    await order.enter(environments(3), true),
  ]
  const horizon = order.horizon(2 as EnvironmentId)
  expect(horizon.exceptMs).toEqual([both.stamp.ms])
  expect(order.settle(other)).toBeUndefined()
  const waiting = order.settle(both)
  expect(waiting).toBeInstanceOf(Promise)
  expect(order.horizon(2 as EnvironmentId).exceptMs).toEqual([])
  expect(order.settle(first)).toBeUndefined()
  await waiting
})
