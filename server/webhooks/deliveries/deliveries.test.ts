import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeliveryStateName, deliveryStateNames } from '../../../contract/deliveries.ts'
import { changeMeanwhile } from '../../../test/support/change-meanwhile.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { addNotifications, addSubscription, idAt } from '../../../test/support/deliveries.ts'
import type { EnvironmentId, Reader } from '../../database/database.ts'
import { findSubscription, type SubscriptionRow } from '../../subscriptions/queries.ts'
import { parseDeliveriesQuery, readDeliveries } from '../list-deliveries.ts'
import {
  type DeliveryFilter,
  type DeliveryView,
  findDelivery,
  listDeliveries,
  type SubscriptionState,
} from './deliveries.ts'
import { findDeliveryDetails } from './details.ts'
import { idAfter, idBefore } from './ids.ts'
import { waitReason } from './state.ts'

const START = Date.parse('2026-01-03T09:00:00.000Z')
const HOUR_MS = 3_600_000

let test: TestDatabase
let environmentId: EnvironmentId
let subscriptionId: string
/** By notification, in the order of time. */
const expected = new Map<string, DeliveryStateName>()

beforeAll(async () => {
  // Tables of a few thousand rows are as quickly read whole. Larger ones are not, and that is what the plans are tested for.
  test = await createTestDatabase({ enable_seqscan: 'off', enable_bitmapscan: 'off' })
  environmentId = await createEnvironment(test.database)
  subscriptionId = await addSubscription(test.database, environmentId, 'https://hook.example/')
  const other = await addSubscription(test.database, environmentId, 'https://other.example/')
  for (let hour = 0; hour < 35; hour += 1) {
    const atMs = START + hour * HOUR_MS
    const state = (['waiting', 'retrying', 'held', 'sending', 'delivered', 'given_up', 'delivered'] as const)[hour % 7]
    const [id = ''] = await addNotifications(test.database, environmentId, [subscriptionId, other], 1, atMs)
    expected.set(id, state as DeliveryStateName)
    await bring(id, state as DeliveryStateName, atMs)
  }
})
afterAll(async () => await test.close())

const STORED: Partial<Record<DeliveryStateName, number>> = { waiting: 0, retrying: 1, held: 2, sending: 3 }

async function bring(id: string, state: DeliveryStateName, atMs: number): Promise<void> {
  const stored = STORED[state]
  if (stored !== undefined) {
    await test.database.query(
      `update webhook_deliveries set state = $3::smallint, attempt = $3::int, due_at = now() + interval '1 hour'
        where environment_id = $1::int and notification_id = $2::uuid and subscription_id = $4::uuid`,
      [environmentId, id, stored, subscriptionId],
    )
    if (stored === 1) await addAttempt(id, atMs, 1, { status: 503, failure: 'no', next: new Date() })
    return
  }
  await addAttempt(id, atMs, 1, { status: 500, failure: 'no', next: new Date() })
  // One that was given up first, and then retried by hand.
  if (state === 'delivered') await addAttempt(id, atMs + 1_000, 2, { status: 500, failure: 'no' })
  await addAttempt(id, atMs + 2_000, 3, state === 'delivered' ? { status: 200 } : { status: 500, failure: 'no' })
  await test.database.query(
    'delete from webhook_deliveries where environment_id = $1::int and notification_id = $2::uuid and subscription_id = $3::uuid',
    [environmentId, id, subscriptionId],
  )
}

async function addAttempt(
  notificationId: string,
  atMs: number,
  attempt: number,
  { status, failure, next }: { status: number; failure?: string; next?: Date },
): Promise<void> {
  await test.database.query(
    `insert into webhook_attempts
       (environment_id, id, subscription_id, notification_id, attempt, at, status, failure, total_ms, response, next_attempt_at)
     values ($1::int, $2::uuid, $3::uuid, $4::uuid, $5::int, $6::timestamptz, $7::int, $8::text, 1.5, 'seen', $9::timestamptz)`,
    [
      environmentId,
      idAt(atMs),
      subscriptionId,
      notificationId,
      attempt,
      new Date(atMs).toISOString(),
      status,
      failure,
      next?.toISOString(),
    ],
  )
}

async function pageOf(subscription: SubscriptionState, filter: DeliveryFilter): Promise<DeliveryView[]> {
  return (await listDeliveries(test.database, environmentId, subscription, filter)).views
}

async function walk(filter: Omit<DeliveryFilter, 'limit'>, disabled = false): Promise<string[]> {
  const found: string[] = []
  for (let after: string | undefined; ; after = found.at(-1)) {
    const subscription = { id: subscriptionId, disabled }
    const page = await pageOf(subscription, { ...filter, after, limit: 3 })
    found.push(...page.map(({ notificationId }) => notificationId))
    if (page.length < 3) return found
  }
}

