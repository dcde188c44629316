import { type Bounded, boundedWords, sentence } from '../format/number.ts'

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
