import { type FormEvent, useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Time } from '../parts/time.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Installation, installationQuery } from './queries.ts'

/** The public tokens, and the origins that may send them. */
export function InstallSide({ installation: { tokens, origins } }: { installation: Installation }) {
  return (
    <aside className="stick" aria-label="Token and origins">
      <Tokens tokens={tokens} />
      <Origins origins={origins} />
    </aside>
  )
}

function useAgain(environment: string) {
  return () => queryClient.invalidateQueries({ queryKey: installationQuery(environment).queryKey })
}

function Tokens({ tokens }: { tokens: Installation['tokens'] }) {
  const { slug: environment } = useEnvironment()
  const reason = useReason('createToken')
  const again = useAgain(environment)
  const create = useAction(async () => {
    await call('createToken', { environment, name: 'Web app' })
    await again()
  })
  const revoke = useAction(async (id: number) => {
    await call('revokeToken', { environment, token_id: String(id) })
    await again()
  })
  const problem = create.problem ?? revoke.problem
  return (
    <section aria-label="Public token">
      <div className="sec">
        <h2 className="h2">Public token</h2>
        <span className="end">
          <Button small icon="plus" reason={reason} onClick={() => void create.run()}>
            {tokens.length === 0 ? 'Create' : 'Another'}
          </Button>
        </span>
      </div>
      {tokens.map(({ id, token, last_used_at }) => (
        <div key={id} className="token">
          <code className="mono clip">{token}</code>
          <CopyButton quiet value={token} />
          {tokens.length > 1 && (
            <Button small kind="quiet" reason={reason} onClick={() => void revoke.run(id)}>
              Revoke
            </Button>
          )}
          <small className="t2 s12">
            {last_used_at ? (
              <>
                seen <Time at={last_used_at} as="activity" plain />
              </>
            ) : (
              'not seen yet'
            )}
          </small>
        </div>
      ))}
      <p className="note">
        <Icon name="info" />
        <span>May be read by anyone. It can ask what to show and report what was seen; it cannot read users.</span>
      </p>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

function Origins({ origins }: { origins: Installation['origins'] }) {
  const { slug: environment } = useEnvironment()
  const reason = useReason('addOrigin')
  const [text, setText] = useState('')
  const again = useAgain(environment)
  const add = useAction(async () => {
    await call('addOrigin', { environment, origin: text })
    setText('')
    await again()
  })
  const remove = useAction(async (origin: string) => {
    await call('removeOrigin', { environment, origin })
    await again()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!reason && text.trim() !== '') void add.run()
  }
  const problem = add.problem ?? remove.problem
  return (
    <section aria-label="Allowed origins">
      <div className="sec">
        <h2 className="h2">Allowed origins</h2>
        <span className="c num">{origins.length}</span>
      </div>
      <ul className="orig">
        {origins.map(({ origin }) => (
          <li key={origin}>
            <span className="mono clip">{origin}</span>
            {!reason && origins.length > 1 && (
              <IconButton small icon="x" label={`Remove ${origin}`} onClick={() => void remove.run(origin)} />
            )}
          </li>
        ))}
      </ul>
      <form className="token" onSubmit={submit}>
        <input
          className="input mono"
          aria-label="Origin to allow"
          placeholder="https://app.example.com"
          autoComplete="off"
          readOnly={reason !== undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" reason={reason} busy={add.running && 'Adding…'}>
          Add
        </Button>
      </form>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}
