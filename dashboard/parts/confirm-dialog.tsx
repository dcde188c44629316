import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'

type Props = {
  /** The question with the name: Delete Ada Okafor? */
  title: string
  about: ReactNode
  /** What is deleted, with counts. */
  goes?: [string, string][]
  /** The text to type; without it the button is enough. */
  typed?: string
  /** The action: Delete user. */
  act: string
  busy: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Confirms a deletion. A failure is shown in the dialog. */
export function ConfirmDialog({ title, about, goes, typed, act, busy, onConfirm, onClose }: Props) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [running, setRunning] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const ready = typed === undefined || text === typed
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!ready || running) return
    setRunning(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setRunning(false)
    }
  }
  return (
    <Dialog open onClose={onClose} title={title} about={about} {...(typed === undefined ? {} : { focus: field })}>
      <form onSubmit={(event) => void submit(event)}>
        {goes && (
          <ul className="goes">
            {goes.map(([name, count]) => (
              <li key={name}>
                {name} <b>{count}</b>
              </li>
            ))}
          </ul>
        )}
        {typed !== undefined && (
          <Field
            ref={field}
            label={
              <>
                Type <code>{typed}</code> to confirm
              </>
            }
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {problem && (
          <p className="problem-text" role="alert">
            {problem}
          </p>
        )}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger-fill" type="submit" disabled={!ready} busy={running && busy}>
            {act}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
