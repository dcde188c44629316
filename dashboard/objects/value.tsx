import type { AttributeValue } from '../../contract/attributes.ts'
import { Absent } from '../parts/facts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'

type Props = { value: AttributeValue | undefined; type?: string | undefined; name?: string; plain?: boolean }

/** A value as it is stored; a date-time in local time, the exact one on hover. */
export function Value({ value, type, name, plain }: Props) {
  if (value === undefined || value === '') return value === '' ? <span className="t3">empty text</span> : <Absent />
  if (typeof value === 'boolean') return <Switch on={value} />
  if (type === 'datetime' && !Number.isNaN(Date.parse(String(value)))) {
    return <Time at={String(value)} as={name === 'last_seen_at' ? 'activity' : 'fact'} plain={plain ?? false} />
  }
  return (
    <span className={typeof value === 'number' ? 'num' : undefined} dir="auto">
      {String(value)}
    </span>
  )
}

const Switch = ({ on }: { on: boolean }) => (
  <span className="yes">
    {on && <Icon name="check" />}
    {String(on)}
  </span>
)
