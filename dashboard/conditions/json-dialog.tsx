import { type FormEvent, useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { conditionProblems } from '../../contract/conditions/problems.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import type { BuilderPlace } from './place.ts'

type Props = {
  condition: Condition | undefined
  place: BuilderPlace
  isReadOnly: boolean
  onClose: () => void
  onSave: (condition: Condition | undefined) => void
}

/** The whole condition as JSON: to copy, to paste, and for what is deeper than the page shows. */
export function JsonDialog({ condition, place, isReadOnly, onClose, onSave }: Props) {
  const [text, setText] = useState(() => (condition ? JSON.stringify(condition, undefined, 2) : ''))
  const [problem, setProblem] = useState<string>()
  function save(event: FormEvent) {
    event.preventDefault()
    const read = readCondition(text, place)
    if (typeof read === 'string') return setProblem(read)
    onSave(read.condition)
    onClose()
  }
  return (
    <Dialog open wide onClose={onClose} title="The rule as JSON">
      <form onSubmit={save}>
        <textarea
          className="input mono json-in"
          aria-label="Condition as JSON"
          aria-invalid={problem ? true : undefined}
          rows={16}
          spellCheck={false}
          readOnly={isReadOnly}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {problem && (
          <p className="problem-text" role="alert">
            {problem}
          </p>
        )}
        <footer>
          <Button onClick={onClose}>{isReadOnly ? 'Close' : 'Cancel'}</Button>
          {!isReadOnly && (
            <Button kind="primary" type="submit">
              Use it
            </Button>
          )}
        </footer>
      </form>
    </Dialog>
  )
}

/** The condition of a text, or what is wrong with it. */
export function readCondition(text: string, place: BuilderPlace): { condition: Condition | undefined } | string {
  if (text.trim() === '') return { condition: undefined }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  const [first, ...others] = conditionProblems(parsed as Condition, place, 'condition')
  if (!first) return { condition: parsed as Condition }
  const more = others.length === 0 ? '' : ` And ${others.length} more.`
  return `${first.path}: ${first.message}.${more}`
}
