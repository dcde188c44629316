import type { Count } from '../conditions/queries.ts'
import { matchWords } from '../conditions/shown-count.ts'
import { count, counted, percent } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { missedWords } from '../targets/missed-words.ts'
import type { CountedRun, Results, RunFilter } from './queries.ts'

const REASONS: Readonly<Record<string, string>> = {
  close_button: 'closed it',
  escape: 'closed it with Esc',
  backdrop: 'clicked beside it',
  button: 'chose to end it',
  advance: 'took a way that ends',
  timeout: 'waited too long',
  target_missing: 'found no element',
  replaced: 'started something else',
  unpublished: 'it was taken down',
  left: 'left the page',
}

export const reasonWords = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ')

export interface ResultsVerdict {
  level: 'ok' | 'warn' | 'mute'
  title: string
  sub: string
}

/** What the figures come to, before the figures. An element that is missing is part of it: it explains them. */
export function resultsVerdict(results: Results, matching?: Count): ResultsVerdict {
  const verdict = figuresVerdict(results, matching)
  if (!results.missed) return verdict
  return { ...verdict, level: 'warn', sub: `${verdict.sub} ${missedWords(results.missed)}` }
}

function figuresVerdict({ number, seen, completed, steps }: Results, matching: Count | undefined): ResultsVerdict {
  if (seen === 0)
    return {
      level: 'mute',
      title: `Nobody has seen version ${number} yet.`,
      sub: matching ? `${matchWords(matching)} now.` : 'Runs count from the moment that it is shown.',
    }
  if (seen < LEAST_RUNS)
    return {
      level: 'mute',
      title: 'Too few to say.',
      sub: `${counted(seen, 'run')} so far; shares say something from ${LEAST_RUNS} on.`,
    }
  const worst = [...steps.entries()]
    .map(([index, step]) => ({ index, left: step.left.reduce((sum, { runs }) => sum + runs, 0) }))
    .sort((a, b) => b.left - a.left)[0]
  const all = steps.reduce((sum, { left }) => sum + left.reduce((one, { runs }) => one + runs, 0), 0)
  const title = `${percent(completed, seen)} finish it.`
  if (!worst || worst.left === 0) return { level: 'ok', title, sub: `${counted(seen, 'run')} of version ${number}.` }
  const missing = steps[worst.index]?.left.find(({ reason }) => reason === 'target_missing')
  return {
    level: missing ? 'warn' : 'ok',
    title: `${title} Most who leave, leave at step ${worst.index + 1}.`,
    sub: `${count(worst.left)} of ${count(all)} left there.${missing ? ` ${count(missing.runs)} of them found no element.` : ''}`,
  }
}

/** Promoters (9, 10) less detractors (0 to 6), in per cent of all. */
export function npsOf(counts: readonly number[]): { score: number; shares: [number, number, number] } {
  const sum = (from: number, to: number) => counts.slice(from, to + 1).reduce((all, one) => all + one, 0)
  const [detractors, passives, promoters] = [sum(0, 6), sum(7, 8), sum(9, 10)]
  const all = detractors + passives + promoters
  const share = (part: number) => (all === 0 ? 0 : (100 * part) / all)
  return {
    score: Math.round(share(promoters) - share(detractors)),
    shares: [share(promoters), share(passives), share(detractors)],
  }
}

/** `+36`: with its sign. Of too few answers a score says nothing. */
export function npsWords({ counts, answers }: { counts: readonly number[]; answers: number }): string {
  const { score } = npsOf(counts)
  return answers < LEAST_RUNS ? '–' : `${score > 0 ? '+' : score < 0 ? '−' : ''}${Math.abs(score)}`
}

/** What the users of a list have in common: `Left at step 4: closed it`. */
export function filterWords({ of, step, reason, question, value }: RunFilter, results: Results): string {
  switch (of) {
    case 'seen':
      return 'Saw it'
    case 'completed':
      return 'Completed it'
    case 'open':
      return 'Open now'
    case 'left':
      return `Left${step ? ` at ${stepWords(step, results)}` : ''}${reason ? `: ${reasonWords(reason)}` : ''}`
    case 'reached':
      return results.tasks.some(({ key }) => key === step)
        ? `Completed “${results.tasks.find(({ key }) => key === step)?.name}”`
        : `Reached ${stepWords(step ?? '', results)}`
    case 'answered':
      return `Answered ${value ? `“${value}”` : ''} to “${labelOf(question ?? '', results)}”`.replace('  ', ' ')
  }
}

function stepWords(key: string, { steps }: Results): string {
  const index = steps.findIndex((step) => step.key === key)
  return index < 0 ? key : `step ${index + 1}`
}

const labelOf = (key: string, { questions }: Results) => questions.find((one) => one.key === key)?.label ?? key

/** How a run went. */
export function runWords({ completed_at, ended_at, end_reason }: CountedRun): string {
  if (completed_at !== null) return 'completed it'
  return ended_at === null ? 'is in it' : reasonWords(end_reason ?? 'left')
}
