import { Time } from '../parts/time.tsx'
import { readable } from './gates.ts'
import { Ladder } from './ladder.tsx'
import type { ContentReceipt } from './queries.ts'
import { runWords } from './run-words.ts'

/** The runs of the past, each with the receipt that was stored with it. */
export function Runs({ runs }: { runs: ContentReceipt['runs'] }) {
  if (runs.length === 0) return <p className="t2">Not yet. Decisions that showed nothing are not stored.</p>
  return (
    <ul className="runs">
      {runs.map((run) => (
        <li key={run.id}>
          <details>
            <summary>
              {runWords(run)} {run.version !== null && <small>version {run.version}</small>}{' '}
              <Time at={run.created_at} plain />
            </summary>
            <p className="t2 s12">{run.sentence === null ? 'Its receipt is not stored.' : readable(run.sentence)}</p>
            {run.gates.length > 0 && <Ladder gates={run.gates} isSmall />}
          </details>
        </li>
      ))}
    </ul>
  )
}
