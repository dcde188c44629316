import { type FormEvent, useRef, useState } from 'react'
import type { AttributeInputs } from '../../contract/attributes.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { trackEvent } from './changes.ts'
import type { Collection } from './queries.ts'

export function TrackDialog({ kind, id, onClose }: { kind: Collection; id: string; onClose: () => void }) {
  const { slug } = useEnvironment()
  const [name, setName] = useState('')
  const [text, setText] = useState('{}')
  const [wrong, setWrong] = useState<{ name?: string; attributes?: string }>({})
  const first = useRef<HTMLInputElement>(null)
  const { run, running, problem } = useAction(async (attributes: AttributeInputs) => {
    await trackEvent({ kind, environment: slug, id }, { name: name.trim(), attributes })
    toast(`${name.trim()} was tracked.`)
    onClose()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const attributes = parse(text)
    const problems = {
      ...(name.trim() === '' ? { name: 'Enter the name of the event.' } : {}),
      ...(attributes ? {} : { attributes: 'The attributes must be a JSON object, such as {"seats": 3}.' }),
    }
    setWrong(problems)
    if (attributes && Object.keys(problems).length === 0) void run(attributes)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      focus={first}
      title="Track an event"
      about={
        <>
          For <code>{id}</code>. Webhooks hear about it, as when your back end tracks one.
        </>
      }
    >
      <form onSubmit={submit} className="dialog-form" noValidate>
        <Field
          ref={first}
          label="Event"
          className="mono"
          placeholder="subscription_activated"
          autoComplete="off"
          spellCheck={false}
          value={name}
          problem={wrong.name ?? problem}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Attributes"
          className="mono"
          help="A JSON object."
          autoComplete="off"
          spellCheck={false}
          value={text}
          problem={wrong.attributes}
          onChange={(event) => setText(event.target.value)}
        />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={running && 'Tracking…'}>
            Track event
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

function parse(text: string): AttributeInputs | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}')
    const object = typeof value === 'object' && value !== null && !Array.isArray(value)
    return object ? (value as AttributeInputs) : undefined
  } catch {
    return undefined
  }
}
