import { type Shape, State, type Tone } from '../parts/state.tsx'
import type { Endpoint } from './queries.ts'

type Health = Endpoint['health']

export const HEALTH: Record<Health['state'], { tone: Tone; shape: Shape; word: string }> = {
  ok: { tone: 'ok', shape: 'full', word: 'Delivering' },
  failing: { tone: 'bad', shape: 'half', word: 'Failing' },
  idle: { tone: 'mute', shape: 'ring', word: 'Idle' },
  disabled: { tone: 'mute', shape: 'dashed', word: 'Disabled' },
}

export function HealthLabel({ health, badge }: { health: Health; badge?: boolean }) {
  const { tone, shape, word } = HEALTH[health.state]
  return (
    <State tone={tone} shape={shape} badge={badge ?? false}>
      {word}
    </State>
  )
}
