import { useState } from 'react'
import type { AttributeInput } from '../../contract/attributes.ts'
import { Choice } from './choice.tsx'
import { TextField } from './text-field.tsx'

type Props = { value: AttributeInput; onChange: (value: AttributeInput) => void }

const TYPES = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'True or false' },
] as const
type ValueType = (typeof TYPES)[number]['value']

const ANSWERS = ['true', 'false'].map((value) => ({ value, label: value }))

/** A value of an attribute: of the type that is chosen, whatever it looks like. An operation is changed in the JSON. */
export function ValueField({ value, onChange }: Props) {
  if (typeof value === 'object')
    return (
      <div className="prop top">
        <span className="t2">Value</span>
        <span>
          <code className="mono break">{JSON.stringify(value)}</code>
          <small className="t2">Edit the document as JSON to change it.</small>
        </span>
      </div>
    )
  return (
    <>
      <Choice
        label="Type"
        options={[...TYPES]}
        value={typeof value as ValueType}
        onChange={(type) => onChange(valueAs(type, value))}
      />
      {typeof value === 'boolean' ? (
        <Choice
          label="Value"
          options={ANSWERS}
          value={String(value)}
          onChange={(answer) => onChange(answer === 'true')}
        />
      ) : typeof value === 'number' ? (
        <NumberField value={value} onChange={onChange} />
      ) : (
        <TextField isMono label="Value" value={value} onChange={onChange} />
      )}
    </>
  )
}

/** What is typed stays while it means the value: `1.0`, on the way to `1.05`, is the number 1. */
function NumberField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const [typed, setTyped] = useState<string>()
  const typedNumber = typed === undefined ? undefined : numberIn(typed)
  const isTyped = typed !== undefined && (typedNumber ?? value) === value
  return (
    <>
      <TextField
        isMono
        label="Value"
        value={isTyped ? typed : String(value)}
        onChange={(text) => {
          setTyped(text)
          const number = numberIn(text)
          if (number !== undefined) onChange(number)
        }}
      />
      {isTyped && typedNumber === undefined && (
        <p className="problem-text" role="status">
          This is not a number. The value stays {value}.
        </p>
      )}
    </>
  )
}

/** More digits than this are not exact. */
const numberIn = (text: string): number | undefined =>
  /^-?\d{1,15}(\.\d{1,10})?$/.test(text.trim()) ? Number(text) : undefined

function valueAs(type: ValueType, value: string | number | boolean): AttributeInput {
  if (type === 'string') return String(value)
  return type === 'number' ? (numberIn(String(value)) ?? 0) : value !== 'false' && value !== 0
}
