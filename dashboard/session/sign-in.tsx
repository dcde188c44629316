import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { useAction } from '../shell/use-action.ts'
import { safeBack } from './back.ts'
import { Gate } from './gate.tsx'
import { beginSession, welcomeQuery } from './queries.ts'

export function SignIn({ back }: { back: string | undefined }) {
  const { data: welcome } = useQuery(welcomeQuery)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const navigate = useNavigate()
  const { run, running, problem } = useAction(async () => {
    beginSession(await call('signIn', { email: email.trim(), password }))
    await navigate({ href: safeBack(back) ?? '/' })
  })
  async function submit() {
    setTried(true)
    if (email !== '' && password !== '') await run()
  }
  return (
    <Gate title="Sign in" sub={location.host} onSubmit={submit}>
      {welcome?.has_owner === false && <NoOwner />}
      <Field
        large
        label="E-mail"
        type="email"
        autoComplete="username"
        autoFocus
        problem={tried && email === '' ? 'Enter your e-mail address.' : undefined}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        large
        label="Password"
        type="password"
        autoComplete="current-password"
        problem={tried && password === '' ? 'Enter your password.' : problem}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind="primary" type="submit" busy={running && 'Signing in…'}>
        Sign in
      </Button>
      <p className="note">
        <Icon name="info" />
        <span>
          Password forgotten? Whoever runs the server prints a new link with <code>npx usher members link</code>.
        </span>
      </p>
    </Gate>
  )
}

const NoOwner = () => (
  <p className="problem">
    <b>There is no owner yet.</b>
    <span className="t2">
      {' '}
      The server printed a set-up link when it started; open it first. A new one: <code>npx usher members link</code>.
    </span>
  </p>
)
