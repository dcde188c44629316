import type { Action, EndKind } from '../../../contract/content/document.ts'
import type {
  RenderedAdvance,
  RenderedCondition,
  RenderedFlow,
  RenderedStep,
} from '../../../contract/content/rendered.ts'

/** Where a flow goes: to a step, or to its end. */
export type Way = { to: RenderedStep } | { end: EndKind }

export function stepOf(flow: RenderedFlow, key: string | null): RenderedStep | undefined {
  return flow.steps.find((step) => step.key === key)
}

/** The following step of the list. The last step's `next` completes. */
export function nextWay(flow: RenderedFlow, step: RenderedStep): Way {
  const next = flow.steps[flow.steps.indexOf(step) + 1]
  return next ? { to: next } : { end: 'completed' }
}

/** The step before, among those that were shown. */
function previousWay(flow: RenderedFlow, seen: readonly string[]): Way | null {
  const step = stepOf(flow, seen.at(-1) ?? null)
  return step ? { to: step } : null
}

/** Where the first of these actions that leads somewhere leads. Null: the flow stays. */
export function wayOfActions(
  flow: RenderedFlow,
  step: RenderedStep,
  seen: readonly string[],
  actions: readonly Action[],
): Way | null {
  for (const action of actions) {
    if ('next' in action) return nextWay(flow, step)
    if ('previous' in action) return previousWay(flow, seen)
    if ('end' in action) return { end: action.end }
    if ('go_to' in action) {
      const to = stepOf(flow, action.go_to)
      return to ? { to } : null
    }
  }
  return null
}

/** Where the first advance that holds leads. `happened` are clicks and inputs at the target since the step was entered. */
export function wayOfAdvances(
  flow: RenderedFlow,
  step: RenderedStep,
  happened: ReadonlySet<'target_click' | 'target_input'>,
  holds: (condition: RenderedCondition) => boolean,
): Way | null {
  // A hidden step takes one of its ways only when what it waits for is so.
  if (step.wait_until && !holds(step.wait_until)) return null
  const way = step.advance.find((advance) => isMet(advance, happened, holds))
  if (!way) return null
  if (way.end) return { end: way.end }
  const to = way.to === null ? undefined : stepOf(flow, way.to)
  return to ? { to } : nextWay(flow, step)
}

function isMet(
  advance: RenderedAdvance,
  happened: ReadonlySet<string>,
  holds: (condition: RenderedCondition) => boolean,
): boolean {
  if (advance.on === 'otherwise') return true
  return advance.on === 'condition' ? holds(advance.condition) : happened.has(advance.on)
}
