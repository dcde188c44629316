import { quantileOf } from './buckets.ts'
import type { ContentFigures, VersionSum } from './queries.ts'

export interface Figures {
  seen: number
  completed: number
  open: number
  median_seconds: number | null
  p90_seconds: number | null
}

/** What the runs of one version come to. */
export function figuresOf(sums: readonly VersionSum[]): Figures {
  const ended = sums.filter(({ reason }) => reason !== 'seen')
  const completed = ended.filter(({ reason }) => reason === 'completed')
  return {
    seen: runsOf(ended),
    completed: runsOf(completed),
    open: runsOf(ended.filter(({ reason }) => reason === 'open')),
    median_seconds: quantileOf(completed, 0.5),
    p90_seconds: quantileOf(completed, 0.9),
  }
}

export const runsOf = (sums: readonly { runs: number }[]): number => sums.reduce((sum, { runs }) => sum + runs, 0)

/** Runs that were over without being completed, most frequent first; of one step, or of all. */
export function leftOf(sums: readonly VersionSum[], step?: string): { reason: string; runs: number }[] {
  const reasons = new Map<string, number>()
  for (const { reason, runs, step: at } of sums)
    if (!['seen', 'completed', 'open'].includes(reason) && (step === undefined || at === step))
      reasons.set(reason, (reasons.get(reason) ?? 0) + runs)
  return [...reasons].map(([reason, runs]) => ({ reason, runs })).sort((a, b) => b.runs - a.runs)
}

/** By the day on which the runs began, the oldest first. */
export function daysOf(
  figures: readonly ContentFigures[],
  most: number,
): { day: string; seen: number; completed: number }[] {
  const days = new Map<string, { seen: number; completed: number }>()
  for (const { day, runs, completed } of figures) {
    if (day === null) continue
    const before = days.get(day) ?? { seen: 0, completed: 0 }
    days.set(day, { seen: before.seen + runs, completed: before.completed + completed })
  }
  return [...days]
    .map(([day, figures]) => ({ day, ...figures }))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .slice(-most)
}
