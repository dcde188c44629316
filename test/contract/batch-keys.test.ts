import { describe, expect, inject, it } from 'vitest'
import type { CommitQueue } from '../../server/batches/queue.ts'
import { errors } from '../../server/errors.ts'
import type { Response } from '../support/requests.ts'
import { keyMaker, useTwoNodes } from '../support/two-nodes.ts'

/** Before the key was claimed, the first round failed. */
const ROUNDS = inject('isLong') ? 40 : 3

const two = useTwoNodes()
const newKey = keyMaker('batch')
const keyed = (key: string) => ({ 'idempotency-key': key })
const post = (path: string, body: object, more = {}) => ({ method: 'POST', path, body, ...more })
const statuses = ({ body }: Response) => body.results?.map(({ status }: { status: number }) => status)
const rows = async (key: string) =>
  await two.test.database.query<{ key: string }>(
    `select key from idempotency_keys where key = $1::text or key like $1::text || ' %'`,
    [key],
  )

/** How many operations of a batch with this mark are stored. */
async function storedOf(mark: string): Promise<number> {
  const events = (await two.client.get(`/events?user_id=${mark}&limit=100`)).body.data.length
  const { status, body } = await two.client.get(`/users/${mark}`)
  return events + (status === 200 ? body.attributes.n : 0)
}

const operationsOf: Record<string, (mark: string) => object[]> = {
  events: (mark) => Array.from({ length: 12 }, () => post('/events', { name: 'raced', user_id: mark })),
  'a first operation that is refused': (mark) => [
    post('/users', { id: 'words', attributes: { n: { add: 1 } } }),
    ...Array.from({ length: 5 }, () => post('/users', { id: mark, attributes: { n: { add: 1 } } })),
  ],
  'own keys, a malformed operation and deletes': (mark) => [
    5 as never,
    post('/users', { id: mark, attributes: { n: { add: 1 } } }, { idempotency_key: `own-${mark}` }),
    { method: 'DELETE', path: '/users/nobody' },
    ...Array.from({ length: 3 }, () => post('/events', { name: 'raced', user_id: mark })),
  ],
}

describe('two different batches with one key at the same time', () => {
  it.each(
    Object.entries(operationsOf).flatMap(([name, make]) =>
      [false, true].flatMap((twoNodes) => [{ name, make, twoNodes }]),
    ),
  )(
    'are one that is carried out entirely, and one that is 409: $name, two nodes: $twoNodes',
    async ({ make, twoNodes }) => {
      await two.client.post('/users', { id: 'words', attributes: { n: 'words' } })
      for (let round = 0; round < ROUNDS; round += 1) {
        const key = newKey()
        const marks = ['a', 'b'].map((mark) => `${key}-${mark}`)
        const answers = await Promise.all(
          marks.map((mark, index) =>
            (twoNodes && index ? two.onSecondNode : two.client).post('/batch', { operations: make(mark) }, keyed(key)),
          ),
        )
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
        const won = answers.findIndex(({ status }) => status === 200)
        expect(answers[1 - won]?.body.error.code).toBe('idempotency_key_reused')
        const expected = await two.client.post('/batch', { operations: make(`${key}-alone`) })
        expect(statuses(answers[won] as Response)).toEqual(statuses(expected))
        const stored = await Promise.all([marks[won] as string, marks[1 - won] as string].map(storedOf))
        expect(stored).toEqual([await storedOf(`${key}-alone`), 0])
      }
    },
  )

  it.each([false, true])('also when one of them is atomic, on two nodes: %s', async (twoNodes) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = newKey()
      const answers = await Promise.all(
        [true, false, true].map((atomic, index) => {
          const operations = operationsOf.events?.(`${key}-${index}`)
          return (twoNodes && index % 2 ? two.onSecondNode : two.client).post(
            '/batch',
            { operations, atomic },
            keyed(key),
          )
        }),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      const stored = await Promise.all(answers.map((_, index) => storedOf(`${key}-${index}`)))
      expect(stored).toEqual(answers.map(({ status }) => (status === 200 ? 12 : 0)))
      const refused = answers.filter(({ status }) => status === 409)
      for (const { body } of refused) expect(body.error.param).toBeUndefined()
    }
  })
})

