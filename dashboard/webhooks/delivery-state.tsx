import type { DeliveryStateName } from '../../contract/deliveries.ts'
import { type Shape, State, type Tone } from '../parts/state.tsx'

export const STATES: Record<DeliveryStateName, { tone: Tone; shape: Shape; word: string }> = {
  delivered: { tone: 'ok', shape: 'full', word: 'Delivered' },
  sending: { tone: 'info', shape: 'half', word: 'Sending' },
  waiting: { tone: 'mute', shape: 'ring', word: 'Waiting' },
  retrying: { tone: 'warn', shape: 'half', word: 'Retrying' },
  held: { tone: 'warn', shape: 'ring', word: 'Held by Retry-After' },
  on_hold: { tone: 'mute', shape: 'dashed', word: 'On hold' },
  given_up: { tone: 'bad', shape: 'cross', word: 'Given up' },
}

type Props = { state: DeliveryStateName; status?: number | null; badge?: boolean }

export function DeliveryStateLabel({ state, status, badge }: Props) {
  const { tone, shape, word } = STATES[state]
  const failed = status && status >= 300 ? `, ${status}` : ''
  return (
    <State tone={tone} shape={shape} badge={badge ?? false}>
      {word}
      {failed}
    </State>
  )
}
