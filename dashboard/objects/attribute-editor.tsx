import { type FormEvent, type KeyboardEvent, useState } from 'react'
import type { AttributeInput, AttributeValue } from '../../contract/attributes.ts'
import { localInput, parseValue } from './attribute-values.ts'

type Props = {
  name: string
  type: string
  value: AttributeValue
  onSave: (value: AttributeInput) => Promise<boolean>
  onCancel: () => void
  problem: string | undefined
}

/** The control of the type. Enter saves, Shift and Enter is a new line in a long text, Esc cancels. */
export function AttributeEditor({ name, type, value, onSave, onCancel, problem }: Props) {
  const [text, setText] = useState(type === 'datetime' ? localInput(String(value)) : String(value))
  const [wrong, setWrong] = useState<string>()
  const note = wrong ?? problem
  async function save(event: FormEvent) {
    event.preventDefault()
    const parsed = parseValue(name, type, text)
    if ('problem' in parsed) return setWrong(parsed.problem)
    await onSave(parsed.value)
  }
  const common = {
    'aria-label': name,
    'aria-invalid': note ? true : undefined,
    'aria-describedby': note ? `problem-${name}` : undefined,
    className: 'input in-row',
    value: text,
    autoFocus: true,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => {
      if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey)) return
      event.preventDefault()
      if (event.key === 'Escape') onCancel()
      // A select and a text area do not submit their form by themselves.
      else event.currentTarget.form?.requestSubmit()
    },
    onChange: (event: { target: { value: string } }) => {
      setWrong(undefined)
      setText(event.target.value)
    },
  }
  return (
    <form onSubmit={(event) => void save(event)} className="edit-row">
      {type === 'boolean' ? (
        <select {...common}>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : isLong(type, value) ? (
        <textarea {...common} dir="auto" rows={3} />
      ) : (
        <input {...common} {...inputOf(type)} />
      )}
      <button type="submit" className={type === 'boolean' ? 'btn sm' : 'sr'}>
        Save
      </button>
      {note && (
        <small id={`problem-${name}`} className="problem-text" role="alert">
          {note}
        </small>
      )}
    </form>
  )
}

/** An input would drop the line breaks of a text. */
function isLong(type: string, value: AttributeValue): boolean {
  return type === 'string' && typeof value === 'string' && (value.includes('\n') || value.length > 80)
}

function inputOf(type: string) {
  if (type === 'datetime') return { type: 'datetime-local', step: '0.001' }
  return type === 'number' ? { type: 'text', inputMode: 'decimal' as const } : { type: 'text', dir: 'auto' }
}
