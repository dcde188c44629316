import { type FormEvent, useState } from 'react'
import { IconButton } from './icon-button.tsx'

type Props = {
  label: string
  value: string
  placeholder: string
  onSave: (value: string) => Promise<unknown>
  /** Why it cannot be changed. */
  reason?: string | undefined
  strong?: boolean
}

/** A text that is edited in its place. Enter saves, Esc cancels; the new one shows after the server has answered. */
export function EditableText({ label, value, placeholder, onSave, reason, strong }: Props) {
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [saving, setSaving] = useState(false)
  async function save(event: FormEvent) {
    event.preventDefault()
    if (saving) return
    if (text === undefined || text === value) return setText(undefined)
    setSaving(true)
    try {
      await onSave(text)
      setText(undefined)
      setProblem(undefined)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setSaving(false)
    }
  }
  function cancel() {
    setText(undefined)
    setProblem(undefined)
  }
  if (text === undefined) {
    return (
      <span className="editable">
        <span className={`clip ${strong ? 'strong' : ''} ${value ? '' : 't3'}`} dir="auto">
          {value || placeholder}
        </span>
        {!reason && <IconButton small icon="pencil" label={`Edit the ${label}`} onClick={() => setText(value)} />}
      </span>
    )
  }
  return (
    <form className="editable" onSubmit={(event) => void save(event)}>
      <input
        className="input in-row"
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        readOnly={saving}
        aria-busy={saving || undefined}
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit this
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          cancel()
        }}
      />
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
    </form>
  )
}
