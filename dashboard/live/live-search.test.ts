import { expect, it } from 'vitest'
import { matches, readLiveSearch } from './live-search.ts'
import type { LiveRequest } from './queries.ts'

const row: LiveRequest = {
  id: 'req_1',
  at: '2026-11-12T13:31:22.842Z',
  method: 'POST',
  url: '/events',
  operation: 'trackEvent',
  status: 200,
  code: null,
  field: null,
  message: null,
  duration_ms: 1,
  key_id: 7,
  key_name: 'Back end',
  user_id: 'u_48213',
  group_id: null,
  event_name: 'task_completed',
  operations: null,
  is_replay: false,
}

it.each([
  [{ q: 'TASK' }, true],
  [{ q: 'u_482' }, true],
  [{ q: 'req_1' }, true],
  [{ q: '200' }, true],
  [{ q: '20' }, false],
  [{ q: 'other' }, false],
  [{ status: '2xx' as const }, true],
  [{ status: '5xx' as const }, false],
  [{ key: '7' }, true],
  [{ key: '8' }, false],
  [{ view: 'events' as const }, true],
])('the search %j finds the request: %s', (search, found) => {
  expect(matches(row, search)).toBe(found)
})

it('the view of events has batches with events, and neither refusals nor repeats', () => {
  const shown = (part: Partial<LiveRequest>) => matches({ ...row, ...part }, { view: 'events' })
  expect(shown({ operation: 'runBatch', operations: 12 })).toBe(true)
  expect(shown({ operation: 'upsertUser', event_name: null })).toBe(false)
  expect(shown({ status: 400 })).toBe(false)
  expect(shown({ is_replay: true })).toBe(false)
})

it('drops broken parts of the address', () => {
  expect(readLiveSearch({ view: 'nothing', status: '9xx', q: ['a', 'b'] })).toEqual({ q: 'a' })
})
