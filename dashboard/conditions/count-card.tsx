import { count, counted as numbered } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { Meter } from '../parts/meter.tsx'
import { Time } from '../parts/time.tsx'
import type { Scope } from './queries.ts'
import { shownCount } from './shown-count.ts'
import type { LiveCount } from './use-count.ts'
import '../styles/studio.css'

type Props = { live: LiveCount; scope: Scope; before?: number | undefined; seen?: LiveCount }

/** How many match now. `before`: how many the live version matches. `seen`: those of them whom a page has seen lately. */
export function CountCard({ live, scope, before, seen }: Props) {
  const { asked, counted, isOld, error, isCounting, again } = live
  if (error)
    return (
      <div className="count-card" role="status">
        <p className="bad-t">The count did not finish: {error.message} The rule is kept.</p>
        <Button icon="retry" busy={isCounting && 'Counting…'} onClick={again}>
          Try again
        </Button>
      </div>
    )
  if (asked === undefined)
    return (
      <div className="count-card" role="status">
        <p className="fig-n">
          All <small>{scope}s match, since there is no rule</small>
        </p>
      </div>
    )
  return (
    <div className="count-card" role="status">
      <p className={isOld ? 'fig-n old' : 'fig-n'}>
        {counted ? shownCount(counted) : '–'}{' '}
        <small>{counted && `of ${numbered(counted.total, scope)} ${counted.count === 1 ? 'matches' : 'match'}`}</small>
      </p>
      <Meter share={counted ? counted.count / Math.max(1, counted.total) : 0} label="Share that matches" />
      <p className="t2 s12">
        {counted && (
          <>
            Counted <Time at={counted.at} /> in {count(counted.took_ms)} ms.{' '}
            {counted.exact || `In 95 of 100 cases it is within ${count(counted.margin ?? 0)} of this.`}{' '}
            {before !== undefined && difference(counted.count - before)}{' '}
            {seen?.counted &&
              !seen.isOld &&
              `${shownCount(seen.counted)} of them ${seen.counted.count === 1 ? 'was' : 'were'} seen within 7 days.`}
          </>
        )}
      </p>
      {counted?.warnings.map((warning) => (
        <p key={warning} className="warn-t s12">
          {warning}
        </p>
      ))}
    </div>
  )
}

function difference(by: number): string {
  if (by === 0) return 'As many as with the version that is live.'
  return `${count(Math.abs(by))} ${by > 0 ? 'more' : 'fewer'} than with the version that is live.`
}
