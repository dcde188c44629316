import { count } from '../format/number.ts'
import type { TargetResult } from './queries.ts'
import { triesOf } from './words.ts'
import '../styles/targets.css'

/** How often each locator of a target found the element, in the order in which they are tried, and how often none did. */
export function LocatorCounts({ target }: { target: TargetResult }) {
  const tries = triesOf(target)
  return (
    <ol className="locs" aria-label={`Locators of step ${target.number}`}>
      {target.locators.map(({ locator, found }) => (
        <li key={locator}>
          <code className="clip">{locator}</code>
          <span className="n t2">{tries === 0 ? '–' : `${count(found)} found`}</span>
        </li>
      ))}
      {target.missing > 0 && (
        <li>
          <span className="bad-t">None of them</span>
          <span className="n bad-t">{count(target.missing)} missing</span>
        </li>
      )}
    </ol>
  )
}
