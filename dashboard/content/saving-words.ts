import { clock } from '../format/time.ts'
import type { DraftState } from './draft-store.ts'

export function savingWords({ saving, savedAt, problem }: DraftState): string {
  switch (saving) {
    case 'saving':
    case 'waiting':
      return 'Saving…'
    case 'offline':
      return 'Not saved: no connection. Kept here.'
    case 'refused':
      return `Not saved: ${problem}`
    case 'conflict':
      return 'Not saved: somebody else changed it.'
    case 'deleted':
      return 'Not saved: somebody else deleted it.'
    case 'saved':
      return savedAt === undefined ? '' : `Saved ${clock(new Date(savedAt), 'seconds')}`
  }
}
