import { afterAll, beforeAll, expect, it } from 'vitest'
import { tour } from './support/content.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { Client } from './support/requests.ts'
import { createKeys, startService, type TestService } from './support/service.ts'

/** Nodes whose clocks are right, ahead and behind. */
const HOUR = 3_600_000
const clocks = { right: 0, ahead: HOUR, behind: -HOUR }
type Clock = keyof typeof clocks

let test: TestDatabase
const nodes: TestService[] = []
const clients = {} as Record<Clock, Client>

beforeAll(async () => {
  test = await createTestDatabase()
  const [key = ''] = await createKeys(test.database, 'self_hosted', ['Production'])
  for (const [name, ms] of Object.entries(clocks)) {
    const node = await startService(test, {}, undefined, undefined, () => Date.now() + ms)
    nodes.push(node)
    clients[name as Clock] = new Client(node.url, key)
  }
})
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()))
  await Promise.all(nodes.map((node) => node.close()))
  await test.close()
})

async function start(on: Clock, content: string, user: string): Promise<string> {
  await clients[on].post('/users', { id: user })
  const asked = { content, user_id: user, holder: 'h', reason: 'manual' }
  const { status, body } = await clients[on].post('/content_sessions', asked)
  expect([status, body.error]).toEqual([200, undefined])
  const reports = [{ sequence: 1, type: 'step_seen', step: 'hello' }]
  await clients[on].post(`/content_sessions/${body.id}/progress`, { holder: 'h', epoch: 1, reports })
  return body.id
}

async function publish(on: Clock, key: string, name: string, inside: string): Promise<string> {
  const { id } = (await clients[on].post('/content', tour(key, { name }))).body
  const { status, body } = await clients[on].post(`/content/${id}/publish`, { inside })
  expect([status, body.error]).toEqual([200, undefined])
  return id
}

/** Whether the user is inside, and whether a run of the content was seen, as a decision asks it. */
async function seenBy(user: string, content: string): Promise<{ isInside: boolean; isSeen: boolean }> {
  const holds = async (is: string) => {
    const asked = { condition: { content, is }, user_id: user }
    return (await clients.right.post('/segments/explain', asked)).body.met === true
  }
  return { isInside: await holds('active'), isSeen: await holds('seen') }
}

const pairs = (Object.keys(clocks) as Clock[]).flatMap((publisher) =>
  (Object.keys(clocks) as Clock[]).map((starter) => [publisher, starter] as const),
)

it.each(pairs)(
  'a publication on a node that is %s ends the runs from before it on one that is %s, and none from after it',
  async (publisher, starter) => {
    const key = `from-${publisher}-to-${starter}`
    await publish('right', key, 'First', 'finish')
    await start(starter, key, `${key}-before`)
    expect(await seenBy(`${key}-before`, key)).toEqual({ isInside: true, isSeen: true })
    await publish(publisher, key, 'Second', 'end')
    await start(starter, key, `${key}-after`)
    expect(await seenBy(`${key}-before`, key)).toEqual({ isInside: false, isSeen: true })
    expect(await seenBy(`${key}-after`, key)).toEqual({ isInside: true, isSeen: true })
    await publish(publisher, key, 'Third', 'restart_all')
    expect(await seenBy(`${key}-after`, key)).toEqual({ isInside: false, isSeen: false })
  },
)
