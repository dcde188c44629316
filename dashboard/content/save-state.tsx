import { Icon } from '../parts/icon.tsx'
import { savingWords } from './saving-words.ts'
import { useContent, useDraftState } from './use-draft.ts'

/** Whether what is shown is kept. */
export function SaveState() {
  const { store } = useContent()
  const state = useDraftState(store)
  const words = savingWords(state)
  return (
    <span className={`saved ${state.saving === 'offline' || state.saving === 'refused' ? 'warn-t' : ''}`} role="status">
      {state.saving === 'saved' && words && <Icon name="check" />}
      {words}
    </span>
  )
}
