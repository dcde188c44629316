import { useQuery } from '@tanstack/react-query'
import { isEqual } from '../../contract/content/differences.ts'
import { stabilityOf } from '../../contract/content/stability.ts'
import { useContent } from '../content/use-draft.ts'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { LocatorCounts } from '../targets/locator-counts.tsx'
import { targetsQuery } from '../targets/queries.ts'
import { TargetHours } from '../targets/target-hours.tsx'
import { foundWords, locatorWords, STABILITY, triesOf } from '../targets/words.ts'

/** The key of the step; a launcher has none. */
type Props = { step: string | undefined; locators: readonly string[] }

/** How often pages found the element of a step with these locators. Pages never get a draft: what is new nobody has looked for. */
export function TargetHealth({ step, locators }: Props) {
  const { slug } = useEnvironment()
  const { detail } = useContent()
  const { data } = useQuery({ ...targetsQuery(slug, detail.id), enabled: detail.published !== null })
  const target = data?.data.find((one) => one.step === step)
  const isLive =
    target &&
    isEqual(
      target.locators.map(({ locator }) => locator),
      [...locators],
    )
  if (!isLive) return <Stability locator={locators[0] ?? ''} isNew={step !== undefined} />
  return (
    <div className="health">
      <p>
        <b>{foundWords(target)}</b>{' '}
        {target.missing_since !== null && (
          <span className="bad-t">
            Missing since <Time plain at={target.missing_since} />.{' '}
          </span>
        )}
        {locatorWords(target)}
      </p>
      <TargetHours hours={target.hours} />
      <p className="ago" aria-hidden="true">
        <span>24 h ago</span>
        <span>now</span>
      </p>
      {triesOf(target) > 0 && <LocatorCounts target={target} />}
    </div>
  )
}

function Stability({ locator, isNew }: { locator: string; isNew: boolean }) {
  const { level, words } = stabilityOf(locator)
  return (
    <p className="health">
      <b>{STABILITY[level]}</b>: {words}. The first that gives exactly one visible element counts.
      {isNew && ' In the draft: pages have not looked for it yet.'}
    </p>
  )
}
