import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { count } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Installation, useAgain } from './queries.ts'
import { Revoke } from './revoke.tsx'
import { costWords } from './verdict.ts'

const MOST_SECRETS = 2

const MEANINGS: Record<Installation['identity'], string> = {
  off: 'Signatures are ignored',
  report: 'Reported, not required',
  required: 'Required',
}

/** The switch with what it would cost now, and the secrets that signatures are made with. */
export function IdentityStep({ installation }: { installation: Installation }) {
  const { identity, lacking, secrets } = installation
  const { slug: environment } = useEnvironment()
  const [secret, setSecret] = useState<string>()
  const reason = useReason('setIdentity')
  const again = useAgain()
  const set = useAction(async (next: Installation['identity']) => {
    await call('setIdentity', { environment, identity: next })
    await again()
  })
  const create = useAction(async () => {
    setSecret((await call('createIdentitySecret', { environment })).secret)
    await again()
  })
  async function revoke(id: string) {
    await call('revokeIdentitySecret', { environment, secret_id: id })
    await again()
  }
  const isRequired = identity === 'required'
  const problem = set.problem ?? create.problem
  return (
    <>
      <div className="checkbox-card">
        <button
          type="button"
          role="switch"
          className="switch"
          aria-checked={isRequired}
          aria-disabled={reason !== undefined || undefined}
          aria-label="Require signatures"
          onClick={() => !reason && void set.run(isRequired ? 'report' : 'required')}
        />
        <div>
          <b>{MEANINGS[identity]}</b>
          <p className="t2">{costWords(installation)}</p>
          {reason && <p className="t3 s12">{reason}</p>}
        </div>
        {lacking.count > 0 && (
          <Link className="btn" to="." search={{ show: 'lacking' }} replace>
            Show {lacking.is_exact ? `the ${count(lacking.count)}` : 'them'}
          </Link>
        )}
      </div>
      <ul className="orig">
        {secrets.map(({ id, last_four, created_at, last_used_at }) => (
          <li key={id}>
            <span className="mono">Secret …{last_four}</span>
            <Revoke
              what={`secret …${last_four}`}
              about="Pages whose user it has signed are no longer verified within a second."
              lastUsedAt={last_used_at}
              reason={reason}
              onConfirm={() => revoke(id)}
            />
            <small>
              made <Time at={created_at} plain />
              {last_used_at ? (
                <>
                  , used <Time at={last_used_at} as="activity" plain />
                </>
              ) : (
                ', not used yet'
              )}
            </small>
          </li>
        ))}
      </ul>
      <Button
        icon="plus"
        reason={reason ?? (secrets.length >= MOST_SECRETS ? 'Two are live. Revoke one first.' : undefined)}
        busy={create.running && 'Creating…'}
        onClick={() => void create.run()}
      >
        Create a secret
      </Button>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
      {secret && (
        <SecretDialog
          title="The identity secret"
          about="It is shown once. Keep it in your back end, which signs with it."
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}
