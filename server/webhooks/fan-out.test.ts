import { afterAll, beforeAll, expect, it } from 'vitest'
import { topicMatches } from '../../contract/topics.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addSubscription, countDeliveries, eventually } from '../../test/support/deliveries.ts'
import { silent } from '../../test/support/log.ts'
import { createServices } from '../services.ts'
import type { TrackEventJob } from '../writes/jobs.ts'
import { Delivery } from './delivery/delivery.ts'
import { indexWalks } from './delivery/planner.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase(indexWalks)
})
afterAll(() => test.close())

const TOPICS = [['*'], ['event'], ['event.tracked', 'user'], ['event.tracked.e1', 'event.tracked.e2'], ['user.created']]

function event(index: number): TrackEventJob {
  const now = new Date()
  return {
    kind: 'event',
    name: `e${index % 4}`,
    userId: 'u',
    groupId: null,
    operations: [],
    time: now.toISOString(),
    timeMs: now.getTime(),
  }
}

it('notifies each of 1,000 subscriptions of exactly those of 20 events that match its topics, once each', async () => {
  const environmentId = await createEnvironment(test.database)
  const topicsOf = new Map<string, string[]>()
  for (let index = 0; index < 1_000; index += 1) {
    const id = await addSubscription(test.database, environmentId, `https://receiver.example/${index}`)
    topicsOf.set(`https://receiver.example/${index}`, TOPICS[index % TOPICS.length] as string[])
    await test.database.query(
      'update webhook_subscriptions set topics = $3::text[] where environment_id = $1::int and id = $2::uuid',
      [environmentId, id, TOPICS[index % TOPICS.length]],
    )
  }
  const received: string[] = []
  // The network is tested elsewhere.
  const send = async (url: string, _: unknown, body: Buffer | string) => {
    received.push(`${url} ${JSON.parse(body.toString()).data.object.id}`)
    return { ok: true, status: 200, timing: { totalMs: 1 }, responseText: '' }
  }
  const delivery = new Delivery({ database: test.database, sender: { send }, log: silent })
  const webhooks = {
    wake: (id: typeof environmentId) => delivery.wake(id),
    changed: () => {},
    urlProblem: async () => undefined,
  }
  const services = createServices(test.database, silent, { webhooks })
  delivery.start()
  const events = Array.from({ length: 20 }, (_, index) => event(index))
  const written = await Promise.all(events.map((job) => services.write(environmentId, job)))
  await eventually('nothing waits', async () => (await countDeliveries(test.database, environmentId)) === 0, 120_000)
  await delivery.stop()
  const expected = [...topicsOf].flatMap(([url, topics]) =>
    events
      .map(({ name }, index) => ({ topic: `event.tracked.${name}`, id: written[index]?.id }))
      .filter((event) => topics.some((topic) => topicMatches(topic, event.topic)))
      .map(({ id }) => `${url} ${id}`),
  )
  expect(received.toSorted()).toEqual(expected.toSorted())
}, 150_000)
