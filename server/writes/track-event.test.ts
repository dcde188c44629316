import { expect, it } from 'vitest'
import { Stamp } from '../batches/stamp.ts'
import type { EnvironmentId } from '../database/database.ts'
import { DefinitionCache } from '../definitions/new-definitions.ts'
import { NO_SUBSCRIPTIONS, Outbox } from '../outbox/outbox.ts'
import { BatchState } from './batch-state.ts'
import type { Written } from './jobs.ts'
import { trackEvent } from './track-event.ts'

const job = { kind: 'event', name: 'opened', userId: 'ada', groupId: null, operations: [], timeMs: 0 } as const

function track(stamp: Stamp, outbox: Outbox): { ids: string[]; notified: number } {
  const state = new BatchState(1 as EnvironmentId, new DefinitionCache())
  state.stamp = stamp
  state.outbox = outbox
  const events = ['first', 'second'].map((requestId) => ({ ...job, requestId, time: '1970-01-01T00:00:00Z' }))
  const ids = events.map((event) => (trackEvent(state, event) as Written).id)
  return { ids, notified: state.notifications.length }
}

it('events that are sent again unchanged keep their ids, whatever subscriptions there are now', () => {
  const stamp = new Stamp(Date.now())
  const first = track(stamp, NO_SUBSCRIPTIONS)
  stamp.rewind()
  const second = track(stamp, new Outbox([{ id: 'all', topics: ['*'] }]))
  expect(second.ids).toEqual(first.ids)
  expect([first.notified, second.notified]).toEqual([0, 2])
})
