import type {
  Block,
  Button,
  ContentDocument,
  FlowDocument,
  QuestionBlock,
  Step,
} from '../../contract/content/document.ts'
import { copiedKey, freshKey, inserted, moved, removed, replaced } from './list-edits.ts'

/** A new step of a kind, with what the kind needs. */
export function newStep({ steps }: FlowDocument, type: Step['type']): Step {
  const key = freshKey(steps, 'step')
  const blocks = [{ heading: '' }]
  const buttons = [{ label: 'Next', style: 'primary' as const, do: [{ next: true as const }] }]
  if (type === 'dialog') return { key, type, blocks, buttons }
  if (type === 'tooltip') return { key, type, target: { locators: [] }, blocks, buttons }
  return { key, type, advance: [{ on: 'otherwise' }], timeout: { after: '60s', to: steps[0]?.key ?? key } }
}

/** In a flow it goes on. What has no steps is completed by it. */
export const newButton = ({ type }: ContentDocument): Button =>
  type === 'flow' ? { label: 'Next', do: [{ next: true }] } : { label: 'Got it', do: [{ end: 'completed' }] }

export function withStep(flow: FlowDocument, after: number, step: Step): FlowDocument {
  return { ...flow, steps: inserted(flow.steps, after + 1, step) }
}

export function withoutStep(flow: FlowDocument, index: number): FlowDocument {
  return { ...flow, steps: removed(flow.steps, index) }
}

export function withStepMoved(flow: FlowDocument, from: number, to: number): FlowDocument {
  const steps = moved(flow.steps, from, to)
  return steps === flow.steps ? flow : { ...flow, steps }
}

/** The title is the name of a step that has one, else its first heading. */
export function withTitle(flow: FlowDocument, index: number, title: string): FlowDocument {
  const step = flow.steps[index]
  if (!step) return flow
  const heading = step.type === 'hidden' ? -1 : step.blocks.findIndex((block) => 'heading' in block)
  const isNamed = step.name !== undefined || step.type === 'hidden' || heading === -1
  const next = isNamed
    ? { ...step, name: title }
    : { ...step, blocks: replaced(step.blocks, heading, { heading: title }) }
  return { ...flow, steps: replaced(flow.steps, index, next) }
}

/** The copy asks questions of its own: a question is the same wherever its key is. */
export function copyOfStep(flow: FlowDocument, step: Step): Step {
  const key = copiedKey(flow.steps, step.key)
  if (step.type === 'hidden') return { ...step, key }
  const taken = questionKeys(flow).map((question) => ({ key: question }))
  const blocks = step.blocks.map((block) =>
    'question' in block ? { ...block, question: copiedKey(taken, block.question) } : block,
  )
  return { ...step, key, blocks }
}

/** A step of another kind keeps what both kinds have. */
export function asKind(flow: FlowDocument, step: Step, type: Step['type']): Step {
  if (step.type === type) return step
  const { key, name } = step
  const fresh = newStep(flow, type)
  const kept = { key, ...(name === undefined ? {} : { name }) }
  if (step.type === 'hidden' || fresh.type === 'hidden') return { ...fresh, ...kept }
  const { blocks, buttons } = step
  const face = {
    blocks,
    ...(buttons ? { buttons } : {}),
    ...(step.closable === undefined ? {} : { closable: step.closable }),
  }
  return { ...fresh, ...kept, ...face } as Step
}

const questionKeys = ({ steps }: FlowDocument): string[] =>
  steps.flatMap((step) =>
    step.type === 'hidden' ? [] : step.blocks.filter(isQuestion).map(({ question }) => question),
  )

const isQuestion = (block: Block): block is QuestionBlock => 'question' in block

/** A new block of a kind. */
export function newBlock(kind: string, taken: readonly string[]): Block {
  if (kind === 'heading') return { heading: '' }
  if (kind === 'image') return { image: '', alt: '' }
  if (kind === 'video') return { video: '', title: '' }
  if (kind === 'divider') return { divider: true }
  if (kind === 'question')
    return {
      question: freshKey(
        taken.map((key) => ({ key })),
        'question',
      ),
      kind: 'nps',
      label: '',
    }
  return { text: '' }
}

export const takenQuestions = (document: { type: string }): string[] =>
  document.type === 'flow' ? questionKeys(document as FlowDocument) : []
