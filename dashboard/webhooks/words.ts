import { type Bounded, boundedWords, counted, sentence } from '../format/number.ts'
import type { Endpoint } from './queries.ts'

/** billing.kestrel.example */
export function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** billing.kestrel.example/hooks/usher */
export function placeOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

/** What becomes of the deliveries of a failing endpoint. Empty when none wait. */
export function waitingSentence(waiting: Bounded): string {
  if (waiting.count === 0) return ''
  const words = boundedWords(
    waiting,
    'delivery waits for it and goes out by itself',
    'deliveries wait for it and go out by themselves',
  )
  return `${sentence(words)} once it answers.`
}

/** How the endpoints of an environment do, in a sentence. */
export function endpointsVerdict(endpoints: readonly Pick<Endpoint, 'disabled' | 'health'>[]): string {
  if (endpoints.length === 0) return 'No notifications are sent yet.'
  const failing = endpoints.filter(({ health }) => health.state === 'failing').length
  if (failing > 0)
    return `${counted(failing, 'endpoint is', 'endpoints are')} failing. Waiting deliveries are sent as soon as ${failing === 1 ? 'it answers' : 'they answer'}.`
  const waits = ({ health }: Pick<Endpoint, 'health'>) => health.waiting.count > 0
  const disabled = endpoints.filter((one) => one.disabled)
  if (disabled.length > 0)
    return `${counted(disabled.length, 'endpoint is', 'endpoints are')} disabled.${disabled.some(waits) ? ` Deliveries are on hold until ${disabled.length === 1 ? 'it is' : 'they are'} enabled.` : ''}`
  const rest = endpoints.some(waits) ? 'and what waits is on its way' : 'and every delivery is up to date'
  return `${counted(endpoints.length, 'endpoint')}, ${rest}.`
}
