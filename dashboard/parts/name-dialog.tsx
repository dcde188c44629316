import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'

type Props = {
  title: string
  about?: ReactNode
  value?: string
  placeholder?: string
  act: string
  busy: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a name. */
export function NameDialog({ title, about, value = '', placeholder, act, busy, onSave, onClose }: Props) {
  const [name, setName] = useState(value)
  const [problem, setProblem] = useState<string>()
  const [running, setRunning] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return setProblem('Enter a name.')
    if (running) return
    setRunning(true)
    try {
      await onSave(name.trim())
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setRunning(false)
    }
  }
  return (
    <Dialog open onClose={onClose} focus={first} title={title} about={about}>
      <form onSubmit={(event) => void submit(event)} className="dialog-form" noValidate>
        <Field
          ref={first}
          label="Name"
          autoComplete="off"
          placeholder={placeholder}
          value={name}
          problem={problem}
          onChange={(event) => setName(event.target.value)}
        />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={running && busy}>
            {act}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
