import { expect } from 'vitest'
import { topicMatches } from '../../contract/topics.ts'
import { SharedSecrets } from '../../server/secrets/shared-secrets.ts'
import { DeliveryLoop } from '../../server/webhooks/delivery/delivery.ts'
import type { TrackEventJob } from '../../server/writes/jobs.ts'
import { createEnvironment, type TestDatabase } from './database.ts'
import { addSubscription, countDeliveries, eventually } from './deliveries.ts'
import { silent } from './log.ts'
import { testServices } from './services.ts'

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

/** Sends 20 events to this many subscriptions, and compares what each received with its topics. */
export async function fanOut(test: TestDatabase, subscriptions: number): Promise<void> {
  const environmentId = await createEnvironment(test.database)
  const topicsOf = new Map<string, string[]>()
  for (let index = 0; index < subscriptions; index += 1) {
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
  const delivery = new DeliveryLoop({ database: test.database, sender: { send }, log: silent })
  const webhooks = {
    secrets: new SharedSecrets(),
    wake: (id: typeof environmentId) => delivery.wake(id),
    changed: () => {},
    urlProblem: async () => undefined,
  }
  const services = testServices(test.database, { webhooks })
  delivery.start()
  const events = Array.from({ length: 20 }, (_, index) => event(index))
  const written = await Promise.all(events.map((job) => services.write(environmentId, job)))
  await eventually('nothing waits', async () => (await countDeliveries(test.database, environmentId)) === 0)
  await delivery.stop()
  const expected = [...topicsOf].flatMap(([url, topics]) =>
    events
      .map(({ name }, index) => ({ topic: `event.tracked.${name}`, id: written[index]?.id }))
      .filter((event) => topics.some((topic) => topicMatches(topic, event.topic)))
      .map(({ id }) => `${url} ${id}`),
  )
  expect(received.toSorted()).toEqual(expected.toSorted())
}
