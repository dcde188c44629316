import { type FormEvent, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Select } from '../parts/select.tsx'
import { useAction } from '../shell/use-action.ts'
import { parseValue } from './attribute-values.ts'
import { changeAttributes } from './changes.ts'
import type { Collection } from './queries.ts'

const TYPES = ['string', 'number', 'boolean', 'datetime'].map((value) => ({ value, label: value }))

type Props = { target: { kind: Collection; environment: string; id: string }; onClose: () => void }

export function AddAttribute({ target, onClose }: Props) {
  const [name, setName] = useState('')
  const [type, setType] = useState('string')
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const { run, running, problem } = useAction(async (given: Parameters<typeof changeAttributes>[1]) => {
    await changeAttributes(target, given)
    onClose()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name === '') return setWrong('Enter the name of the attribute.')
    const parsed = parseValue(name, type, type === 'boolean' ? text || 'true' : text)
    if ('problem' in parsed) return setWrong(parsed.problem)
    setWrong(undefined)
    void run({ [name]: parsed.value })
  }
  return (
    <form onSubmit={submit} className="add-attribute">
      <input
        className="input mono"
        aria-label="Name"
        placeholder="name"
        // biome-ignore lint/a11y/noAutofocus: the person asked to add one
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Select label="Type" options={TYPES} value={type} onChange={setType} />
      {type === 'boolean' ? (
        <Select
          label="Value"
          options={['true', 'false'].map((value) => ({ value, label: value }))}
          value={text || 'true'}
          onChange={setText}
        />
      ) : (
        <input
          className="input"
          aria-label="Value"
          placeholder="Value"
          type={type === 'datetime' ? 'datetime-local' : 'text'}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <Button type="submit" kind="primary" busy={running && 'Adding…'}>
        Add attribute
      </Button>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
      {(wrong ?? problem) && (
        <p className="problem-text" role="alert">
          {wrong ?? problem}
        </p>
      )}
    </form>
  )
}
