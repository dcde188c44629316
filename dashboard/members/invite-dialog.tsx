import { type FormEvent, useRef, useState } from 'react'
import { type Role, roles } from '../../contract/dashboard/paths.ts'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { Select } from '../parts/select.tsx'
import { queryClient } from '../query-client.ts'
import { atLeast, useSession } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { membersQuery } from './queries.ts'
import { ROLE_NOTES } from './role-select.tsx'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { member: me } = useSession()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [link, setLink] = useState<string>()
  const first = useRef<HTMLInputElement>(null)
  const { run, running, problem } = useAction(async () => {
    const { url } = await call('createInvitation', { role, ...(email.trim() ? { email: email.trim() } : {}) })
    setLink(url)
    await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey })
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    void run()
  }
  if (link) {
    return (
      <SecretDialog
        title="Invitation link"
        about="It works once and is not shown again. Send it to the person yourself: Usher sends no e-mail."
        secret={link}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog open onClose={onClose} focus={first} title="Invite a member" about="You get a link to hand over.">
      <form onSubmit={submit} className="dialog-form" noValidate>
        <Field
          ref={first}
          label="E-mail"
          type="email"
          help="If it is empty, the person who opens the link enters one."
          autoComplete="off"
          value={email}
          problem={problem}
          onChange={(event) => setEmail(event.target.value)}
        />
        <div className="field">
          <span className="label">Role</span>
          <Select
            label="Role"
            value={role}
            options={roles
              .filter((one) => atLeast(me.role, one))
              .map((one) => ({ value: one, label: one, note: ROLE_NOTES[one] }))}
            onChange={setRole}
          />
        </div>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={running && 'Making the link…'}>
            Make the link
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
