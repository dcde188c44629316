import { afterEach, expect, it, vi } from 'vitest'
import { Batcher, type BatcherOptions } from './batcher.ts'
import { FirstInFirstOut, type Ticket, type WaitingItems } from './waiting-items.ts'

afterEach(() => void vi.useRealTimers())

/** A batcher whose batches continue when the test releases them. */
function controlled(
  waiting: WaitingItems<Ticket<number, number>> = new FirstInFirstOut(3),
  options: BatcherOptions = {},
) {
  const batches: { items: number[]; next(): void; finish(): void; fail(error: Error): void }[] = []
  const batcher = new Batcher<number, number>(
    (tickets, { next }) =>
      new Promise((resolve, reject) => {
        const finish = () => {
          for (const { item, resolve: answer } of tickets) answer(item * 10)
          resolve()
        }
        batches.push({ items: tickets.map(({ item }) => item), next, finish, fail: reject })
      }),
    waiting,
    options,
  )
  const begun = async () => {
    await new Promise(setImmediate)
    return batches.map(({ items }) => items)
  }
  return { batcher, batches, begun }
}

it('puts items of one turn into one batch, and gathers items while a batch is under way', async () => {
  const { batcher, batches, begun } = controlled()
  const answers = [1, 2].map((item) => batcher.add(item))
  expect(await begun()).toEqual([[1, 2]])
  answers.push(...[3, 4, 5, 6].map((item) => batcher.add(item)))
  expect(await begun()).toEqual([[1, 2]])
  expect(batcher.size).toBe(4)
  batches[0]?.finish()
  expect(await begun()).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  batches[1]?.finish()
  expect(await begun()).toEqual([[1, 2], [3, 4, 5], [6]])
  batches[2]?.finish()
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50, 60])
})

it('starts the next batch when the current one allows it, and never has more than two under way', async () => {
  const { batcher, batches, begun } = controlled()
  const answers = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((item) => batcher.add(item))
  expect(await begun()).toHaveLength(1)
  batches[0]?.next()
  expect(await begun()).toHaveLength(2)
  batches[1]?.next()
  batches[0]?.next()
  expect(await begun()).toHaveLength(2)
  batches[1]?.finish()
  expect(await begun()).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ])
  for (const batch of batches) batch.finish()
  expect(await Promise.all(answers)).toHaveLength(9)
  const later = batcher.add(10)
  expect(await begun()).toHaveLength(4)
  batches[3]?.finish()
  expect(await later).toBe(100)
})

it('starts a second batch when as many items wait as the first has, or when the first is finished', async () => {
  const { batcher, batches, begun } = controlled()
  const answers = [1, 2].map((item) => batcher.add(item))
  await begun()
  batches[0]?.next()
  answers.push(batcher.add(3))
  expect(await begun()).toEqual([[1, 2]])
  answers.push(batcher.add(4))
  expect(await begun()).toEqual([
    [1, 2],
    [3, 4],
  ])
  batches[1]?.next()
  answers.push(batcher.add(5))
  batches[0]?.finish()
  expect(await begun()).toHaveLength(2)
  batches[1]?.finish()
  expect((await begun()).at(-1)).toEqual([5])
  batches[2]?.finish()
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50])
})

it('waits briefly for as many items as were just answered, and not when that was long ago', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { batcher, batches, begun } = controlled(new FirstInFirstOut(100))
  const add = (count: number) => Array.from({ length: count }, (_, item) => batcher.add(item))
  const answers = add(10)
  await begun()
  batches[0]?.finish()
  answers.push(...add(9))
  expect(await begun()).toHaveLength(1)
  answers.push(...add(1))
  expect((await begun()).at(-1)).toHaveLength(10)
  batches[1]?.finish()
  answers.push(...add(2))
  expect(await begun()).toHaveLength(2)
  vi.advanceTimersByTime(2)
  // The other clients do not come back.
  expect((await begun()).at(-1)).toHaveLength(2)
  batches[2]?.finish()
  answers.push(...add(20))
  await begun()
  batches[3]?.finish()
  await Promise.all(answers)
  vi.advanceTimersByTime(2)
  const later = batcher.add(1)
  expect((await begun()).at(-1)).toEqual([1])
  batches[4]?.finish()
  expect(await later).toBe(10)
})

