import type { Series } from '../../contract/dashboard/fields.ts'
import type { StepCount } from './read.ts'

/** Equal steps of time up to now; the last one is not over. */
export interface Span {
  from: number
  stepMs: number
  length: number
}

export function spanOf(stepSeconds: number, length: number, now = Date.now()): Span {
  const stepMs = stepSeconds * 1000
  return { from: (Math.floor(now / stepMs) - length + 1) * stepMs, stepMs, length }
}

/** Counts put into the steps of a span. What is outside of it is left out. */
export function seriesOf({ from, stepMs, length }: Span, rows: readonly Pick<StepCount, 'at' | 'count'>[]): Series {
  const values = new Array<number>(length).fill(0)
  for (const { at, count } of rows) {
    const index = Math.floor((Date.parse(at) - from) / stepMs)
    if (index >= 0 && index < length) values[index] = (values[index] as number) + count
  }
  return { from: new Date(from).toISOString(), step_seconds: stepMs / 1000, values }
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