const idsOf = (...states: DeliveryStateName[]) =>
  [...expected].filter(([, state]) => states.includes(state)).map(([id]) => id)

describe('a walk over the pages', () => {
  it('shows each delivery once, newest first or oldest first, with its state', async () => {
    expect(await walk({})).toEqual([...expected.keys()].toReversed())
    expect(await walk({ descending: false })).toEqual([...expected.keys()])
    const subscription = { id: subscriptionId, disabled: false }
    const page = await pageOf(subscription, { limit: 100 })
    expect(page.map(({ notificationId, state }) => [notificationId, state])).toEqual([...expected].toReversed())
  })

  it.each(deliveryStateNames)('of the state %s shows exactly those', async (state) => {
    expect(await walk({ states: [state], descending: false })).toEqual(idsOf(state))
  })

  it('of several states and of a time range shows exactly those', async () => {
    expect(await walk({ states: ['delivered', 'held'], descending: false })).toEqual(idsOf('delivered', 'held'))
    const [since, until] = [new Date(START + 3 * HOUR_MS), new Date(START + 9 * HOUR_MS)]
    expect(await walk({ since, until, descending: false })).toEqual([...expected.keys()].slice(3, 9))
    expect(await walk({ since, until })).toEqual([...expected.keys()].slice(3, 9).toReversed())
    expect(await walk({ since: until, until: since })).toEqual([])
  })

  it('of a disabled subscription shows waiting deliveries as on hold', async () => {
    expect(await walk({ states: ['on_hold'], descending: false }, true)).toEqual(idsOf('waiting', 'retrying', 'held'))
    expect(await walk({ states: ['waiting', 'retrying', 'held'] }, true)).toEqual([])
  })

  it('keeps its position when the delivery that it follows is deleted', async () => {
    const [, second = ''] = [...expected.keys()]
    const subscription = { id: subscriptionId, disabled: false }
    const filter = { descending: false, limit: 1, after: idAfter(second) }
    const [next] = await pageOf(subscription, filter)
    expect(next?.notificationId).toBe([...expected.keys()][2])
  })
})

/** With `vacuum`, so that a plan does not depend on whether autovacuum came first. */
async function vacuum(): Promise<void> {
  await test.database.query('vacuum (analyze) webhook_deliveries, webhook_attempts, webhook_notifications', [])
}

it('a page reads about as many rows as it shows, however many deliveries there are', async () => {
  const { database } = test
  const busy = await createEnvironment(database)
  const subscription = { id: await addSubscription(database, busy, 'https://hook.example/'), disabled: false }
  const ids = await addNotifications(database, busy, [subscription.id], 6_000)
  await database.query(
    `insert into webhook_attempts (environment_id, id, subscription_id, notification_id, attempt, at, status, total_ms, response)
     select $1::int, id, $2::uuid, id, 1, now(), 200, 1, '' from unnest($3::uuid[]) as id`,
    [busy, subscription.id, ids.slice(0, 3_000)],
  )
  await database.query(
    'delete from webhook_deliveries where environment_id = $1::int and notification_id = any($2::uuid[])',
    [busy, ids.slice(0, 3_000)],
  )
  await vacuum()
  for (const states of [undefined, ['delivered'], ['waiting'], ['given_up']] as const) {
    const explaining = new Explaining(database)
    await listDeliveries(explaining.reader, busy, subscription, { states, limit: 10 })
    expect(Math.max(...explaining.reads), String(states)).toBeLessThan(200)
  }
})

describe('while a user with very many notifications is being deleted', () => {
  const HIDDEN = 8_000
  let busy: EnvironmentId
  let subscription: SubscriptionRow
  let kept: string[]

  beforeAll(async () => {
    const { database } = test
    busy = await createEnvironment(database)
    const id = await addSubscription(database, busy, 'https://hook.example/')
    subscription = (await findSubscription(database, busy, id)) as SubscriptionRow
    kept = (await addNotifications(database, busy, [id], 5, Date.now() - HOUR_MS)).toSorted()
    const hidden = await addNotifications(database, busy, [id], HIDDEN)
    await database.query(
      `update webhook_notifications set user_id = 'gone' where environment_id = $1::int and id = any($2::uuid[])`,
      [busy, hidden],
    )
    await database.query(
      `with gone as (
         delete from webhook_deliveries
          where environment_id = $1::int and notification_id = any($2::uuid[]) returning notification_id as id)
       insert into webhook_attempts (environment_id, id, subscription_id, notification_id, attempt, at, status, total_ms, response)
       select $1::int, id, $3::uuid, id, 1, now(), 200, 1, '' from gone`,
      [busy, hidden.slice(0, HIDDEN / 2), id],
    )
    await database.query(
      `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at)
       values ($1::int, 'user', 'gone', $2::uuid, now())`,
      [busy, idAt(Date.now() + HOUR_MS)],
    )
    await vacuum()
  })

  it('a page ends early, and its next pages show all others and none of these', async () => {
    const shown: string[] = []
    let isEarly = false
    for (let next: { starting_after: string; position: string } | undefined; ; ) {
      const request = parseDeliveriesQuery({ limit: 2, ...next })
      const { views, end } = await readDeliveries(test.database, busy, subscription, request)
      shown.push(...views.map(({ notificationId }) => notificationId))
      if (!end.hasMore || !end.next) break
      isEarly ||= views.length < 2
      next = { starting_after: end.next.startingAfter, position: end.next.position }
    }
    expect(isEarly).toBe(true)
    expect(shown).toEqual(kept.toReversed())
  })

  it('each statement reads only the rows around its page', async () => {
    const explaining = new Explaining(test.database)
    await listDeliveries(explaining.reader, busy, subscription, { limit: 10 })
    const [first, ...others] = explaining.reads as [number, ...number[]]
    expect(first).toBeLessThan(200)
    expect(others.length).toBeLessThan(10)
    // 1,000 deliveries, and the look-ups for each.
    for (const read of others) expect(read).toBeLessThan(12_000)
  })
})

