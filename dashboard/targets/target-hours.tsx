import { HOUR_MS } from '../../contract/units.ts'
import { counted } from '../format/number.ts'
import { clock } from '../format/time.ts'
import type { TargetResult } from './queries.ts'
import { GOOD_SHARE } from './words.ts'

const HOURS = 24

type Hour = TargetResult['hours'][number]

/** The last 24 hours of a target: amber when under 95 % of its tries found it, red under 50 %, grey without tries. */
export function TargetHours({ hours }: { hours: Hour[] }) {
  const shown = hours.length > 0 ? hours : Array.from({ length: HOURS }, () => ({ found: 0, missing: 0 }))
  const bad = shown.filter(({ missing }) => missing > 0).length
  return (
    <span className="up" role="img" aria-label={`Last 24 hours: not always found in ${bad} of them`}>
      {shown.map((hour, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the key
        <i key={index} className={lookOf(hour)} title={wordsOf(hour, shown.length - 1 - index)} />
      ))}
    </span>
  )
}

function lookOf({ found, missing }: Hour): string {
  const tries = found + missing
  if (tries === 0) return 'z'
  return found < 0.5 * tries ? 'f' : found < GOOD_SHARE * tries ? 'w' : ''
}

/** 14:00: found 312 times, missing 3 times. */
function wordsOf({ found, missing }: Hour, hoursAgo: number): string {
  const hour = clock(new Date((Math.floor(Date.now() / HOUR_MS) - hoursAgo) * HOUR_MS))
  return found + missing === 0
    ? `${hour}: not looked for`
    : `${hour}: found ${counted(found, 'time')}, missing ${counted(missing, 'time')}`
}
