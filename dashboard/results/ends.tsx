import { count } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { Panel } from '../parts/panel.tsx'
import { FigureLink } from './figure-link.tsx'
import type { Results } from './queries.ts'
import { Share } from './share.tsx'
import { reasonWords } from './words.ts'

/** Why runs of a content without steps ended without being completed: its funnel. */
export function Ends({ results: { left, seen } }: { results: Results }) {
  return (
    <Panel title="Ended without being completed" end="Runs, each counted once" className="mt-16">
      <ul className="choices">
        {left.map(({ reason, runs }) => (
          <Share key={reason} label={reasonWords(reason)} times={runs} all={seen} isSaid={seen >= LEAST_RUNS}>
            <FigureLink className="n" filter={{ of: 'left', reason }}>
              {count(runs)}
            </FigureLink>
          </Share>
        ))}
      </ul>
    </Panel>
  )
}
