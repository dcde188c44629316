import type { Bench } from '../bench.ts'
import type { Comparison } from '../compare.ts'

/** One line of the table. */
export interface Row {
  /** For `--only`. */
  name: string
  work: string
  target: Target
  /** Only with `--full`. */
  full?: boolean
  /** Its comparison is with a bare Fastify at 64 connections. */
  againstBare?: boolean
  /** Its server holds the streams of thousands of pages. Their memory has a row of its own. */
  holdsStreams?: boolean
  measure(bench: Bench, earlier: readonly Result[]): Promise<Measured>
}

/** `least` and `most` are in `unit`; a ratio has none. */
export type Target = ({ least: number } | { most: number }) & { unit?: string }

export interface Measured {
  /** The measured value. NaN when it could not be measured; the note says why. */
  value: number
  comparison?: Comparison
  note?: string
}

export interface Result extends Measured {
  row: Row
  peakMegabytes: number
}

export type Verdict = 'met' | 'not met' | 'not measured'

export function verdict({ row: { target }, value, comparison }: Result): Verdict {
  if (Number.isNaN(value)) return 'not measured'
  if (comparison && comparison.ours.failures > 0) return 'not met'
  return ('least' in target ? value >= target.least : value <= target.most) ? 'met' : 'not met'
}

export function notMeasured(note: string): Measured {
  return { value: Number.NaN, note }
}
