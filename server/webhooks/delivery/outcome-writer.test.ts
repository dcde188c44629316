import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { addNotifications, addSubscription, countDeliveries, eventually } from '../../../test/support/deliveries.ts'
import type { EnvironmentId } from '../../database/database.ts'
import { newId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import { measureBacklog } from '../backlog.ts'
import type { DeliveryOutcome } from './outcome-queries.ts'
import { OutcomeWriter } from './outcome-writer.ts'
import { RoundTimer } from './round-timer.ts'

const START = Date.parse('2026-01-03T09:30:00.000Z')

let test: TestDatabase
let environmentId: EnvironmentId
let subscriptionId: string
let lines: string[]
let writers: OutcomeWriter[]

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())
beforeEach(async () => {
  environmentId = await createEnvironment(test.database)
  subscriptionId = await addSubscription(test.database, environmentId, 'https://hook.example/')
  lines = []
  const note = (_: object, message: string) => void lines.push(message)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  // Two processes on one database.
  const timer = () => new RoundTimer({ now: Date.now, pollMs: 5_000, isBusy: () => false })
  writers = [0, 1].map(() => new OutcomeWriter(test.database, log, timer()))
})

async function lease(): Promise<Pick<DeliveryOutcome, 'notificationId' | 'subscriptionId' | 'leaseId'>> {
  const [notificationId = ''] = await addNotifications(test.database, environmentId, [subscriptionId], 1)
  const leaseId = newId()
  await test.database.query(
    `update webhook_deliveries set state = 3, lease_id = $3::uuid
      where environment_id = $1::int and notification_id = $2::uuid`,
    [environmentId, notificationId, leaseId],
  )
  return { notificationId, subscriptionId, leaseId }
}

async function outcome(ok: boolean, atMs: number): Promise<DeliveryOutcome> {
  const at = new Date(atMs).toISOString()
  const result = { ok, timing: { totalMs: 1 }, responseText: '', ...(ok ? { status: 200 } : { failure: 'no' }) }
  const end = ok ? ({ transition: 'deliver' } as const) : ({ transition: 'retry', dueAt: at } as const)
  return { ...(await lease()), attempts: 1, end, attempt: { id: newId(), at, result } }
}

async function writeEach(results: { ok: boolean; atMs: number }[]): Promise<void> {
  for (const [index, { ok, atMs }] of results.entries()) {
    const writer = writers[index % 2] as OutcomeWriter
    writer.add(environmentId, await outcome(ok, atMs))
    await writer.close()
  }
}

const downEndpoints = async () => (await measureBacklog(test.database)).downEndpoints

it('reports once that an endpoint is down, and once that it recovered, over two processes', async () => {
  await writeEach(Array.from({ length: 25 }, (_, index) => ({ ok: false, atMs: START + index * 200_000 })))
  expect(lines).toEqual(['a webhook endpoint is down: it has failed for over an hour'])
  expect(await downEndpoints()).toBe(1)
  await writeEach([true, true, false].map((ok, index) => ({ ok, atMs: START + (25 + index) * 200_000 })))
  expect(lines).toEqual([
    'a webhook endpoint is down: it has failed for over an hour',
    'a webhook endpoint has recovered',
  ])
  expect(await downEndpoints()).toBe(0)
  const seen = writers.map(({ endpoints }) => endpoints)
  expect(seen.reduce((sum, { wentDown }) => sum + wentDown, 0)).toBe(1)
  expect(seen.reduce((sum, { recovered }) => sum + recovered, 0)).toBe(1)
})

it('counts the attempts of each hour exactly, also when two processes write at once', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, index) => outcome(index % 4 !== 0, START + (index % 2) * 3_600_000)),
  )
  for (const [index, each] of outcomes.entries()) writers[index % 2]?.add(environmentId, each)
  await Promise.all(writers.map((writer) => writer.close()))
  const rows = await test.database.query(
    'select hour, delivered, failed from webhook_endpoint_hours where environment_id = $1::int order by hour',
    [environmentId],
  )
  expect(rows).toEqual([
    { hour: '2026-01-03T09:00:00.000Z', delivered: 10, failed: 10 },
    { hour: '2026-01-03T10:00:00.000Z', delivered: 20, failed: 0 },
  ])
})

it('an environment whose outcomes cannot be written now delays those of no other', async () => {
  const stuckId = environmentId
  const stuck = await outcome(true, START)
  environmentId = await createEnvironment(test.database)
  subscriptionId = await addSubscription(test.database, environmentId, 'https://hook.example/')
  const free = await outcome(true, START)
  const { promise: isFree, resolve } = Promise.withResolvers<void>()
  const begin = test.database.begin.bind(test.database)
  const begun = vi.spyOn(test.database, 'begin').mockImplementationOnce(async () => {
    await isFree
    return await begin()
  })
  const [writer] = writers as [OutcomeWriter]
  writer.add(stuckId, stuck)
  await eventually('the first one is being written', () => begun.mock.calls.length === 1)
  writer.add(environmentId, free)
  await eventually('the other one is written', async () => (await countDeliveries(test.database, environmentId)) === 0)
  expect(await countDeliveries(test.database, stuckId)).toBe(1)
  resolve()
  await writer.close()
  expect(await countDeliveries(test.database, stuckId)).toBe(0)
  begun.mockRestore()
})
