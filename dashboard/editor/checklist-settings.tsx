import type { ChecklistDocument } from '../../contract/content/document.ts'
import { frequencyOf, hiddenWords } from '../who/when-words.ts'
import { Choice, Tick } from './choice.tsx'
import { TextField } from './text-field.tsx'

type Props = {
  checklist: ChecklistDocument
  onChange: (name: string, change: Partial<ChecklistDocument>, field?: string) => void
}

const PLACES = [
  { value: 'bottom_right', label: 'Below right' },
  { value: 'bottom_left', label: 'Below left' },
] as const satisfies { value: NonNullable<ChecklistDocument['position']>; label: string }[]

/** What is true of the whole list. */
export function ChecklistSettings({ checklist, onChange }: Props) {
  return (
    <div className="story-set">
      <h2 className="h2">The list</h2>
      <TextField
        isLong
        label="Text"
        value={checklist.text ?? ''}
        onChange={(text) => onChange('change the text of the list', { text }, 'text')}
      />
      <Choice
        label="Place"
        options={[...PLACES]}
        value={checklist.position ?? 'bottom_right'}
        onChange={(position) => onChange('move the list', { position })}
      />
      <Tick
        label="Open at first"
        checked={checklist.starts_open ?? false}
        onChange={(starts_open) => onChange('change how the list begins', { starts_open })}
      />
      <Tick
        label="Users can hide it"
        checked={checklist.dismissible ?? true}
        onChange={(dismissible) => onChange('change whether the list can be hidden', { dismissible })}
      />
      {(checklist.dismissible ?? true) && <p className="t2 s12">{hiddenWords(frequencyOf(checklist))}</p>}
    </div>
  )
}