/** Items that keep their order. None of these batches is slow, so nothing is held. */
class InOrder<Waiter> extends FirstInFirstOut<Waiter> {
  hold(): void {}
}

it('takes half of the items that keep their order, so that their clients take turns', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { batcher, batches, begun } = controlled(new InOrder())
  const sizes = async () => (await begun()).map(({ length }) => length)
  const add = (count: number) => Array.from({ length: count }, (_, item) => batcher.add(item))
  const answers = add(64)
  expect(await sizes()).toEqual([32])
  batches[0]?.next()
  expect(await sizes()).toEqual([32, 32])
  batches[1]?.next()
  batches[0]?.finish()
  await begun()
  answers.push(...add(20))
  expect(await sizes()).toEqual([32, 32])
  answers.push(...add(12))
  expect(await sizes()).toEqual([32, 32, 32])
  batches[2]?.next()
  // Both are answered together, and yet the clients do not fall into step.
  batches[1]?.finish()
  batches[2]?.finish()
  await begun()
  answers.push(...add(64))
  expect(await sizes()).toEqual([32, 32, 32, 32])
  batches[3]?.next()
  expect(await sizes()).toEqual([32, 32, 32, 32, 32])
  for (const batch of batches) batch.finish()
  expect(await Promise.all(answers)).toHaveLength(160)
})

it('takes all of them where other workers use the cores meanwhile', async () => {
  const { batcher, batches, begun } = controlled(new InOrder(), { takesAll: true })
  const answers = Array.from({ length: 64 }, (_, item) => batcher.add(item))
  expect((await begun()).map(({ length }) => length)).toEqual([64])
  batches[0]?.finish()
  await Promise.all(answers)
})

it('forgets clients that do not come back, and takes all of a few', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { batcher, batches, begun } = controlled(new InOrder())
  const finishAll = async (items: Promise<number>[]) => {
    while (batcher.size > 0 || batches.length > 0) {
      await begun()
      vi.advanceTimersByTime(2)
      await begun()
      for (const batch of batches.splice(0)) batch.finish()
    }
    await Promise.all(items)
  }
  const add = (count: number) => Array.from({ length: count }, (_, item) => batcher.add(item))
  await finishAll(add(1_000))
  for (let time = 0; time < 40; time += 1) await finishAll(add(1))
  const few = add(15)
  vi.advanceTimersByTime(2)
  expect((await begun()).at(-1)).toHaveLength(15)
  await finishAll(few)
  const more = add(16)
  vi.advanceTimersByTime(2)
  expect((await begun()).at(-1)).toHaveLength(8)
  await finishAll(more)
})

it('does not wait when only a few were just answered', async () => {
  const { batcher, batches, begun } = controlled(new FirstInFirstOut(100))
  const answers = Array.from({ length: 7 }, (_, item) => batcher.add(item))
  await begun()
  batches[0]?.finish()
  answers.push(batcher.add(7))
  expect((await begun()).at(-1)).toEqual([7])
  batches[1]?.finish()
  await Promise.all(answers)
})

it('fails the items of a failed batch, and continues with the others', async () => {
  const { batcher, batches, begun } = controlled()
  const answers = Promise.allSettled([1, 2, 3, 4, 5, 6].map((item) => batcher.add(item)))
  await begun()
  batches[0]?.next()
  await begun()
  batches[0]?.fail(new Error('no'))
  batches[1]?.finish()
  const [rejected, fulfilled] = [Array(3).fill('rejected'), Array(3).fill('fulfilled')]
  expect((await answers).map(({ status }) => status)).toEqual([...rejected, ...fulfilled])
  const later = batcher.add(5)
  expect((await begun()).at(-1)).toEqual([5])
  batches[2]?.finish()
  expect(await later).toBe(50)
})
