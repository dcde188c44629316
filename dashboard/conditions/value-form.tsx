import { type FormEvent, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import type { Choice, Editor } from './chip-part.ts'
import { DurationFields } from './duration-fields.tsx'
import { fieldOf, instantIn } from './instants.ts'
import { Suggestions } from './suggestions.tsx'
import type { Row } from './tree.ts'

type ValueEditor = Exclude<Editor, { type: 'list' }>
type Props = { editor: ValueEditor; label: string; onDone: (row: Row) => void }

/** Enter keeps the value, Esc leaves it. */
export function ValueForm({ editor, label, onDone }: Props) {
  const [texts, setTexts] = useState(() => textsOf(editor))
  const [typed, setTyped] = useState('')
  const all = editor.type === 'texts' && typed.trim() !== '' ? [...new Set([...texts, typed.trim()])] : texts
  const row = rowOf(editor, all)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (row) onDone(row)
  }
  const put = (index: number, text: string) => setTexts(texts.with(index, text))
  return (
    <form onSubmit={submit} className="filter-form">
      {editor.type === 'texts' ? (
        <>
          <GivenTexts texts={texts} onChange={setTexts} />
          <Field label={`Add: ${label}`} value={typed} placeholder={editor.hint ?? 'Add a value'} onChange={setTyped} />
        </>
      ) : editor.type === 'several' ? (
        <SeveralOf choices={editor.choices} chosen={texts} onChange={setTexts} />
      ) : editor.type === 'duration' ? (
        <DurationFields value={texts[0] ?? ''} onChange={(next) => put(0, next)} />
      ) : (
        texts.map((text, index) => (
          <div key={FIELDS[index]} className="given">
            <Field
              label={texts.length > 1 ? `${FIELDS[index]} value` : label}
              value={text}
              type={editor.type}
              placeholder={editor.type === 'text' ? (editor.hint ?? '') : ''}
              onChange={(next) => put(index, next)}
            />
            {editor.type === 'number' && editor.unit}
            {editor.type === 'instant' && 'UTC'}
          </div>
        ))
      )}
      {'source' in editor && editor.source && (
        <Suggestions
          source={editor.source}
          chosen={texts}
          onChoose={(text) =>
            editor.type === 'texts'
              ? setTexts(texts.includes(text) ? texts.filter((one) => one !== text) : [...texts, text])
              : onDone(editor.set(text))
          }
        />
      )}
      <Button kind="primary" type="submit" disabled={!row}>
        Done
      </Button>
    </form>
  )
}

const FIELDS = ['From', 'To']

function Field(props: {
  label: string
  value: string
  type?: string
  placeholder: string
  onChange: (value: string) => void
}) {
  const isNumber = props.type === 'number' || props.type === 'range'
  return (
    <input
      className="input"
      aria-label={props.label}
      type={props.type === 'instant' ? 'datetime-local' : props.type === 'hours' ? 'time' : 'text'}
      inputMode={isNumber ? 'decimal' : 'text'}
      placeholder={props.placeholder}
      autoComplete="off"
      spellCheck={false}
      dir="auto"
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}

type SeveralProps = { choices: readonly Choice[]; chosen: string[]; onChange: (chosen: string[]) => void }

function SeveralOf({ choices, chosen, onChange }: SeveralProps) {
  return (
    <div className="given-list">
      {choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          className="chip add"
          aria-pressed={chosen.includes(value)}
          onClick={() => onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** As they are offered, not as they were chosen. */
const inOrder = (choices: readonly Choice[], chosen: readonly string[]) =>
  choices.map(({ value }) => value).filter((value) => chosen.includes(value))

function GivenTexts({ texts, onChange }: { texts: string[]; onChange: (texts: string[]) => void }) {
  if (texts.length === 0) return null
  return (
    <ul className="given-list">
      {texts.map((text) => (
        <li key={text} className="chip">
          <b dir="auto">{text}</b>
          <button
            type="button"
            aria-label={`Remove ${text}`}
            onClick={() => onChange(texts.filter((one) => one !== text))}
          >
            <Icon name="x" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function textsOf(editor: ValueEditor): string[] {
  switch (editor.type) {
    case 'texts':
    case 'several':
    case 'hours':
      return [...editor.values]
    case 'range':
      return [String(editor.values[0] ?? ''), String(editor.values[1] ?? '')]
    case 'number':
      return [editor.value === undefined ? '' : String(editor.value)]
    case 'instant':
      return [fieldOf(editor.value)]
    default:
      return [editor.value]
  }
}

/** The row with what was typed; undefined while that is no value. */
function rowOf(editor: ValueEditor, texts: string[]): Row | undefined {
  const [first = '', second = ''] = texts
  switch (editor.type) {
    case 'texts':
      return texts.length > 0 ? editor.set(texts) : undefined
    case 'several':
      return texts.length > 0 ? editor.set(inOrder(editor.choices, texts)) : undefined
    case 'hours':
      return first !== '' && second !== '' && first !== second ? editor.set(texts) : undefined
    case 'range':
      return isNumber(first) && isNumber(second)
        ? editor.set([Number(first), Number(second)].sort((a, b) => a - b))
        : undefined
    case 'number':
      return isNumber(first) ? editor.set(Number(first)) : undefined
    case 'instant':
      return first === '' ? undefined : editor.set(instantIn(first, editor.value))
    case 'duration':
      return /^[1-9]\d{0,5}[smhdw]$/.test(first) ? editor.set(first) : undefined
    default:
      return first === '' ? undefined : editor.set(first)
  }
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))
