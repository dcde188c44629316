import { clock } from '../format/time.ts'
import { Icon } from '../parts/icon.tsx'
import type { DraftState } from './draft-store.ts'
import { useContent, useDraftState } from './use-draft.ts'

/** Whether what is shown is kept. */
export function SaveState() {
  const { store } = useContent()
  const state = useDraftState(store)
  const words = wordsOf(state)
  return (
    <span className={`saved ${state.saving === 'offline' || state.saving === 'refused' ? 'warn-t' : ''}`} role="status">
      {state.saving === 'saved' && words && <Icon name="check" />}
      {words}
    </span>
  )
}

function wordsOf({ saving, savedAt, problem }: DraftState): string {
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
