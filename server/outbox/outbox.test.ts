import { expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { Outboxes } from './outbox.ts'

const longest = `event.tracked.${'x'.repeat(limits.eventNameCharacters - 4)}`
const topics = Array.from({ length: limits.topicsPerSubscription }, (_, number) => longest + number)

/** Every environment has as many and as long topics as it may have. */
const transaction = {
  isDistributed: false,
  query: async (_: string, [environmentId]: [number]) =>
    Array.from({ length: limits.subscriptionsPerEnvironment }, (_, id) => ({ environmentId, id: `${id}`, topics })),
} as unknown as OpenTransaction

it('the subscriptions of many environments take no more memory than allowed, and those used last stay', async () => {
  const outboxes = new Outboxes()
  const ids = Array.from({ length: 12 }, (_, id) => id as EnvironmentId)
  for (const id of ids) await outboxes.read(transaction, [id], true)
  const kept = ids.filter((id) => outboxes.cached(id))
  expect(kept.length).toBeLessThan(10)
  expect(kept).toContain(11)
})
