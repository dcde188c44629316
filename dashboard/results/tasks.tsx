import { count, percent } from '../format/number.ts'
import { Panel } from '../parts/panel.tsx'
import { FigureLink } from './figure-link.tsx'
import type { Results } from './queries.ts'
import { LEAST_RUNS } from './words.ts'

/** In how many runs of a checklist each task was completed, in the order of the list. */
export function Tasks({ results: { tasks, seen } }: { results: Results }) {
  return (
    <Panel title="What was done" end="Runs, each counted once">
      <ul className="choices">
        {tasks.map(({ key, name, completed }) => (
          <li key={key}>
            <span className="clip" dir="auto">
              {name}
            </span>
            <FigureLink className="n" filter={{ of: 'reached', step: key }}>
              {count(completed)}
            </FigureLink>
            <span className="n t2">{seen >= LEAST_RUNS ? percent(completed, seen) : '–'}</span>
            <span className="meter" aria-hidden="true">
              <i style={{ width: `${seen === 0 ? 0 : (100 * completed) / seen}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
