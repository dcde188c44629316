import { KindGlyph } from '../content/kinds.tsx'
import { count, percent } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import type { IconName } from '../parts/icon.tsx'
import { Panel } from '../parts/panel.tsx'
import { FigureLink } from './figure-link.tsx'
import type { Results, StepResult } from './queries.ts'
import { reasonWords } from './words.ts'

/** How far runs came: one row for each step, with who went on and who left there, and why. */
export function Funnel({ results }: { results: Results }) {
  const { steps, seen, completed } = results
  return (
    <Panel title="Where people left" end="Runs, each counted once">
      <ul className="funnel">
        <li className="fh" aria-hidden="true">
          <span>Step</span>
          <span />
          <span className="n">Reached</span>
          <span className="n">of all</span>
          <span>Left here</span>
        </li>
        {steps.map((step, index) => (
          <FunnelRow key={step.key} step={step} number={index + 1} all={seen} />
        ))}
        <li>
          <span className="fn">
            <KindGlyph icon="flag" />
            <b>Completed</b>
          </span>
          <Bar went={completed} left={0} all={seen} />
          <b className="n">
            <FigureLink filter={{ of: 'completed' }}>{count(completed)}</FigureLink>
          </b>
          <span className="n t2">{seen >= LEAST_RUNS ? percent(completed, seen) : '–'}</span>
          <span />
        </li>
      </ul>
    </Panel>
  )
}

/** Branches are indented, as in the list of steps. */
const DEPTHS = ['fn', 'fn in-1', 'fn in-2']

function FunnelRow({ step, number, all }: { step: StepResult; number: number; all: number }) {
  const left = step.left.reduce((sum, { runs }) => sum + runs, 0)
  return (
    <li>
      <span className={DEPTHS[step.depth]}>
        <KindGlyph icon={step.type as IconName} />
        <span className="clip">
          <span className="t2">{number}</span> <span dir="auto">{step.title}</span>
        </span>
      </span>
      <Bar went={Math.max(0, step.reached - left)} left={left} all={all} />
      <span className="n">
        <FigureLink filter={{ of: 'reached', step: step.key }}>{count(step.reached)}</FigureLink>
      </span>
      <span className="n t2">{all >= LEAST_RUNS ? percent(step.reached, all) : '–'}</span>
      <span className="why2">
        {left > 0 && (
          <b>
            <FigureLink filter={{ of: 'left', step: step.key }}>{count(left)}</FigureLink>
          </b>
        )}
        {step.left.map(({ reason, runs }) => (
          <span key={reason} className={reason === 'target_missing' ? 'bad-t' : ''}>
            {' '}
            ·{' '}
            <FigureLink filter={{ of: 'left', step: step.key, reason }}>
              {count(runs)} {reasonWords(reason)}
            </FigureLink>
          </span>
        ))}
      </span>
    </li>
  )
}

function Bar({ went, left, all }: { went: number; left: number; all: number }) {
  const width = (part: number) => ({ width: `${all === 0 ? 0 : (100 * part) / all}%` })
  return (
    <span className="fb" aria-hidden="true">
      <i style={width(went)} />
      <i className="off" style={width(left)} />
    </span>
  )
}
