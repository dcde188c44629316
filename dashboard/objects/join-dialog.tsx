import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { joinGroup } from './changes.ts'
import type { Collection } from './queries.ts'

const TEXTS = {
  users: {
    title: 'Add to a group',
    label: 'Id of the group',
    act: 'Add to group',
    missing: 'Enter the id of a group.',
  },
  groups: { title: 'Add a member', label: 'Id of the user', act: 'Add member', missing: 'Enter the id of a user.' },
}

/** Makes a user a member of a group, from either end. */
export function JoinDialog({ kind, id, onClose }: { kind: Collection; id: string; onClose: () => void }) {
  const { slug } = useEnvironment()
  const [other, setOther] = useState('')
  const [tried, setTried] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const texts = TEXTS[kind]
  const { run, running, problem } = useAction(async () => {
    await joinGroup({ kind, environment: slug, id }, other.trim())
    onClose()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (other.trim() !== '') void run()
  }
  return (
    <Dialog open onClose={onClose} focus={first} title={texts.title}>
      <form onSubmit={submit} className="dialog-form" noValidate>
        <Field
          ref={first}
          label={texts.label}
          className="mono"
          autoComplete="off"
          spellCheck={false}
          value={other}
          problem={problem ?? (tried && other.trim() === '' ? texts.missing : undefined)}
          onChange={(event) => setOther(event.target.value)}
        />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={running && 'Adding…'}>
            {texts.act}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
