import { clock } from '../format/time.ts'
import { Icon } from '../parts/icon.tsx'
import type { SavedCondition } from './use-saved-condition.ts'

type Props = { saved: SavedCondition; unfinished: number }

/** Whether what is shown is kept, in the header bar. */
export function SaveState({ saved, unfinished }: Props) {
  return (
    <span className="saved t2 s12" role="status">
      {words(saved, unfinished)}
      {saved.savedAt && !saved.isChanged && !saved.problem && unfinished === 0 && (
        <>
          <Icon name="check" /> Saved {clock(new Date(saved.savedAt))}
        </>
      )}
    </span>
  )
}

function words({ problem, conflict, isSaving, condition, isChanged }: SavedCondition, unfinished: number): string {
  if (conflict) return 'Not saved: somebody else changed it.'
  if (problem) return `Not saved: ${problem}`
  if (isSaving) return 'Saving…'
  if (condition === undefined) return 'Not saved: a segment needs a finished row.'
  if (unfinished > 0) return `${unfinished === 1 ? 'One row is' : `${unfinished} rows are`} not finished and not saved.`
  return isChanged ? 'Not saved yet' : ''
}
