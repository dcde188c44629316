import type { Advance, FlowDocument } from './document.ts'
import { waysOf } from './ways.ts'

/** How the ways of hidden steps are drawn in lists of steps. */
export interface Branches {
  /** The ways that begin at a step, which is drawn below them. */
  starts: ReadonlyMap<number, readonly Advance[]>
  /** How far a step is indented: 0, 1 or 2. */
  depths: readonly number[]
  /** Steps where ways come together again. */
  joins: ReadonlySet<number>
}

const MOST_DEPTH = 2

/** A hidden step whose ways lead to the steps right behind it has these indented, until the step where they come together. */
export function branchesOf(flow: FlowDocument): Branches {
  const starts = new Map<number, Advance[]>()
  const depths = flow.steps.map(() => 0)
  const joins = new Set<number>()
  const leads = waysOf(flow).map((ways) =>
    ways.flatMap(({ to }) => (to === null ? [] : [flow.steps.findIndex(({ key }) => key === to)])),
  )
  for (const [index, step] of flow.steps.entries()) {
    if (step.type !== 'hidden') continue
    const goals = step.advance.map((way) => goalOf(flow, index, way))
    const join = joinOf(index, goals, leads)
    if (join === undefined) continue
    for (let at = index + 1; at < join; at++) depths[at] = Math.min(MOST_DEPTH, (depths[at] ?? 0) + 1)
    if (join < flow.steps.length) joins.add(join)
    for (const [number, way] of step.advance.entries()) {
      const goal = goals[number] as number
      if (goal > index && goal < join) starts.set(goal, [...(starts.get(goal) ?? []), way])
    }
  }
  return { starts, depths, joins }
}

/** -1: it ends the flow, or leads nowhere. */
function goalOf({ steps }: FlowDocument, index: number, { to, end }: Advance): number {
  if (end) return -1
  return to === undefined ? index + 1 : steps.findIndex(({ key }) => key === to)
}

/** The step behind all branches; undefined when there are no branches right behind the hidden step. */
function joinOf(index: number, goals: readonly number[], leads: readonly number[][]): number | undefined {
  const later = [...new Set(goals.filter((goal) => goal > index))].sort((a, b) => a - b)
  const last = later.at(-1)
  if (later.length < 2 || later[0] !== index + 1 || last === undefined) return undefined
  const before = leads.slice(index + 1, last).flat()
  // Where an earlier branch leads to is no branch of its own.
  if (before.includes(last)) return last
  const beyond = before.filter((goal) => goal > last)
  return beyond.length > 0 ? Math.min(...beyond) : last + 1
}
