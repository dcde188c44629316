import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Installation, useAgain } from './queries.ts'
import { Revoke } from './revoke.tsx'

type Token = Installation['tokens'][number]

/** The tokens that pages may send. A rotation puts a new one beside the old one, which ends some days later. */
export function Tokens({ tokens }: { tokens: Installation['tokens'] }) {
  const { slug: environment } = useEnvironment()
  const reason = useReason('createToken')
  const again = useAgain()
  const create = useAction(async () => {
    await call('createToken', { environment, name: 'Web app' })
    await again()
  })
  const [rotated, setRotated] = useState<Token>()
  async function rotate(id: number) {
    await call('rotateToken', { environment, token_id: String(id) })
    await again()
  }
  async function revoke(id: number) {
    await call('revokeToken', { environment, token_id: String(id) })
    await again()
  }
  return (
    <section aria-label="Public token">
      <div className="sec">
        <h2 className="h2">Public token</h2>
        {tokens.length === 0 && (
          <span className="end">
            <Button small icon="plus" reason={reason} onClick={() => void create.run()}>
              Create
            </Button>
          </span>
        )}
      </div>
      {tokens.map((token) => (
        <div key={token.id} className="token">
          <div className="token-box">
            <code className="mono clip">{token.token}</code>
            <CopyButton quiet value={token.token} />
          </div>
          <small className="t2 s12">
            <TokenWords token={token} />
          </small>
          {token.ends_at === null && (
            <Button small kind="quiet" reason={reason} onClick={() => setRotated(token)}>
              Rotate
            </Button>
          )}
          {tokens.length > 1 && (
            <Revoke
              what={`token …${token.token.slice(-4)}`}
              about="Pages that load with it show nothing within a second."
              lastUsedAt={token.last_used_at}
              reason={reason}
              onConfirm={() => revoke(token.id)}
            />
          )}
        </div>
      ))}
      <p className="note">
        <Icon name="info" />
        <span>May be read by anyone. It can ask what to show and report what was seen; it cannot read users.</span>
      </p>
      {create.problem && (
        <p className="problem-text" role="alert">
          {create.problem}
        </p>
      )}
      {rotated && (
        <ConfirmDialog
          title={`Rotate the token …${rotated.token.slice(-4)}?`}
          about="A new token is made beside it. Pages that load with this one show nothing after seven days: give them the new one before. This cannot be undone."
          act="Rotate it"
          busy="Rotating…"
          onClose={() => setRotated(undefined)}
          onConfirm={() => rotate(rotated.id)}
        />
      )}
    </section>
  )
}

function TokenWords({ token: { last_used_at, ends_at } }: { token: Token }) {
  return (
    <>
      {last_used_at ? (
        <>
          seen <Time at={last_used_at} as="activity" plain />
        </>
      ) : (
        'not seen yet'
      )}
      {ends_at && (
        <>
          , ends <Time at={ends_at} plain />
        </>
      )}
    </>
  )
}
