import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { dashboardLimits } from '../../contract/dashboard/limits.ts'
import type { Output } from '../../contract/dashboard/operations.ts'
import type { Role } from '../../contract/dashboard/paths.ts'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Bone, Loading } from '../parts/skeleton.tsx'
import { useAction } from '../shell/use-action.ts'
import { Gate } from './gate.tsx'
import { beginSession, readLinkQuery } from './queries.ts'

type Link = Output<'readLink'>

/** The page of a one-time link: the owner's set-up, an invitation, a new password. The token is in the fragment. */
export function LinkPage() {
  const token = location.hash.slice(1)
  const { data, error } = useQuery(readLinkQuery(token))
  if (error)
    return (
      <Gate title="Usher" sub={error.message}>
        {null}
      </Gate>
    )
  if (!data) {
    return (
      <Gate title="Usher" sub={location.host}>
        <Loading label="the link">
          <Bone width="100%" height={36} />
        </Loading>
      </Gate>
    )
  }
  return data.state === 'open' ? <LinkForm link={data} token={token} /> : <Gone link={data} />
}

const GONE: Record<Exclude<Link['state'], 'open'>, string> = {
  used: 'This link was used.',
  expired: 'This link has expired.',
  unknown: 'This link is not known, or was cut when it was copied.',
}

function Gone({ link }: { link: Link }) {
  if (link.state === 'open') return null
  // An unknown link has no kind. Its address still says what it was for.
  const isInvitation = link.kind === 'invitation' || location.pathname.endsWith('/invitation')
  return (
    <Gate title={GONE[link.state]} sub={location.host}>
      {isInvitation ? (
        <p className="t2">Ask the person who invited you for a new one.</p>
      ) : (
        <p className="t2">
          Print a new one: <code>npx usher members link</code>.
        </p>
      )}
      <a className="btn" href="/app/sign-in">
        Sign in
      </a>
    </Gate>
  )
}

const RULE = `At least ${dashboardLimits.passwordLeastCharacters} characters. A few words are good.`

function LinkForm({ link, token }: { link: Link; token: string }) {
  const [email, setEmail] = useState(link.email ?? '')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const navigate = useNavigate()
  const { run, running, problem } = useAction(async () => {
    const about = { ...(link.email ? {} : { email: email.trim() }), ...(needsName(link) ? { name: name.trim() } : {}) }
    beginSession(await call('useLink', { token, password, ...about }))
    await navigate({ to: '/', replace: true })
  })
  const short = [...password].length < dashboardLimits.passwordLeastCharacters
  const missing = !email.includes('@') || (needsName(link) && name.trim() === '')
  async function submit() {
    setTried(true)
    if (!short && !missing) await run()
  }
  return (
    <Gate {...titles(link)} onSubmit={submit}>
      <Field
        large
        label="E-mail"
        type="email"
        autoComplete="username"
        readOnly={link.email !== null}
        autoFocus={link.email === null}
        value={email}
        problem={tried && !email.includes('@') ? 'Enter the e-mail address that you will sign in with.' : undefined}
        onChange={(event) => setEmail(event.target.value)}
      />
      {needsName(link) && (
        <Field
          large
          label="Your name"
          autoComplete="name"
          autoFocus={link.email !== null}
          value={name}
          problem={tried && name.trim() === '' ? 'Enter your name: the audit log shows it.' : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <Field
        large
        label="Password"
        type="password"
        autoComplete="new-password"
        autoFocus={link.email !== null && !needsName(link)}
        help={RULE}
        problem={problem ?? (tried && short ? RULE : undefined)}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind="primary" type="submit" busy={running && 'Saving…'}>
        {link.kind === 'password' ? 'Set password' : link.kind === 'invitation' ? 'Join' : 'Create the owner'}
      </Button>
    </Gate>
  )
}

const needsName = (link: Link) => link.kind !== 'password'

function titles(link: Link): { title: string; sub: string } {
  if (link.kind === 'password') return { title: 'Set a new password', sub: 'Every session that is open now will end.' }
  if (link.kind === 'set_up') return { title: 'Set up Usher', sub: 'You become the owner of this server’s dashboard.' }
  const inviter = link.invited_by ?? 'Somebody at the command line'
  const role = link.role ?? 'member'
  const title = link.account_name ? `Join ${link.account_name} on Usher` : 'Join Usher'
  return { title, sub: `${inviter} invites you as ${role}: ${MAY[role]}.` }
}

const MAY: Record<Role, string> = {
  viewer: 'you can read, and change nothing',
  member: 'you can read and change data',
  admin: 'you can also manage keys, webhooks, environments and members',
  owner: 'you can do everything',
}
