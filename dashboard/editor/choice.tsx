import { useContent } from '../content/use-draft.ts'
import { type Option, Select } from '../parts/select.tsx'

type Props<Value extends string> = {
  label: string
  options: Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  placeholder?: string
}

/** One of a few, with its name beside it. */
export function Choice<Value extends string>({ label, ...select }: Props<Value>) {
  const { reason } = useContent()
  return (
    <div className="prop">
      <span className="t2" aria-hidden="true">
        {label}
      </span>
      <Select label={label} disabled={reason !== undefined} {...select} />
    </div>
  )
}

type TickProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

export function Tick({ label, checked, onChange }: TickProps) {
  const { reason } = useContent()
  return (
    <label className="tick-row">
      <input
        type="checkbox"
        checked={checked}
        disabled={reason !== undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}