it('a batch and another request with its key at the same time: one is carried out, the other is 409', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const key = newKey()
    const [batch, single] = await Promise.all([
      two.client.post('/batch', { operations: operationsOf.events?.(`${key}-batch`) }, keyed(key)),
      two.onSecondNode.post('/events', { name: 'raced', user_id: `${key}-single` }, keyed(key)),
    ])
    expect([batch.status, single.status].sort()).toEqual([200, 409])
    expect(await storedOf(`${key}-batch`)).toBe(batch.status === 200 ? 12 : 0)
    expect(await storedOf(`${key}-single`)).toBe(single.status === 200 ? 1 : 0)
  }
})

it('the same batch several times at once, on two nodes, is carried out once, and all get its answer', async () => {
  const key = newKey()
  const operations = operationsOf['own keys, a malformed operation and deletes']?.(key) as object[]
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 ? two.client : two.onSecondNode).post('/batch', { operations }, keyed(key)),
    ),
  )
  expect(new Set(answers.map(({ body }) => JSON.stringify(body.results.slice(1))))).toHaveLength(1)
  expect(await storedOf(key)).toBe(4)
})

describe('the key of a batch', () => {
  const refused = post('/users', { id: 'words', attributes: { n: { add: 1 } } })

  it.each([
    ['malformed', [5 as never, post('/nothing', {})], false],
    ['refused', [refused, refused], false],
    ['refused, and the batch is atomic', [post('/users', { id: 'unstored' }), refused], true],
  ])('is free again when nothing is stored, because its operations are %s', async (_reason, operations, atomic) => {
    await two.client.post('/users', { id: 'words', attributes: { n: 'words' } })
    const key = newKey()
    await two.client.post('/batch', { operations, atomic }, keyed(key))
    expect(await rows(key)).toEqual([])
    const corrected = await two.client.post('/batch', { operations: [post('/users', { id: key })] }, keyed(key))
    expect(statuses(corrected)).toEqual([200])
  })

  it('is taken by a batch of operations with keys of their own, also for single requests', async () => {
    const key = newKey()
    const own = (id: string) => post('/users', { id }, { idempotency_key: `own-${id}` })
    expect(statuses(await two.client.post('/batch', { operations: [own(`${key}-1`)] }, keyed(key)))).toEqual([200])
    const another = await two.client.post('/batch', { operations: [own(`${key}-2`)] }, keyed(key))
    const single = await two.client.post('/users', { id: `${key}-3` }, keyed(key))
    expect([another.status, single.status]).toEqual([409, 409])
    for (const index of [2, 3]) expect((await two.client.get(`/users/${key}-${index}`)).status).toBe(404)
  })

  it('belongs to its environment', async () => {
    const key = newKey()
    const batches = [two.client, two.other].map((each, index) =>
      each.post('/batch', { operations: [post('/users', { id: `${key}-${index}` })] }, keyed(key)),
    )
    expect((await Promise.all(batches)).map(statuses)).toEqual([[200], [200]])
  })

  it('cannot be that of one of its operations, which is told so', async () => {
    const key = newKey()
    const operations = [post('/users', { id: key }, { idempotency_key: key }), post('/users', { id: `${key}-2` })]
    const answer = await two.client.post('/batch', { operations }, keyed(key))
    expect(statuses(answer)).toEqual([400, 200])
    expect(answer.body.results[0].body.error).toMatchObject({ code: 'invalid_params', param: 'idempotency_key' })
  })

  it('is a new one after 24 hours', async () => {
    const key = newKey()
    await two.client.post('/batch', { operations: operationsOf.events?.(`${key}-old`) }, keyed(key))
    await two.test.database.query(`update idempotency_keys set created_at = now() - interval '25 hours'`, [])
    const { status } = await two.client.post('/batch', { operations: operationsOf.events?.(`${key}-new`) }, keyed(key))
    expect([status, await storedOf(`${key}-new`)]).toEqual([200, 12])
  })

  it('stays with its batch until all its answers are 24 hours old', async () => {
    const key = newKey()
    await two.client.post('/batch', { operations: operationsOf.events?.(`${key}-old`) }, keyed(key))
    await two.test.database.query(
      `update idempotency_keys set created_at = now() - interval '25 hours' where key = $1::text or key = $1::text || ' 0'`,
      [key],
    )
    const { status } = await two.client.post('/batch', { operations: operationsOf.events?.(`${key}-new`) }, keyed(key))
    expect([status, await storedOf(`${key}-new`)]).toEqual([409, 0])
  })

  it('under which a version without claims stored an answer is 409, and nothing is stored twice', async () => {
    const key = newKey()
    const operations = operationsOf.events?.(key)
    await two.client.post('/batch', { operations }, keyed(key))
    await two.test.database.query(`update idempotency_keys set body = '{"object":"event"}' where key = $1::text`, [key])
    const repeat = await two.onSecondNode.post('/batch', { operations }, keyed(key))
    expect([repeat.status, repeat.body.error.code, await storedOf(key)]).toEqual([409, 'idempotency_key_reused', 12])
  })

  it('stays with a batch whose operations failed with 5xx, and the batch can be repeated on another node', async () => {
    const key = newKey()
    const operations = operationsOf.events?.(key)
    const commits = two.nodes[0].services.commits as Pick<CommitQueue, 'submitWith'>
    const { submitWith } = commits
    commits.submitWith = () => Promise.reject(errors.unavailable('The database cannot be reached.'))
    const failed = await two.client.post('/batch', { operations }, keyed(key))
    commits.submitWith = submitWith
    expect(new Set(statuses(failed))).toEqual(new Set([503]))
    const another = await two.onSecondNode.post('/batch', { operations: operationsOf.events?.('another') }, keyed(key))
    expect([another.status, await storedOf('another')]).toEqual([409, 0])
    const repeat = await two.onSecondNode.post('/batch', { operations }, keyed(key))
    expect([new Set(statuses(repeat)), await storedOf(key)]).toEqual([new Set([200]), 12])
  })
})

