import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AttributeValue } from '../../contract/attributes.ts'
import { plans } from '../../contract/plans.ts'
import { parseOperations } from '../../server/attributes/operations.ts'
import type { EnvironmentId } from '../../server/database/database.ts'
import { parseQueryString } from '../../server/http/query-string.ts'
import { newId } from '../../server/ids.ts'
import type { Services } from '../../server/services.ts'
import { userHandlers } from '../../server/users/routes.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from './database.ts'
import { testServices } from './services.ts'

let test: TestDatabase
let services: Services
let environmentId: EnvironmentId

const names = [
  'Ada',
  'ada',
  'Ädä',
  '𝔄da',
  '',
  'z'.repeat(8192),
  7,
  -7,
  1e300,
  -0.5,
  true,
  false,
  '2020-01-01T00:00:00Z',
  '日本',
]
const times = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00+01:00',
  '2025-12-31T23:59:59.999-00:30',
  '0001-01-01T00:00:00Z',
  'yesterday',
  12,
  true,
]

/** Equal, missing, mixed-type and Unicode values, with many ties in each. */
function attributesOf(index: number): Record<string, AttributeValue> {
  const pick = (values: readonly AttributeValue[], salt: number) => values[(index * salt) % (values.length + 2)]
  const all = { name: pick(names, 7), signed_up_at: pick(times, 5), last_seen_at: pick(times, 11) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    AttributeValue
  >
}

/** Many more users in every millisecond than there are on a page. */
const timeOf = (index: number) => new Date(1_760_000_000_000 + (index % 30)).toISOString()

async function create(id: string, attributes: Record<string, AttributeValue>, at: string): Promise<void> {
  const job = {
    kind: 'user',
    id,
    operations: parseOperations(attributes),
    groups: [],
    prune: false,
    at,
    notificationId: newId(),
  } as const
  await services.write(environmentId, job)
}

interface User {
  id: string
  attributes: Record<string, AttributeValue>
  created_at: string
}

async function* pages(orderBy: string[], limit: number): AsyncGenerator<User[]> {
  const { listUsers } = userHandlers(services)
  const grant = { keyId: 1, environmentId, accountId: 1, planName: 'self_hosted', plan: plans.self_hosted } as const
  let query: { starting_after?: string } = {}
  for (;;) {
    const text = await listUsers({
      grant,
      query: { ...query, order_by: orderBy, limit },
      params: {},
      body: undefined,
      address: () => 'https://usher.test/users',
      exchange: undefined as never,
      requestKey: undefined,
      notify: true,
    })
    const page = JSON.parse(text as string) as { data: User[]; has_more: boolean; next_page_url: string }
    yield page.data
    if (!page.has_more) return
    query = parseQueryString(new URL(page.next_page_url).search.slice(1)) as typeof query
  }
}

type Compare = (a: User, b: User) => number

const order = (a: number | bigint | string, b: number | bigint | string) => (a < b ? -1 : a > b ? 1 : 0)
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The order of the contract in plain comparisons, without the sort keys, so that a wrong key fails the test. */
const kindsOf = ['undefined', 'boolean', 'time', 'number', 'string']
function compareValues(a: AttributeValue | undefined, b: AttributeValue | undefined, areTimes: boolean): number {
  const [left, right] = [comparable(a, areTimes), comparable(b, areTimes)]
  if (left.kind !== right.kind) return order(kindsOf.indexOf(left.kind), kindsOf.indexOf(right.kind))
  if (left.kind === 'string') return byCodePoint(left.value as string, right.value as string)
  return order(left.value as number, right.value as number)
}

function comparable(value: AttributeValue | undefined, isTime: boolean): { kind: string; value: unknown } {
  const instant = isTime && typeof value === 'string' ? instants[value] : undefined
  return instant === undefined ? { kind: typeof value, value } : { kind: 'time', value: instant }
}

/** The instants of the times above, in nanoseconds since 2026, worked out by hand. */
const instants: Record<string, bigint> = {
  '2026-01-01T00:00:00Z': 0n,
  '2026-01-01T01:00:00+01:00': 0n,
  '2025-12-31T23:59:59.999-00:30': 1_799_999_000_000n,
  '0001-01-01T00:00:00Z': -63_902_822_400_000_000_000n,
}

const comparisons: Record<string, Compare> = {
  created_at: (a, b) => order(Date.parse(a.created_at), Date.parse(b.created_at)),
  'attributes.name': (a, b) => compareValues(a.attributes.name, b.attributes.name, false),
  'attributes.signed_up_at': (a, b) => compareValues(a.attributes.signed_up_at, b.attributes.signed_up_at, true),
  'attributes.last_seen_at': (a, b) => compareValues(a.attributes.last_seen_at, b.attributes.last_seen_at, true),
}

function inOrder(users: User[], orderBy: string[]): boolean {
  const fields = orderBy.map((field) => ({
    compare: comparisons[field.replace(/^-/, '')] as Compare,
    descending: field.startsWith('-'),
  }))
  const tie = {
    compare: ((a, b) => byCodePoint(a.id, b.id)) as Compare,
    descending: fields.at(-1)?.descending ?? false,
  }
  return users.every((user, index) => {
    const before = users[index - 1]
    if (!before) return true
    for (const { compare, descending } of [...fields, tie]) {
      const difference = compare(before, user)
      if (difference !== 0) return descending ? difference > 0 : difference < 0
    }
    return false
  })
}

const single = Object.keys(comparisons)
const orders = [
  ...single.flatMap((field) => [[field], [`-${field}`]]),
  ['attributes.name', 'created_at'],
  ['-attributes.name', 'attributes.signed_up_at'],
  ['attributes.last_seen_at', '-attributes.name'],
]

/** Registers the tests that read all lists of this many users, seven per page. */
export function testWalks(count: number): void {
  beforeAll(async () => {
    test = await createTestDatabase()
    services = testServices(test.database)
    environmentId = await createEnvironment(test.database)
    const created = Array.from({ length: count }, (_, index) => create(`u${index}`, attributesOf(index), timeOf(index)))
    await Promise.all(created)
  })
  afterAll(() => test.close())

  it.each(orders.map((order) => [order.join(','), order] as const))(
    'by %s sees each exactly once, in order',
    async (_, order) => {
      const users: User[] = []
      for await (const page of pages(order, 7)) users.push(...page)
      expect(users).toHaveLength(count)
      expect(new Set(users.map(({ id }) => id)).size).toBe(count)
      expect(inOrder(users, order)).toBe(true)
    },
  )

  it.each([['-attributes.name'], ['created_at']])(
    'by %s keeps its place while visited users are deleted and others inserted',
    async (order) => {
      const seen: string[] = []
      let round = 0
      for await (const page of pages([order], 7)) {
        seen.push(...page.map(({ id }) => id))
        round += 1
        if (round % 20 !== 0) continue
        // The objects of the page are deleted before the next one is requested.
        await Promise.all(page.map(({ id }) => services.remove(environmentId, { kind: 'remove_user', id })))
        await create(`new ${order} ${round}`, { name: names[round % names.length] as AttributeValue }, timeOf(round))
      }
      const original = seen.filter((id) => id.startsWith('u'))
      expect(new Set(seen).size).toBe(seen.length)
      const { rows } = await test.database.pool.query('select id from users where environment_id = $1', [environmentId])
      const left = rows.map((row: { id: string }) => row.id).filter((id) => id.startsWith('u'))
      expect(left.every((id) => original.includes(id))).toBe(true)
    },
  )
}
