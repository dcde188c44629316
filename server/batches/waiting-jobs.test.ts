import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { type Submitted, WaitingJobs } from './waiting-jobs.ts'
import { type Work, workAcross } from './work.ts'

const ALL = Number.POSITIVE_INFINITY
const wide = workAcross<never, unknown>(async () => [])
const narrow: Work<never, unknown> = async () => []

function ticket(environmentId: number, job: number, work = wide): Submitted {
  const item = {
    environmentId: environmentId as EnvironmentId,
    work,
    job,
    idempotency: undefined,
    order: undefined,
    submittedAt: 0,
  }
  return { item, resolve: () => {}, reject: () => {} }
}

const shown = (batch: Submitted[]) => batch.map(({ item }) => `${item.environmentId}:${item.job}`)

function filled(jobs: [environmentId: number, job: number, work?: Work<never, unknown>][], most = 4): WaitingJobs {
  const waiting = new WaitingJobs(most)
  for (const job of jobs) waiting.push(ticket(...job))
  return waiting
}

it('takes as many jobs as fit, by environment, each in order of arrival', () => {
  const waiting = filled([
    [7, 1],
    [3, 1],
    [7, 2],
  ])
  expect(waiting.size).toBe(3)
  expect(shown(waiting.take(ALL))).toEqual(['3:1', '7:1', '7:2'])
  expect([waiting.size, waiting.depth, waiting.take(ALL)]).toEqual([0, 0, []])
})

it('takes fewer when fewer are asked for, of one environment and of several', () => {
  const waiting = filled([
    [7, 1],
    [7, 2],
    [7, 3],
  ])
  expect(shown(waiting.take(2))).toEqual(['7:1', '7:2'])
  for (const environmentId of [3, 7]) waiting.push(ticket(environmentId, 4))
  expect(shown(waiting.take(2))).toEqual(['3:4', '7:3'])
  expect(shown(waiting.take(2))).toEqual(['7:4'])
})

it('gives the single job of an environment a place in the next batch, however many another has', () => {
  const waiting = new WaitingJobs()
  for (let job = 0; job < 10_000; job += 1) waiting.push(ticket(1, job))
  expect(waiting.take(ALL)).toHaveLength(500)
  waiting.push(ticket(2, 0))
  const batch = shown(waiting.take(ALL))
  expect(batch).toHaveLength(500)
  expect(batch.slice(0, 2)).toEqual(['1:500', '1:501'])
  expect(batch.at(-1)).toBe('2:0')
  expect(waiting.size).toBe(9_001)
})

it('serves environments in turn when there are more of them than places', () => {
  const jobs = Array.from({ length: 6 }, (_, index): [number, number][] => [
    [index + 1, 1],
    [index + 1, 2],
  ])
  const waiting = filled(jobs.flat())
  expect(shown(waiting.take(ALL))).toEqual(['1:1', '2:1', '3:1', '4:1'])
  expect(shown(waiting.take(ALL))).toEqual(['1:2', '2:2', '5:1', '6:1'])
  expect(shown(waiting.take(ALL))).toEqual(['3:2', '4:2', '5:2', '6:2'])
})

it('holds one environment in a batch of work that knows only one', () => {
  const waiting = filled([
    [1, 1, narrow],
    [1, 2, narrow],
    [2, 1, narrow],
    [3, 1],
    [4, 1],
    [1, 3],
  ])
  expect(shown(waiting.take(ALL))).toEqual(['1:1', '1:2'])
  expect(shown(waiting.take(ALL))).toEqual(['2:1'])
  expect(shown(waiting.take(ALL))).toEqual(['1:3', '3:1', '4:1'])
})

it('does not let a job overtake an earlier job of its environment with other work', () => {
  const waiting = filled([
    [1, 1],
    [2, 1, narrow],
    [2, 2],
    [1, 2],
  ])
  expect(shown(waiting.take(ALL))).toEqual(['1:1', '1:2'])
  expect(shown(waiting.take(ALL))).toEqual(['2:1'])
  expect(shown(waiting.take(ALL))).toEqual(['2:2'])
})

it('takes no job of a held environment until the batch that holds it is finished', () => {
  const waiting = filled([
    [1, 1],
    [2, 1],
  ])
  const slow = waiting.take(ALL)
  waiting.push(ticket(1, 2))
  waiting.hold(slow)
  waiting.push(ticket(2, 2))
  waiting.push(ticket(3, 1))
  expect([waiting.size, waiting.depth]).toEqual([1, 3])
  expect(shown(waiting.take(ALL))).toEqual(['3:1'])
  waiting.release(slow, slow.slice(0, 1))
  expect(shown(waiting.take(ALL))).toEqual(['1:2'])
  waiting.release(slow, slow)
  waiting.release(slow, slow)
  expect(shown(waiting.take(ALL))).toEqual(['2:2'])
  expect([waiting.size, waiting.depth]).toEqual([0, 0])
})
