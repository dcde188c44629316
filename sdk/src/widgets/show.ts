import type { RenderedFlow, RenderedStep } from '../../../contract/content/rendered.ts'
import type { QuestionPart } from './blocks.ts'
import { showDialog } from './dialog.ts'
import type { StepView, Surroundings, Widget, WidgetHost } from './host.ts'
import { showTooltip } from './tooltip.ts'

export type StepWidget = Widget & { moveTo?(target: Element | null): void }

/** Draws a step of a flow. `part` is needed when it has a question. */
export function showStep(
  view: StepView,
  host: WidgetHost,
  around: Surroundings,
  part: QuestionPart | null,
): StepWidget {
  const show = view.step.type === 'dialog' ? showDialog : showTooltip
  return show(view, host, around, part)
}

/** Only visible steps count, and one alone has no progress. */
export function progressOf(content: RenderedFlow, step: RenderedStep): StepView['progress'] {
  const visible = content.steps.filter(({ type }) => type !== 'hidden')
  return visible.length < 2 ? null : { number: visible.indexOf(step) + 1, of: visible.length }
}
