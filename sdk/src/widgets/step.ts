import type { RenderedButton } from '../../../contract/content/rendered.ts'
import { toJson } from '../json.ts'
import { type DrawnBlocks, drawBlocks, type QuestionPart } from './blocks.ts'
import { element, icon } from './element.ts'
import type { StepView, WidgetHost } from './host.ts'
import { inlines } from './text.ts'
import { words } from './words.ts'

export const HEADING = 'usher-heading'
const TEXT = 'usher-text'

/** The inside of a tooltip or a dialog: blocks that scroll, buttons that stay. */
export interface Card {
  parts: HTMLElement[]
  /** Names the widget for assistive technology. */
  naming: Record<string, string>
  /** Tells the answers that changed since they were told. */
  flush(): void
}

export function drawCard(view: StepView, host: WidgetHost, part: QuestionPart | null): Card {
  const { step } = view
  const drawn = drawBlocks(step.blocks, host, HEADING, part, view.answers)
  const flush = teller(drawn, host, view)
  const buttons = step.buttons.map((button) => drawButton(button, host, drawn, flush))
  const inside = element('div', { class: 'in', id: TEXT }, ...drawn.elements)
  const isNamed = step.blocks.some((block) => 'heading' in block)
  const parts = [
    inside,
    ...(buttons.length > 0 || view.progress ? [foot(view, buttons)] : []),
    ...(step.closable ? [closeButton(() => host.close('close_button'))] : []),
  ]
  const naming: Record<string, string> = isNamed ? { 'aria-labelledby': HEADING } : { 'aria-label': view.content.name }
  return { parts, naming: { ...naming, 'aria-describedby': TEXT }, flush }
}

function foot(view: StepView, buttons: HTMLElement[]): HTMLElement {
  return element('div', { class: 'foot' }, dashes(view.progress), element('span', { class: 'end' }, ...buttons))
}

function dashes(progress: StepView['progress']): HTMLElement | null {
  if (!progress) return null
  const { number, of } = progress
  const marks = [...Array(of).keys()].map((index) => element('i', { class: index < number ? 'y' : null }))
  return element('span', { class: 'prog', role: 'img', 'aria-label': words.step(number, of) }, ...marks)
}

function drawButton(button: RenderedButton, host: WidgetHost, drawn: DrawnBlocks, flush: () => void): HTMLElement {
  const look = button.style === 'primary' ? 'b main' : 'b quiet'
  const made = element('button', { class: look, type: 'button' }, ...inlines(button.label, host))
  made.addEventListener('click', () => {
    if (goesOn(button) && !isAnswered(drawn)) return
    flush()
    host.act(button.do)
  })
  return made
}

/** A way back or out needs no answers. */
function goesOn(button: RenderedButton): boolean {
  return button.do.some(
    (action) => 'next' in action || 'go_to' in action || ('end' in action && action.end === 'completed'),
  )
}

function isAnswered({ fields }: DrawnBlocks): boolean {
  const missing = fields.filter((field) => field.isRequired && field.value() === null)
  for (const field of missing.reverse()) field.complain()
  return missing.length === 0
}

function teller({ fields }: DrawnBlocks, host: WidgetHost, view: StepView): () => void {
  const told = new Map([...view.answers].map(([key, value]) => [key, toJson(value)]))
  return () => {
    for (const field of fields) {
      const value = field.value()
      if (value === null || told.get(field.key) === toJson(value)) continue
      told.set(field.key, toJson(value))
      host.answer(field.key, value)
    }
  }
}

export function closeButton(close: () => void, label: string = words.close): HTMLElement {
  const made = element('button', { class: 'x', type: 'button', 'aria-label': label }, icon('M4 4l8 8m0-8l-8 8'))
  made.addEventListener('click', close)
  return made
}
