import { Time } from '../parts/time.tsx'
import { readable } from './gates.ts'
import { Ladder } from './ladder.tsx'
import type { ContentReceipt } from './queries.ts'

/** The runs of the past, each with the receipt that was stored with it. */
export function Runs({ runs }: { runs: ContentReceipt['runs'] }) {
  if (runs.length === 0) return <p className="t2">Not yet. Decisions that showed nothing are not stored.</p>
  return (
    <ul className="runs">
      {runs.map(({ id, state, version, created_at, sentence, gates }) => (
        <li key={id}>
          <details>
            <summary>
              {state} {version !== null && <small>version {version}</small>} <Time at={created_at} plain />
            </summary>
            <p className="t2 s12">{sentence === null ? 'Its receipt is not stored.' : readable(sentence)}</p>
            {gates.length > 0 && <Ladder gates={gates} isSmall />}
          </details>
        </li>
      ))}
    </ul>
  )
}
