import { type FormEvent, useState } from 'react'
import { call } from '../api.ts'
import { counted } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { StateShape } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Installation, useAgain } from './queries.ts'
import { TheirSide } from './their-side.tsx'
import { Tokens } from './tokens.tsx'
import { healthWords, originState, originWords } from './verdict.ts'

/** The public tokens, and the origins that may send them. */
export function InstallSide({ installation }: { installation: Installation }) {
  const { tokens, origins, refused_origins } = installation
  return (
    <aside className="stick" aria-label="Token and origins">
      <Tokens tokens={tokens} />
      <Origins origins={origins} />
      {refused_origins.length > 0 && <RefusedOrigins refused={refused_origins} />}
      {installation.seen_at !== null && <TheirSide installation={installation} />}
    </aside>
  )
}

function Origins({ origins }: { origins: Installation['origins'] }) {
  const { slug: environment } = useEnvironment()
  const reason = useReason('addOrigin')
  const [text, setText] = useState('')
  const again = useAgain()
  const add = useAction(async () => {
    await call('addOrigin', { environment, origin: text })
    setText('')
    await again()
  })
  const [leaving, setLeaving] = useState<string>()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!reason && text.trim() !== '') void add.run()
  }
  return (
    <section aria-label="Allowed origins">
      <div className="sec">
        <h2 className="h2">Allowed origins</h2>
        <span className="c num">{origins.length}</span>
      </div>
      <ul className="orig">
        {origins.map((one) => (
          <li key={one.origin}>
            <span className="who">
              <OriginShape origin={one} />
              <span className="mono clip">{one.origin}</span>
            </span>
            <span className="acts">
              {one.seen_at && (
                <span className="t2 s12">
                  <Time at={one.seen_at} as="activity" plain />
                </span>
              )}
              {!reason && origins.length > 1 && (
                <IconButton small icon="x" label={`Remove ${one.origin}`} onClick={() => setLeaving(one.origin)} />
              )}
            </span>
            <small>{originWords(one)}</small>
            {one.seen_at && <small>{healthWords(one)}</small>}
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
      {add.problem && (
        <p className="problem-text" role="alert">
          {add.problem}
        </p>
      )}
      {leaving && (
        <ConfirmDialog
          title={`Remove ${leaving}?`}
          about="Its pages are refused within a second, and show nothing. It can be added again."
          act="Remove origin"
          busy="Removing…"
          onClose={() => setLeaving(undefined)}
          onConfirm={async () => {
            await call('removeOrigin', { environment, origin: leaving })
            await again()
          }}
        />
      )}
    </section>
  )
}

function OriginShape({ origin }: { origin: Installation['origins'][number] }) {
  const { tone, shape, word } = originState(origin)
  return (
    <span className={`state ${tone}`}>
      <StateShape shape={shape} />
      <span className="sr">{word}</span>
    </span>
  )
}

/** What was refused for its origin: one's own are a click away from being allowed. */
function RefusedOrigins({ refused }: { refused: Installation['refused_origins'] }) {
  const { slug: environment } = useEnvironment()
  const reason = useReason('addOrigin')
  const again = useAgain()
  const allow = useAction(async (origin: string) => {
    await call('addOrigin', { environment, origin })
    await again()
  })
  return (
    <section aria-label="Refused origins">
      <div className="sec">
        <h2 className="h2">Refused origins</h2>
        <span className="c num">{refused.length}</span>
      </div>
      <ul className="orig">
        {refused.map(({ origin, count: requests, last_at }) => (
          <li key={origin}>
            <span className="mono clip">{origin}</span>
            <Button small reason={reason} aria-label={`Allow ${origin}`} onClick={() => void allow.run(origin)}>
              Allow
            </Button>
            <small>
              {counted(requests, 'request', 'requests')} since yesterday, the last{' '}
              <Time at={last_at} as="activity" plain />
            </small>
          </li>
        ))}
      </ul>
      {allow.problem && (
        <p className="problem-text" role="alert">
          {allow.problem}
        </p>
      )}
    </section>
  )
}
