import { HOUR_MS } from '../../contract/units.ts'
import { count } from '../format/number.ts'
import { clock } from '../format/time.ts'

export type Hour = { delivered: number; failed: number }

/** The last 24 hours, an hour each: grey without attempts, amber when some failed, red when most did. */
export function HourBlocks({ hours }: { hours: Hour[] }) {
  const failing = hours.filter((hour) => hour.failed > 0).length
  return (
    <span className="up" role="img" aria-label={`Last 24 hours: failures in ${failing} of them`}>
      {hours.map((hour, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the key
        <i key={index} className={lookOf(hour)} title={wordsOf(hour, hours.length - 1 - index)} />
      ))}
    </span>
  )
}

function lookOf({ delivered, failed }: Hour): string {
  if (delivered + failed === 0) return 'z'
  if (failed === 0) return ''
  return failed > delivered ? 'f' : 'w'
}

/** 14:00: 312 delivered, 3 failed. */
function wordsOf({ delivered, failed }: Hour, hoursAgo: number): string {
  const hour = clock(new Date((Math.floor(Date.now() / HOUR_MS) - hoursAgo) * HOUR_MS))
  return delivered + failed === 0
    ? `${hour}: nothing was sent`
    : `${hour}: ${count(delivered)} delivered, ${count(failed)} failed`
}
