import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { startNode, type TestNode } from './support/node.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'

const isLong = inject('isLong')

let database: TestDatabase
let servers: (ServerProcess | TestNode)[]

beforeAll(async () => {
  database = await createTestDatabase()
  // The second shares nothing with the first but the database.
  servers = [await startNode({ DATABASE_URL: database.url }), await spawnServer({ DATABASE_URL: database.url })]
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()))
  await database.close()
})

describe.each([
  ['one server process', 1],
  ['two server processes on one database', 2],
])('%s', (_, count) => {
  const prefix = `${count}`
  const turn = (index: number) => servers[index % count] as TestNode
  const together = (calls: number, body: (index: number) => object) =>
    Promise.all(Array.from({ length: calls }, (_, index) => call(turn(index), 'POST', '/users', body(index))))
  const userOf = async (id: string) => (await call(turn(0), 'GET', `/users/${id}`)).body

  it('keeps all 40 attributes of 40 concurrent upserts', async () => {
    const answers = await together(40, (index) => ({ id: `${prefix}-wide`, attributes: { [`a${index}`]: index } }))
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
    const expected = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`a${index}`, index]))
    expect((await userOf(`${prefix}-wide`)).attributes).toEqual(expected)
  })

  it('adds 200 concurrent increments up to 200, and each answer shows a different sum', async () => {
    const answers = await together(200, () => ({ id: `${prefix}-count`, attributes: { n: { add: 1 } } }))
    expect((await userOf(`${prefix}-count`)).attributes.n).toBe(200)
    expect(new Set(answers.map(({ body }) => body.attributes.n)).size).toBe(200)
  })

  it('creates one user of 20 concurrent first upserts, and answers 200 to all', async () => {
    const answers = await together(20, (index) => ({
      id: `${prefix}-first`,
      attributes: { [`from_${index}`]: true },
      groups: [{ id: `${prefix}-g` }],
    }))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => body.created_at)).size).toBe(1)
    expect(Object.keys((await userOf(`${prefix}-first`)).attributes)).toHaveLength(20)
    const { body } = await call(turn(0), 'GET', `/users/${prefix}-first?expand=memberships`)
    expect(body.memberships).toHaveLength(1)
  })

  it('creates one definition of an attribute that 20 users get at the same time', async () => {
    await together(20, (index) => ({ id: `${prefix}-u${index}`, attributes: { [`fresh_${prefix}`]: 'x' } }))
    const { body } = await call(turn(0), 'GET', '/attribute_definitions?limit=100')
    expect(body.data.filter(({ name }: { name: string }) => name === `fresh_${prefix}`)).toHaveLength(1)
  })

  it('locks the same users and groups in opposite orders without a failure', async () => {
    const ids = ['a', 'b', 'c', 'd'].map((id) => `${prefix}-lock-${id}`)
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, index) => {
        const order = index % 2 === 0 ? ids : ids.toReversed()
        const groups = order.map((id) => ({ id, attributes: { n: { add: 1 } } }))
        return call(turn(index), 'POST', '/users', { id: order[index % 4], attributes: { n: { add: 1 } }, groups })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(80).fill(200))
    for (const id of ids) expect((await call(turn(0), 'GET', `/groups/${id}`)).body.attributes.n).toBe(80)
  })

  it('shows every client its own writes in a list that others read continuously', async () => {
    const list = '/users?limit=1&order_by=-created_at&expand=groups'
    let over = false
    const others = Array.from({ length: 8 }, async (_, index) => {
      while (!over) await call(turn(index), 'GET', list)
    })
    for (let round = 0; round < (isLong ? 50 : 20); round += 1) {
      const id = `${prefix}-listed-${String(round).padStart(3, '0')}`
      await call(turn(round), 'POST', '/users', { id, groups: [{ id: `${prefix}-of-${round}` }] })
      const { body } = await call(turn(round + 1), 'GET', list)
      expect([body.data[0].id, body.data[0].groups[0].id]).toEqual([id, `${prefix}-of-${round}`])
    }
    over = true
    await Promise.all(others)
  })

  it('changes memberships while their groups are deleted, and leaves no membership without a group', async () => {
    const user = `${prefix}-member`
    const groupIds = Array.from({ length: 5 }, (_, index) => `${prefix}-passing-${index}`)
    const memberships = groupIds.map((group_id) => ({ group_id, attributes: { visits: { add: 1 } } }))
    for (let round = 0; round < (isLong ? 20 : 8); round += 1) {
      await call(turn(round), 'POST', '/users', { id: user, groups: groupIds.map((id) => ({ id })) })
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, (_, index) => call(turn(index), 'POST', '/users', { id: user, memberships })),
        ...groupIds.map((id, index) => call(turn(index), 'DELETE', `/groups/${id}`)),
      ])
      expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(200))
      const { body } = await call(turn(round), 'GET', `/users/${user}?expand=memberships.group`)
      for (const { group, group_id, attributes } of body.memberships) {
        expect(group.id).toBe(group_id)
        expect(attributes.visits).toBeLessThanOrEqual(4)
      }
    }
  })
})
