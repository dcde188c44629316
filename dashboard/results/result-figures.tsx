import type { Count } from '../conditions/queries.ts'
import { matchWords } from '../conditions/shown-count.ts'
import { whole } from '../format/duration.ts'
import { count, counted, percent, percentFigure, THIN_SPACE } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { Figure, Figures } from '../parts/figures.tsx'
import { FigureLink } from './figure-link.tsx'
import type { Results } from './queries.ts'
import { npsWords } from './words.ts'

type Props = {
  results: Results
  /** How many users match now; undefined where nobody counts. */
  matching: Count | undefined
}

/** What the runs of a version come to. */
export function ResultFigures({ results, matching }: Props) {
  const { seen, completed, open, median_seconds, p90_seconds, against } = results
  const nps = results.questions.find(({ kind }) => kind === 'nps')
  const says = seen >= LEAST_RUNS
  return (
    <Figures>
      <Figure
        label="Runs"
        figure={<FigureLink filter={{ of: 'seen' }}>{count(seen)}</FigureLink>}
        note={matching ? `${matchWords(matching)} now` : 'Each counted once'}
      />
      <Figure
        label="Completed"
        figure={
          <FigureLink filter={{ of: 'completed' }}>
            {says ? percentFigure(completed, seen) : count(completed)}
          </FigureLink>
        }
        {...(says ? { unit: `${THIN_SPACE}%` } : {})}
        note={
          says
            ? `${counted(completed, 'run')}${against && against.seen >= LEAST_RUNS ? `; version ${against.number} had ${percent(against.completed, against.seen)}` : ''}`
            : 'Too few for a share'
        }
      />
      <Figure
        label="Median time"
        figure={median_seconds === null ? '–' : whole(median_seconds * 1000)}
        note={p90_seconds === null ? 'Nobody has completed it' : `9 of 10 within ${whole(p90_seconds * 1000)}`}
      />
      {nps && (
        <Figure
          label="NPS"
          figure={<FigureLink filter={{ of: 'answered', question: nps.key }}>{npsWords(nps)}</FigureLink>}
          note={`${counted(nps.answers, 'answer')}${nps.answers < LEAST_RUNS ? ', too few to say' : ''}`}
        />
      )}
      <Figure
        label="Open now"
        figure={<FigureLink filter={{ of: 'open' }}>{count(open)}</FigureLink>}
        note="Begun, and not over"
      />
    </Figures>
  )
}
