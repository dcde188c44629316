import { expect, it, vi } from 'vitest'
import type { Report } from '../../../contract/sdk/protocol.ts'
import { ReportQueue, type Sent } from './reports.ts'

const seen = (step: string) => ({ type: 'step_seen', step }) as const
const settle = () => new Promise((resolve) => setTimeout(resolve))

/** Each request waits until the test answers it. */
function server() {
  const requests: { reports: Report[]; answer(sent: Sent): void }[] = []
  const send = (reports: Report[]) => new Promise<Sent>((answer) => requests.push({ reports, answer }))
  return { requests, send }
}

it('sends one request at a time, each with everything that is not acknowledged', async () => {
  const { requests, send } = server()
  const queue = new ReportQueue(3, send, async () => {})
  queue.push(seen('a'))
  await settle()
  queue.push(seen('b'))
  queue.push(seen('c'))
  await settle()
  expect(requests.map(({ reports }) => reports.map(({ sequence }) => sequence))).toEqual([[4]])
  requests[0]?.answer({ kind: 'done', count: 1, sequence: 4 })
  await settle()
  expect(requests[1]?.reports.map(({ sequence }) => sequence)).toEqual([5, 6])
})

it('repeats after a failure, with what was reported meanwhile', async () => {
  const { requests, send } = server()
  const wait = vi.fn(async () => {})
  const queue = new ReportQueue(0, send, wait)
  queue.push(seen('a'))
  await settle()
  queue.push(seen('b'))
  requests[0]?.answer({ kind: 'again', afterMs: 700 })
  await settle()
  expect(wait).toHaveBeenCalledWith(700)
  expect(requests[1]?.reports.map(({ sequence }) => sequence)).toEqual([1, 2])
})

it('sends also what is reported in the moment in which the last answer is taken in', async () => {
  const sequences: number[] = []
  const queue = new ReportQueue(0, async (reports) => {
    sequences.push(...reports.map(({ sequence }) => sequence))
    return { kind: 'done', count: reports.length, sequence: reports.at(-1)?.sequence ?? 0 }
  })
  for (let between = 0; between < 20; between++) {
    queue.push(seen('a'))
    for (let turn = 0; turn < between; turn++) await Promise.resolve()
    queue.push(seen('b'))
    await settle()
    expect(queue.waiting, `${between} turns later`).toEqual([])
  }
  expect([...new Set(sequences)]).toHaveLength(40)
})

it('numbers what is left anew when the server has another last sequence', async () => {
  const { requests, send } = server()
  const queue = new ReportQueue(8, send, async () => {})
  queue.push(seen('a'))
  queue.push(seen('b'))
  await settle()
  requests[0]?.answer({ kind: 'done', count: 0, sequence: 2 })
  await settle()
  expect(requests[1]?.reports.map(({ sequence }) => sequence)).toEqual([3, 4])
  requests[1]?.answer({ kind: 'done', count: 2, sequence: 4 })
  await settle()
  queue.push(seen('c'))
  await settle()
  expect(requests[2]?.reports.map(({ sequence }) => sequence)).toEqual([5])
})

it('what was reported while a request was under way is sent, also when the server has a higher last sequence, of a tab before', async () => {
  const { requests, send } = server()
  const queue = new ReportQueue(0, send, async () => {})
  queue.push(seen('a'))
  await settle()
  queue.push(seen('b'))
  requests[0]?.answer({ kind: 'done', count: 1, sequence: 3 })
  await settle()
  expect(requests[1]?.reports).toEqual([{ sequence: 4, ...seen('b') }])
})

it('sends at most 100 in a request, and leaves out alone what is refused', async () => {
  const { requests, send } = server()
  const queue = new ReportQueue(0, send, async () => {})
  for (let number = 1; number <= 102; number++) queue.push(seen(`${number}`))
  await settle()
  expect(requests[0]?.reports).toHaveLength(100)
  requests[0]?.answer({ kind: 'done', count: 100, sequence: 100 })
  await settle()
  expect(requests[1]?.reports).toHaveLength(2)
  requests[1]?.answer({ kind: 'refused' })
  await settle()
  expect(requests[2]?.reports).toEqual([{ sequence: 101, ...seen('101') }])
  requests[2]?.answer({ kind: 'refused' })
  await settle()
  expect(requests[3]?.reports).toEqual([{ sequence: 101, ...seen('102') }])
})

it('repeats with the next report what could not be acknowledged, because a function of the page throws, and rejects nothing', async () => {
  const { requests, send } = server()
  const queue = new ReportQueue(0, send, async () => {})
  queue.push(seen('a'))
  await settle()
  const { map } = Array.prototype
  Array.prototype.map = () => {
    throw new Error('of the page')
  }
  requests[0]?.answer({ kind: 'done', count: 1, sequence: 1 })
  await queue.acknowledged()
  Array.prototype.map = map
  queue.push(seen('b'))
  await settle()
  expect(requests[1]?.reports.map(({ sequence }) => sequence)).toEqual([1, 2])
})

it('sends nothing after the session is over', async () => {
  const { requests, send } = server()
  const queue = new ReportQueue(0, send, async () => {})
  queue.push(seen('a'))
  await settle()
  requests[0]?.answer({ kind: 'over' })
  await settle()
  queue.push(seen('b'))
  await settle()
  expect(requests).toHaveLength(1)
  expect(queue.waiting).toEqual([])
})
