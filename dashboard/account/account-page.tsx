import { type FormEvent, useState } from 'react'
import { dashboardLimits } from '../../contract/dashboard/limits.ts'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/panel.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { beginSession, sessionQuery } from '../session/queries.ts'
import { useReason, useSession } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { useAction } from '../shell/use-action.ts'

export function AccountPage() {
  const { member } = useSession()
  return (
    <>
      <Bar current="Your account" />
      <Page
        title="Your account"
        sub={
          <p>
            {member.email}, {member.role}
          </p>
        }
      >
        <div className="narrow">
          <NameForm />
          <PasswordForm />
          <SessionRule />
        </div>
      </Page>
    </>
  )
}

function NameForm() {
  const { member } = useSession()
  const [name, setName] = useState(member.name)
  const { run, running, problem } = useAction(async () => {
    queryClient.setQueryData(sessionQuery.queryKey, await call('updateProfile', { name: name.trim() }))
    toast('Your name was saved.')
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    void run()
  }
  return (
    <Section title="Profile">
      <form onSubmit={submit} className="dialog-form">
        <Field
          label="Name"
          autoComplete="name"
          value={name}
          problem={problem}
          onChange={(event) => setName(event.target.value)}
        />
        <div>
          <Button type="submit" busy={running && 'Saving…'}>
            Save name
          </Button>
        </div>
      </form>
    </Section>
  )
}

const RULE = `At least ${dashboardLimits.passwordLeastCharacters} characters.`

function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [short, setShort] = useState(false)
  const { run, running, problem } = useAction(async () => {
    beginSession(await call('changePassword', { current_password: current, new_password: next }))
    setCurrent('')
    setNext('')
    toast('The password was changed. All other sessions have ended.')
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const tooShort = [...next].length < dashboardLimits.passwordLeastCharacters
    setShort(tooShort)
    if (!tooShort) void run()
  }
  return (
    <Section title="Password">
      <form onSubmit={submit} className="dialog-form" noValidate>
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          problem={problem}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          help={`${RULE} All other sessions end.`}
          problem={short ? RULE : undefined}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
        <div>
          <Button type="submit" busy={running && 'Saving…'}>
            Change password
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** The owner may let sessions end after 12 hours without use. */
function SessionRule() {
  const { account } = useSession()
  const reason = useReason('updateAccount')
  const { run, running, problem } = useAction(async () => {
    const idle_hours = account.idle_hours === null ? 12 : null
    queryClient.setQueryData(sessionQuery.queryKey, await call('updateAccount', { idle_hours }))
    toast('The rule for sessions was saved.')
  })
  return (
    <Section title="Sessions of all members">
      <p className="t2 mb-12">
        {account.idle_hours === null
          ? 'A session ends after 30 days.'
          : `A session ends after ${account.idle_hours} hours without use, and after 30 days in any case.`}
      </p>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
      <Button reason={reason} busy={running && 'Saving…'} onClick={() => void run()}>
        {account.idle_hours === null ? 'End after 12 hours without use' : 'End after 30 days alone'}
      </Button>
    </Section>
  )
}
