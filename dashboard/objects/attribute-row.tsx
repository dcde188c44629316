import { useState } from 'react'
import type { AttributeInput } from '../../contract/attributes.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { Time } from '../parts/time.tsx'
import { useAction } from '../shell/use-action.ts'
import { AttributeEditor } from './attribute-editor.tsx'
import { zone } from './attribute-values.ts'
import { PageMarks } from './page-marks.tsx'
import type { AttributeRow as Row } from './queries.ts'
import { TypeGlyph } from './type-glyph.tsx'
import { Value } from './value.tsx'

type Props = {
  row: Row
  reason: string | undefined
  onSave: (name: string, value: AttributeInput) => Promise<void>
  first: boolean
}

/** Click or Enter edits in place; the new value shows only after the server has answered. */
export function AttributeRow({ row, reason, onSave, first }: Props) {
  const [editing, setEditing] = useState(false)
  const { run, running, problem, clear } = useAction((value: AttributeInput) => onSave(row.name, value))
  async function save(value: AttributeInput): Promise<boolean> {
    const saved = await run(value)
    if (saved) setEditing(false)
    return saved
  }
  function cancel() {
    clear()
    setEditing(false)
  }
  return (
    <li>
      <TypeGlyph type={row.data_type} />
      <span className="k mono clip" dir="auto">
        {row.name}
        <PageMarks row={row} />
      </span>
      {editing ? (
        <AttributeEditor
          name={row.name}
          type={row.data_type}
          value={row.value}
          onSave={save}
          onCancel={cancel}
          problem={problem}
        />
      ) : (
        <span className="v clip">
          <button
            type="button"
            className="in-place"
            disabled={reason !== undefined}
            title={reason}
            data-hotkey={first ? 'e' : undefined}
            onClick={() => setEditing(true)}
          >
            <span className="sr">Edit {row.name}: </span>
            <Value value={row.value} type={row.data_type} plain />
          </button>
        </span>
      )}
      <span className="since">
        {editing ? (
          <EditHelp type={row.data_type} running={running} onRemove={() => void save(null)} name={row.name} />
        ) : (
          <Time at={row.since} as="activity" plain />
        )}
      </span>
    </li>
  )
}

function EditHelp({
  type,
  running,
  onRemove,
  name,
}: {
  type: string
  running: boolean
  onRemove: () => void
  name: string
}) {
  if (running) return 'Saving…'
  return (
    <span className="edit-help">
      {type === 'datetime' ? zone() : 'Enter saves, Esc cancels'}
      <IconButton small icon="trash" label={`Remove ${name}`} onClick={onRemove} />
    </span>
  )
}
