import { type FormEvent, useRef, useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { keysQuery } from './queries.ts'

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { slug, name: environment } = useEnvironment()
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const [made, setMade] = useState<string>()
  const first = useRef<HTMLInputElement>(null)
  const { run, running, problem } = useAction(async () => {
    const { key } = await call('createKey', { environment: slug, name: name.trim() })
    setMade(key)
    await queryClient.invalidateQueries({ queryKey: keysQuery(slug).queryKey })
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (name.trim() !== '') void run()
  }
  if (made) {
    return (
      <SecretDialog
        title={`Key ${name.trim()}`}
        about="It is shown this once. Keep it where your back end keeps its secrets."
        secret={made}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      focus={first}
      title="Create an API key"
      about={`It reads and writes everything in ${environment}.`}
    >
      <form onSubmit={submit} className="dialog-form" noValidate>
        <Field
          ref={first}
          label="Name"
          placeholder="Back end"
          help="What it is for. Live and the audit log show it."
          autoComplete="off"
          value={name}
          problem={problem ?? (tried && name.trim() === '' ? 'Enter a name.' : undefined)}
          onChange={(event) => setName(event.target.value)}
        />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={running && 'Creating…'}>
            Create key
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
