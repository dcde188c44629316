import type { CounterTally } from './tally.ts'

/** An event of a single request, of a batch, or of a member. Attributes are counted after the commit, in `definitions/usage.ts`. */
export function countEvent(tally: CounterTally, body: object | undefined): void {
  tally.add('event', '')
  tally.add('event_name', (body as { name: string }).name)
}
