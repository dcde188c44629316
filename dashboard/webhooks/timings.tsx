import { duration } from '../format/duration.ts'
import { percent } from '../format/number.ts'
import type { Attempt } from './queries.ts'

const STEPS: { field: 'name_ms' | 'connect_ms' | 'tls_ms' | 'first_byte_ms'; label: string }[] = [
  { field: 'name_ms', label: 'Name' },
  { field: 'connect_ms', label: 'Connect' },
  { field: 'tls_ms', label: 'TLS' },
  { field: 'first_byte_ms', label: 'First byte' },
]

/** Milliseconds of each step. The first byte is measured from the start of the attempt, so the steps before it are subtracted. */
function stepsOf(attempt: Pick<Attempt, (typeof STEPS)[number]['field']>): (number | null)[] {
  let begun = 0
  return STEPS.map(({ field }) => {
    const measured = attempt[field]
    const took = measured !== null && field === 'first_byte_ms' ? Math.max(0, measured - begun) : measured
    begun += took ?? 0
    return took
  })
}

/** Where the time of an attempt went, as a waterfall. */
export function Timings({ attempt }: { attempt: Attempt }) {
  const failed = attempt.status === null || attempt.status >= 300
  const steps = stepsOf(attempt)
  return (
    <ul className="wf">
      {STEPS.map(({ field, label }, index) => {
        const took = steps[index] ?? null
        const from = steps.slice(0, index).reduce<number>((sum, step) => sum + (step ?? 0), 0)
        const main = field === 'first_byte_ms'
        return (
          <li key={field}>
            <span className="t2">{label}</span>
            <span className="track" aria-hidden="true">
              {took !== null && (
                <i className={main ? (failed ? 'main' : 'own') : ''} style={place(from, took, attempt.total_ms)} />
              )}
            </span>
            <span className="n">{took === null ? '–' : duration(took)}</span>
          </li>
        )
      })}
      <li className="total">
        <span>Total</span>
        <span className="t2 light">{yours(steps.at(-1) ?? null, attempt.total_ms)}</span>
        <span className="n">{duration(attempt.total_ms)}</span>
      </li>
    </ul>
  )
}

function place(from: number, took: number, total: number) {
  const whole = Math.max(total, from + took, 0.001)
  return { left: `${(100 * from) / whole}%`, width: `${(100 * took) / whole}%` }
}

function yours(wait: number | null, total: number): string {
  return wait === null || total <= 0 ? '' : `${percent(Math.min(wait, total), total)} of the time was your server`
}