/** Counts the rows that each statement reads. */
class Explaining {
  readonly reads: number[] = []
  readonly reader: Reader

  constructor(database: Pick<Reader, 'query' | 'queryUnprepared'>) {
    const queryUnprepared = async (text: string, values: readonly unknown[]) => {
      const [row] = await database.queryUnprepared<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      this.reads.push(rowsRead(row?.['QUERY PLAN'][0]?.Plan))
      return await database.queryUnprepared(text, values)
    }
    this.reader = { ...database, query: database.query.bind(database), queryUnprepared } as unknown as Reader
  }
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function rowsRead(node: PlanNode | undefined): number {
  if (!node) return 0
  const own = node['Relation Name']
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own)
}

it('a delivery shows its attempts, and the request as it is sent', async () => {
  const [id = ''] = idsOf('delivered')
  const details = await findDeliveryDetails(test.database, environmentId, subscriptionId, id)
  expect(details).toMatchObject({
    state: 'delivered',
    attempts: 3,
    reason: null,
    nextAttemptAt: null,
    url: 'https://hook.example/',
    lastAttempt: { status: 200, response: 'seen' },
  })
  expect(details?.attemptLog.map(({ attempt }) => attempt)).toEqual([3, 2, 1])
  expect(JSON.parse(details?.request?.body ?? '')).toMatchObject({ id, object: 'webhook_notification' })
  const stranger = await createEnvironment(test.database)
  expect(await findDeliveryDetails(test.database, stranger, subscriptionId, id)).toBeUndefined()
  const subscription = { id: subscriptionId, disabled: false }
  expect(await findDelivery(test.database, stranger, subscription, id)).toBeUndefined()
  expect(await findDelivery(test.database, environmentId, subscription, idBefore(id))).toBeUndefined()
})

it('a delivery that is finished while it is read shows the attempt that finished it', async () => {
  const { database } = test
  const atMs = START + 40 * HOUR_MS
  const [id = ''] = await addNotifications(database, environmentId, [subscriptionId], 1, atMs)
  const details = await changeMeanwhile(database, {
    before: (text) => text.includes('webhook_deliveries'),
    change: () => bring(id, 'delivered', atMs),
    read: () => findDeliveryDetails(database, environmentId, subscriptionId, id),
  })
  expect(details).toMatchObject({ state: 'delivered', lastAttempt: { status: 200 } })
  expect(details?.attemptLog.map(({ status }) => status)).toEqual([200, 500, 500])
})

describe('why a delivery is not being sent right now', () => {
  const delivery = { dueAt: new Date(START).toISOString(), disabled: false, endpointFailures: 0, isPaused: false }
  it.each([
    ['being_sent', { ...delivery, state: 3 }, -1],
    ['lease_expired', { ...delivery, state: 3 }, 1],
    ['subscription_disabled', { ...delivery, state: 1, disabled: true }, 1],
    ['backoff', { ...delivery, state: 1 }, -1],
    ['retry_after', { ...delivery, state: 2 }, -1],
    ['endpoint_probed', { ...delivery, state: 0, endpointFailures: 3 }, 1],
    ['queued', { ...delivery, state: 0, endpointFailures: 2 }, 1],
    ['queued', { ...delivery, state: 2 }, 0],
    ['deliveries_paused', { ...delivery, state: 0, endpointFailures: 3, isPaused: true }, 1],
    ['backoff', { ...delivery, state: 1, isPaused: true }, -1],
  ] as const)('is %s', (reason, unfinished, offsetMs) => {
    expect(waitReason(unfinished, START + offsetMs)).toBe(reason)
  })
})
