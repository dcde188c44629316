import { Select } from '../parts/select.tsx'

const UNITS = [
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
  { value: 'w', label: 'weeks' },
]

type Props = { value: string; onChange: (value: string) => void }

/** A number and its unit. */
export function DurationFields({ value, onChange }: Props) {
  const [, figure = '', unit = 'd'] = /^(\d*)([smhdw]?)$/.exec(value) ?? []
  const units = unit === 's' ? [{ value: 's', label: 'seconds' }, ...UNITS] : UNITS
  return (
    <div className="given">
      <input
        className="input num-in"
        aria-label="How many"
        inputMode="numeric"
        value={figure}
        onChange={(event) => onChange(`${event.target.value.replace(/\D/g, '')}${unit || 'd'}`)}
      />
      <Select label="Unit" value={unit || 'd'} options={units} onChange={(next) => onChange(`${figure}${next}`)} />
    </div>
  )
}
