import { reasonWords } from '../results/words.ts'
import type { ContentReceipt } from './queries.ts'

type Run = Pick<ContentReceipt['runs'][number], 'state' | 'end_reason' | 'ended_at'>

/** How a run of the past went. One that was completed stays so when it ends. */
export function runWords({ state, end_reason, ended_at }: Run): string {
  if (state === 'completed') return 'completed it'
  return ended_at === null ? 'is in it' : reasonWords(end_reason ?? 'left')
}
