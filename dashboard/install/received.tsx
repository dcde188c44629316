import { Link } from '@tanstack/react-router'
import { Time } from '../parts/time.tsx'
import { VerdictIcon } from '../parts/verdict-icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { Installation } from './queries.ts'
import { proofWords } from './verdict.ts'

const TONES = { signed: 'ok', unsigned: 'mute', wrong: 'bad' } as const

/** The last identification: whoever installs sees whether their signature is good. */
export function Received({ last }: { last: NonNullable<Installation['last_identified']> }) {
  const { slug: environment } = useEnvironment()
  const { id, name, proof, at } = last
  return (
    <div className={`checkbox-card received ${TONES[proof]}`} role="status">
      <VerdictIcon level={TONES[proof]} />
      <span>
        Received <b className="mono">{id}</b> {proofWords[proof]}{' '}
        <span className="t2">
          <Time plain at={at} as="seconds" />
        </span>
      </span>
      <Link className="link" to="/$environment/users/$userId" params={{ environment, userId: id }}>
        Open {name ?? 'the user'}
      </Link>
    </div>
  )
}
