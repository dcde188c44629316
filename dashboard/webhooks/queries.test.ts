import { expect, it } from 'vitest'
import { deliveryQuery, replaysQuery } from './queries.ts'

type Interval = (query: { state: { data: unknown } }) => number | false

const intervalOf = ({ refetchInterval }: { refetchInterval?: unknown }, data: unknown) =>
  (refetchInterval as Interval)({ state: { data } })

it.each([
  ['pending', true],
  ['on_hold', true],
  ['delivered', false],
  ['given_up', false],
])('a delivery that is %s is asked for again: %s', (state, isAskedFor) => {
  expect(intervalOf(deliveryQuery('production', 'endpoint', 'notification'), { state }) !== false).toBe(isAskedFor)
})

it('replays are asked for until all are over, one that has stopped too: it may go on', () => {
  const watched = (...states: string[]) =>
    intervalOf(replaysQuery('production', 'endpoint'), { data: states.map((state) => ({ state })) })
  expect(watched('finished', 'cancelled')).toBe(false)
  expect(watched('stopped', 'finished')).toBe(5000)
  expect(watched('stopped', 'running')).toBe(1000)
})
