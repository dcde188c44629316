import { Popover } from '@base-ui/react/popover'
import { activity, clock, day, exact, fact, utc } from '../format/time.ts'
import { CopyId } from './copy.tsx'
import { useNow } from './now.ts'

type Props = {
  at: string
  /** fact: 12 Nov, 14:02. activity: 2 min ago. */
  as?: 'fact' | 'activity' | 'day' | 'clock' | 'minute' | 'seconds' | 'milliseconds'
  /** Without the card: inside of a link, which cannot hold a button. */
  plain?: boolean
}

/** Every time on a page. Hover, focus or a tap shows local with zone, UTC, and ISO 8601 to copy. */
export function Time({ at, as = 'fact', plain }: Props) {
  const date = new Date(at)
  const now = useNow(as === 'activity' ? 15_000 : undefined)
  const text = shown(date, now, as)
  if (plain)
    return (
      <time dateTime={at} title={exact(date)}>
        {text}
      </time>
    )
  return (
    <Popover.Root>
      <Popover.Trigger className="time" openOnHover delay={300} nativeButton render={<button type="button" />}>
        <time dateTime={at}>{text}</time>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="layer" sideOffset={6} side="top">
          <Popover.Popup className="hint times" initialFocus={false} aria-label="Exact time">
            <Exact date={date} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Exact({ date }: { date: Date }) {
  return (
    <dl>
      <dt>Local</dt>
      <dd>{exact(date)}</dd>
      <dt>UTC</dt>
      <dd>{utc(date)}</dd>
      <dt>ISO</dt>
      <dd>
        <CopyId value={date.toISOString()} />
      </dd>
    </dl>
  )
}

function shown(at: Date, now: Date, as: NonNullable<Props['as']>): string {
  if (as === 'activity') return activity(at, now)
  if (as === 'day') return day(at, now)
  if (as === 'clock') return clock(at, 'seconds')
  if (as === 'minute') return clock(at)
  if (as === 'seconds' || as === 'milliseconds') return fact(at, now, as)
  return fact(at, now)
}
