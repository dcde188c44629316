import { count } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { Panel } from '../parts/panel.tsx'
import { FigureLink } from './figure-link.tsx'
import type { Results } from './queries.ts'
import { Share } from './share.tsx'

/** In how many runs of a checklist each task was completed, in the order of the list. */
export function Tasks({ results: { tasks, seen } }: { results: Results }) {
  return (
    <Panel title="What was done" end="Runs, each counted once">
      <ul className="choices">
        {tasks.map(({ key, name, completed }) => (
          <Share key={key} label={name} times={completed} all={seen} isSaid={seen >= LEAST_RUNS}>
            <FigureLink className="n" filter={{ of: 'reached', step: key }}>
              {count(completed)}
            </FigureLink>
          </Share>
        ))}
      </ul>
    </Panel>
  )
}
