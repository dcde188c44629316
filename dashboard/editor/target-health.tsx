import { stabilityOf } from '../../contract/content/stability.ts'
import { Time } from '../parts/time.tsx'
import { LocatorCounts } from '../targets/locator-counts.tsx'
import { TargetHours } from '../targets/target-hours.tsx'
import { foundWords, locatorWords, STABILITY, triesOf } from '../targets/words.ts'
import { useLiveTarget } from './use-live-target.ts'

/** The key of the step; a launcher has none. */
type Props = { step: string | undefined; locators: readonly string[] }

/** How often pages found the element of a step with these locators. Pages never get a draft: what is new nobody has looked for. */
export function TargetHealth({ step, locators }: Props) {
  const target = useLiveTarget(step, locators)
  if (!target) return <Stability locator={locators[0] ?? ''} isNew={step !== undefined} />
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
