import { reasonWords } from '../results/words.ts'
import type { ContentReceipt } from './queries.ts'

/** Of content that a user has open: it is not shown a second time, which is no reason to tell. */
export const IN_IT = 'They are in it now'

type Run = Pick<ContentReceipt['runs'][number], 'state' | 'end_reason' | 'ended_at'>

/** How a run of the past went. One that was completed stays so when it ends. */
export function runWords({ state, end_reason, ended_at }: Run): string {
  if (state === 'completed') return 'completed it'
  return ended_at === null ? 'is in it' : reasonWords(end_reason ?? 'left')
}
