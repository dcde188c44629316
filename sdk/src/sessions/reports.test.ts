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
  requests[0]?.answer({ kind: 'stored', sequence: 4 })
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
    return { kind: 'stored', sequence: reports.at(-1)?.sequence ?? 0 }
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
  requests[0]?.answer({ kind: 'gap', sequence: 2 })
  await settle()
  expect(requests[1]?.reports.map(({ sequence }) => sequence)).toEqual([3, 4])
  requests[1]?.answer({ kind: 'stored', sequence: 4 })
  await settle()
  queue.push(seen('c'))
  await settle()
  expect(requests[2]?.reports.map(({ sequence }) => sequence)).toEqual([5])
})

it('repeats with the next report what could not be acknowledged, because a function of the page throws, and rejects nothing', async () => {
  const { requests, send } = server()
  const queue = new ReportQueue(0, send, async () => {})
  queue.push(seen('a'))
  await settle()
  const { filter } = Array.prototype
  Array.prototype.filter = () => {
    throw new Error('of the page')
  }
  requests[0]?.answer({ kind: 'stored', sequence: 1 })
  await queue.acknowledged()
  Array.prototype.filter = filter
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
