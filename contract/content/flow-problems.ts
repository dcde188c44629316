import type { DocumentProblem } from './check.ts'
import type { FlowDocument } from './document.ts'
import { type Way, waysOf } from './ways.ts'

/** What keeps a flow from working: it may be saved like that, and not published. */
export function flowProblems(document: FlowDocument): DocumentProblem[] {
  const ways = waysOf(document)
  return [
    ...unknownSteps(document, ways),
    ...document.steps.flatMap((step, index) => {
      const path = `steps[${index}]`
      return [
        ...(step.type !== 'hidden' && step.blocks.length === 0
          ? [{ path: `${path}.blocks`, message: `the step \`${step.key}\` has no blocks: add one, or remove the step` }]
          : []),
        ...(ways[index]?.length === 0
          ? [
              {
                path,
                message: `the step \`${step.key}\` is a dead end: add a button or an advance that leads on or ends it`,
              },
            ]
          : []),
        ...targetless(step, path),
      ]
    }),
    ...unreachable(document, ways),
    ...endless(document, ways),
  ]
}

function unknownSteps({ steps }: FlowDocument, ways: readonly Way[][]): DocumentProblem[] {
  const known = new Set(steps.map(({ key }) => key))
  return ways.flat().flatMap(({ to, path }) => {
    if (to === null || known.has(to)) return []
    return [{ path, message: `there is no step \`${to}\`; the steps are ${[...known].join(', ')}` }]
  })
}

function targetless(step: FlowDocument['steps'][number], path: string): DocumentProblem[] {
  if (step.type === 'tooltip') return []
  return (step.advance ?? []).flatMap(({ on }, index) =>
    on === 'target_click' || on === 'target_input'
      ? [
          {
            path: `${path}.advance[${index}].on`,
            message: `a ${step.type} step has no target: use a condition or a button`,
          },
        ]
      : [],
  )
}

function unreachable({ steps }: FlowDocument, ways: readonly Way[][]): DocumentProblem[] {
  const numbers = new Map(steps.map(({ key }, index) => [key, index]))
  const reached = new Set([0])
  for (const number of reached)
    for (const { to } of ways[number] ?? []) {
      const next = to === null ? undefined : numbers.get(to)
      if (next !== undefined) reached.add(next)
    }
  return steps.flatMap(({ key }, index) =>
    reached.has(index) ? [] : [{ path: `steps[${index}]`, message: `no way leads to the step \`${key}\`` }],
  )
}

/** A round of hidden steps that wait for nothing would keep the page busy for ever. */
function endless({ steps }: FlowDocument, ways: readonly Way[][]): DocumentProblem[] {
  const numbers = new Map(steps.map(({ key }, index) => [key, index]))
  const next = (index: number) =>
    (ways[index] ?? []).flatMap(({ to, isImmediate }) => (isImmediate && to !== null ? (numbers.get(to) ?? []) : []))
  return steps.flatMap(({ key }, index) =>
    leadsBack(index, next)
      ? [
          {
            path: `steps[${index}]`,
            message: `the step \`${key}\` is in an endless round without a wait: give one of its steps wait_until`,
          },
        ]
      : [],
  )
}

function leadsBack(from: number, next: (index: number) => readonly number[]): boolean {
  const seen = new Set(next(from))
  for (const index of seen) for (const one of next(index)) seen.add(one)
  return seen.has(from)
}
