import { contentName, type Names } from '../../contract/conditions/sentence.ts'
import { conditionWords } from '../../contract/content/differences.ts'
import type { Action, Advance, Block, ContentDocument, FlowDocument, Step } from '../../contract/content/document.ts'

/** The second line of a step in the storyline. */
export function aboutOf(step: Step, names: Names): string {
  if (step.type === 'hidden') {
    // A step without a name is called by what it waits for.
    return step.name && step.wait_until ? `Hidden, until ${conditionWords(step.wait_until, names)}` : 'Hidden'
  }
  const question = step.blocks.some((block) => 'question' in block) ? ', question' : ''
  if (step.type === 'dialog') return `Dialog${question}`
  return `Tooltip on ${step.target.locators[0] ?? 'no element yet'}${question}`
}

export const numberOf = ({ steps }: FlowDocument, key: string | undefined): number =>
  steps.findIndex((step) => step.key === key) + 1

/** `step 3`, or the key when there is no such step. */
export function stepWords(document: ContentDocument, key: string): string {
  const number = document.type === 'flow' ? numberOf(document, key) : 0
  return number === 0 ? `no step (${key || 'none chosen'})` : `step ${number}`
}

function actionWords(action: Action, document: ContentDocument, names: Names): string {
  if ('next' in action) return 'go on'
  if ('previous' in action) return 'go back'
  if ('go_to' in action) return `go to ${stepWords(document, action.go_to)}`
  if ('end' in action) return action.end === 'completed' ? 'complete it' : 'end it'
  if ('open' in action) return `open ${action.open || '…'}${action.in === 'new' ? ' in a new tab' : ''}`
  if ('start' in action) return `start ${contentName(action.start, names) || '…'}`
  if ('set' in action) return `set ${action.set || '…'}`
  return `track ${action.track || '…'}`
}

export const actionsWords = (actions: readonly Action[], document: ContentDocument, names: Names): string =>
  actions.length === 0 ? 'does nothing yet' : actions.map((action) => actionWords(action, document, names)).join(', ')

/** Where a way leads. */
export function goalWords({ to, end }: Advance, document: ContentDocument): string {
  if (end) return end === 'completed' ? 'completed' : 'the end'
  return to === undefined ? 'the next step' : stepWords(document, to)
}

export function wayWords(way: Advance, names: Names): string {
  switch (way.on) {
    case 'target_click':
      return 'when the element is clicked'
    case 'target_input':
      return 'when the element is filled'
    case 'otherwise':
      return 'otherwise'
    case 'condition':
      return `when ${conditionWords(way.condition, names)}`
  }
}

/** The label of the button that leads on from a step to the next one. */
export function wayOn(step: Step, flow: FlowDocument): string | undefined {
  if (step.type === 'hidden') return undefined
  return (step.buttons ?? []).find(({ do: actions }) => actions.some((action) => isOn(action, step, flow)))?.label
}

/** The buttons that lead from a step to another one than the next: `Again → step 1`. */
export function jumpWords(step: Step, flow: FlowDocument): string[] {
  if (step.type === 'hidden') return []
  return (step.buttons ?? []).flatMap(({ label, do: actions }) =>
    actions.flatMap((action) =>
      'go_to' in action && !isOn(action, step, flow) ? [`${label} → ${stepWords(flow, action.go_to)}`] : [],
    ),
  )
}

function isOn(action: Action, step: Step, { steps }: FlowDocument): boolean {
  return 'next' in action || ('go_to' in action && steps[steps.indexOf(step) + 1]?.key === action.go_to)
}

export function blockKind(block: Block): string {
  if ('heading' in block) return 'Heading'
  if ('text' in block) return 'Text'
  if ('image' in block) return 'Image'
  if ('video' in block) return 'Video'
  return 'question' in block ? 'Question' : 'Line'
}