/** Writes of the user `mark` fail, as after a lock that was waited for in vain. Returns what ends that. */
async function failWritesOf(mark: string): Promise<() => Promise<unknown>> {
  const { pool } = two.test.database
  await pool.query(`create or replace function fail_write() returns trigger language plpgsql as $$
    begin raise exception 'a fault of the test' using errcode = '55P03'; end $$`)
  await pool.query(`create trigger faulty before insert or update on users for each row
    when (new.id = '${mark}') execute function fail_write()`)
  return () => pool.query('drop trigger faulty on users')
}

describe.skipIf(inject('cluster').isDistributed)(
  'a batch that is repeated after an operation has failed with 503',
  () => {
    const remove = (id: string) => ({ method: 'DELETE', path: `/users/${id}` })
    const name = (id: string, value: string) => post('/users', { id, attributes: { name: value } })
    const cases: [string, (mark: string) => object[], unknown][] = [
      [
        'creates and then deletes a user, who is gone',
        (mark) => [post('/users', { id: mark }), remove(mark)],
        undefined,
      ],
      ['changes a user twice, and the last change stays', (mark) => [name(mark, 'first'), name(mark, 'last')], 'last'],
      [
        'joins a group, tracks an event and then deletes the user, who is gone',
        (mark) => [
          post('/users', { id: mark, groups: [{ id: `g-${mark}` }] }),
          post('/events', { name: 'x', user_id: mark }),
          remove(mark),
        ],
        undefined,
      ],
    ]
    it.each(cases)('%s', async (_, operationsFor, expected) => {
      const key = newKey()
      const heal = await failWritesOf(key)
      const operations = [...operationsFor(key), post('/users', { id: `free-${key}` })]
      const failed = await two.client.post('/batch', { operations }, keyed(key))
      expect(statuses(failed)).toEqual([...operationsFor(key).map(() => 503), 200])
      await heal()
      const repeat = await two.onSecondNode.post('/batch', { operations }, keyed(key))
      expect(new Set(statuses(repeat))).toEqual(new Set([200]))
      const { status, body } = await two.client.get(`/users/${key}`)
      expect([status, body.attributes?.name]).toEqual([expected === undefined ? 404 : 200, expected])
      expect((await two.client.get(`/events?user_id=${key}`)).body.data).toEqual([])
    })
  },
)
