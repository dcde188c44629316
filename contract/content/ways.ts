import type { Action, Advance, FlowDocument, Step } from './document.ts'

/** A way out of a step: to another step by its key, or to the end of the flow. */
export interface Way {
  to: string | null
  path: string
  /** Taken without anybody doing anything, and without waiting for anything. */
  isImmediate: boolean
}

/** The ways out of each step, with the path of what leads there. Going back is no way: it was there before. */
export function waysOf({ steps }: FlowDocument): Way[][] {
  return steps.map((step, index) => {
    const path = `steps[${index}]`
    const following = steps[index + 1]?.key ?? null
    const ways = (step.advance ?? []).map((way, number) =>
      advanceWay(step, way, following, `${path}.advance[${number}]`),
    )
    if (step.timeout) ways.push({ to: step.timeout.to, path: `${path}.timeout.to`, isImmediate: false })
    if (step.type === 'hidden') return ways
    if (step.type === 'tooltip' && step.target.on_missing === 'skip')
      ways.push({ to: following, path: `${path}.target.on_missing`, isImmediate: false })
    const buttons = (step.buttons ?? []).flatMap((button, number) =>
      actionWays(button.do, following, `${path}.buttons[${number}].do`),
    )
    return [...ways, ...buttons]
  })
}

function advanceWay(step: Step, { to, end, on }: Advance, following: string | null, path: string): Way {
  const isImmediate =
    step.type === 'hidden' && step.wait_until === undefined && on !== 'target_click' && on !== 'target_input'
  return { to: end ? null : (to ?? following), path: to === undefined ? path : `${path}.to`, isImmediate }
}

function actionWays(actions: readonly Action[], following: string | null, path: string): Way[] {
  return actions.flatMap((action, index): Way[] => {
    if ('next' in action) return [{ to: following, path: `${path}[${index}].next`, isImmediate: false }]
    if ('go_to' in action) return [{ to: action.go_to, path: `${path}[${index}].go_to`, isImmediate: false }]
    if ('end' in action || 'start' in action) return [{ to: null, path: `${path}[${index}]`, isImmediate: false }]
    return []
  })
}
