import { useId } from 'react'
import { useContent } from '../content/use-draft.ts'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  isLong?: boolean
  isMono?: boolean
  placeholder?: string
  maxLength?: number
  /** The label is for assistive technology only: the place says it. */
  isQuiet?: boolean
}

/** A text of the document. Leaving it saves. */
export function TextField({ label, value, onChange, isLong, isMono, placeholder, maxLength, isQuiet }: Props) {
  const id = useId()
  const { store, reason } = useContent()
  const field = {
    id,
    value,
    placeholder,
    maxLength,
    dir: 'auto',
    readOnly: reason !== undefined,
    className: isMono ? 'input mono' : 'input',
    onBlur: () => store.flush(),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  } as const
  return (
    <div className={isQuiet ? '' : 'prop top'}>
      <label htmlFor={id} className={isQuiet ? 'sr' : 't2'}>
        {label}
      </label>
      {isLong ? <textarea rows={3} {...field} /> : <input {...field} spellCheck={!isMono} />}
    </div>
  )
}
