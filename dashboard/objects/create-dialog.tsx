import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { createObject } from './changes.ts'
import type { Collection } from './queries.ts'
import { WORDS } from './words.ts'

export function CreateDialog({ kind, onClose }: { kind: Collection; onClose: () => void }) {
  const { slug, name: environmentName } = useEnvironment()
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [tried, setTried] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { one } = WORDS[kind]
  const { run, running, problem } = useAction(async () => {
    const attributes = {
      ...(name.trim() ? { name: name.trim() } : {}),
      ...(email.trim() ? { email: email.trim() } : {}),
    }
    await createObject({ kind, environment: slug, id: id.trim() }, attributes)
    onClose()
    const params = { environment: slug }
    if (kind === 'users')
      await navigate({ to: '/$environment/users/$userId', params: { ...params, userId: id.trim() } })
    else await navigate({ to: '/$environment/groups/$groupId', params: { ...params, groupId: id.trim() } })
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (id.trim() !== '') void run()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      focus={first}
      title={`Add a ${one}`}
      about={`To ${environmentName}. Webhooks hear about it, as when your back end adds one.`}
    >
      <form onSubmit={submit} className="dialog-form" noValidate>
        <Field
          ref={first}
          label="Id"
          help="The id that your application uses. It cannot be changed."
          problem={problem ?? (tried && id.trim() === '' ? 'Enter the id that your application uses.' : undefined)}
          className="mono"
          spellCheck={false}
          autoComplete="off"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
        <Field label="Name" autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
        {kind === 'users' && (
          <Field label="E-mail" autoComplete="off" value={email} onChange={(event) => setEmail(event.target.value)} />
        )}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={running && 'Adding…'}>
            Add {one}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
