import { expect, it } from 'vitest'
import type { Endpoint } from './queries.ts'
import { endpointsVerdict } from './words.ts'

const endpoint = (state: Endpoint['health']['state'], waiting: number) => ({
  disabled: state === 'disabled',
  health: { state, waiting: { count: waiting, is_more: false } } as Endpoint['health'],
})

it.each([
  [[], 'No notifications are sent yet.'],
  [[endpoint('ok', 0), endpoint('idle', 0)], '2 endpoints, and every delivery is up to date.'],
  [[endpoint('ok', 3)], '1 endpoint, and what waits is on its way.'],
  [[endpoint('ok', 0), endpoint('disabled', 0)], '1 endpoint is disabled.'],
  [[endpoint('ok', 0), endpoint('disabled', 9)], '1 endpoint is disabled. Deliveries are on hold until it is enabled.'],
  [
    [endpoint('disabled', 9), endpoint('failing', 2)],
    '1 endpoint is failing. Waiting deliveries are sent as soon as it answers.',
  ],
])('the sentence above the endpoints says what is true of them: %#', (endpoints, words) => {
  expect(endpointsVerdict(endpoints)).toBe(words)
})
