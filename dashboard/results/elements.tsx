import { useQuery } from '@tanstack/react-query'
import { useContent } from '../content/use-draft.ts'
import { percent } from '../format/number.ts'
import { Panel } from '../parts/panel.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { LocatorCounts } from '../targets/locator-counts.tsx'
import { type TargetResult, targetsQuery } from '../targets/queries.ts'
import { TargetHours } from '../targets/target-hours.tsx'
import { locatorWords, stateOf, triesOf } from '../targets/words.ts'

const STATES = {
  found: { tone: 'ok', shape: 'full', word: 'Found' },
  seldom: { tone: 'warn', shape: 'half', word: 'Not always' },
  missing: { tone: 'bad', shape: 'cross', word: 'Missing' },
  unknown: { tone: 'mute', shape: 'dashed', word: 'Not looked for' },
} as const

/** How often pages found the elements of a version, and by which locator. Not loaded yet, it takes no place. */
export function Elements({ version }: { version: number }) {
  const { slug } = useEnvironment()
  const { detail } = useContent()
  const { data } = useQuery(targetsQuery(slug, detail.id, version))
  if (!data || data.data.length === 0) return null
  return (
    <Panel title="Elements" end="Found, of all tries in 24 hours" className="mt-16">
      <ul className="elements">
        {data.data.map((target) => (
          <Element key={target.step} target={target} />
        ))}
      </ul>
    </Panel>
  )
}

function Element({ target }: { target: TargetResult }) {
  const { tone, shape, word } = STATES[stateOf(target)]
  const tries = triesOf(target)
  return (
    <li>
      <State tone={tone} shape={shape}>
        {word}
      </State>
      <div className="min-w-0">
        <p>
          {target.number > 0 && `Step ${target.number} `}
          <span dir="auto">{target.title}</span>
        </p>
        <p className="t2 s12">
          {locatorWords(target)}
          {target.missing_since !== null && (
            <>
              {' '}
              Missing since <Time plain at={target.missing_since} />.
            </>
          )}
        </p>
        <LocatorCounts target={target} />
      </div>
      <TargetHours hours={target.hours} />
      <b className="n">{tries === 0 ? '–' : percent(tries - target.missing, tries)}</b>
    </li>
  )
}
