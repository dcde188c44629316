import { scales } from '../../../contract/content/scales.ts'
import type { AnswerValue } from '../../../contract/sdk/protocol.ts'
import type { QuestionBlock, QuestionField } from './blocks.ts'
import { element } from './element.ts'
import { questionStyles } from './question-styles.ts'
import { inlines } from './text.ts'
import { drawVideo } from './video.ts'

/** A file of its own, loaded when a content has a question. */
export { drawVideo, questionStyles }

interface Control {
  element: HTMLElement
  /** What has the role of a field; the box around the question where it has several. */
  field?: HTMLElement
  value(): AnswerValue | null
  focus(): void
}

let count = 0

export function drawQuestion(block: QuestionBlock, answer: AnswerValue | undefined): QuestionField {
  count += 1
  const id = `usher-question-${count}`
  const label = inlines(block.label, { link: () => null })
  const control = controls[block.kind](block, answer, id, label.map((one) => one.textContent).join(''))
  const isText = block.kind === 'text'
  const name = isText ? element('label', { for: id }, ...label) : element('legend', {}, ...label)
  const box = element(isText ? 'div' : 'fieldset', { class: 'q' }, name, control.element)
  if (block.required) control.field?.setAttribute('aria-required', 'true')
  const described = control.field ?? box
  box.addEventListener('input', () => {
    if (control.value() === null) return
    box.querySelector('.wrong')?.remove()
    box.classList.remove('bad')
    for (const name of ['aria-invalid', 'aria-describedby']) described.removeAttribute(name)
  })
  return {
    key: block.question,
    element: box,
    isRequired: block.required === true,
    value: control.value,
    complain: () => {
      box.querySelector('.wrong')?.remove()
      box.classList.add('bad')
      box.append(element('p', { class: 'wrong', role: 'alert', id: `${id}-wrong` }, 'Please answer this question.'))
      control.field?.setAttribute('aria-invalid', 'true')
      described.setAttribute('aria-describedby', `${id}-wrong`)
      control.focus()
    },
  }
}

const controls: Record<
  QuestionBlock['kind'],
  (block: QuestionBlock, answer: AnswerValue | undefined, id: string, label: string) => Control
> = {
  nps: (block, answer, _id, label) => scale(block, ...scales.nps, answer, label),
  rating: (block, answer, _id, label) => scale(block, ...scales.rating, answer, label),
  choice,
  text,
}

/** A radio group: one stop of the Tab key, the arrow keys move in it. */
function scale(
  block: QuestionBlock,
  from: number,
  to: number,
  answer: AnswerValue | undefined,
  label: string,
): Control {
  let chosen = typeof answer === 'number' ? answer : null
  const buttons = [...Array(to - from + 1).keys()].map((index) => {
    const button = element('button', { type: 'button', role: 'radio' }, String(from + index))
    button.addEventListener('click', () => choose(index))
    button.addEventListener('keydown', (event) => {
      const step = steps[event.key]
      if (step === undefined) return
      event.preventDefault()
      const isTurned = event.key !== 'ArrowUp' && event.key !== 'ArrowDown' && isRightToLeft(button)
      choose((index + (isTurned ? -step : step) + buttons.length) % buttons.length)
    })
    return button
  })
  const mark = () => {
    for (const button of buttons) {
      const index = buttons.indexOf(button)
      const isChosen = from + index === chosen
      button.setAttribute('aria-checked', String(isChosen))
      button.tabIndex = isChosen || (chosen === null && index === 0) ? 0 : -1
    }
  }
  const choose = (index: number) => {
    chosen = from + index
    mark()
    buttons[index]?.focus()
    buttons[index]?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  mark()
  const name = block.low || block.high ? '' : label
  const group = element(
    'div',
    { class: to === 5 ? 'scale five' : 'scale', role: 'radiogroup', 'aria-label': name || `${from} to ${to}` },
    ...buttons,
  )
  const ends =
    block.low || block.high
      ? element('div', { class: 'ends' }, element('span', {}, block.low ?? ''), element('span', {}, block.high ?? ''))
      : null
  return {
    element: element('div', {}, group, ends),
    field: group,
    value: () => chosen,
    focus: () => buttons[0]?.focus(),
  }
}

/** Then the next one is at the left. */
const isRightToLeft = (of: Element) => getComputedStyle(of).direction === 'rtl'

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function choice(block: QuestionBlock, answer: AnswerValue | undefined, id: string): Control {
  const before = answer === undefined ? [] : [answer].flat().map(String)
  const type = block.multiple ? 'checkbox' : 'radio'
  const known = block.options ?? []
  const own = before.find((value) => !known.includes(value))
  const option = (label: string, isChosen: boolean) => {
    const input = element('input', { type, name: id })
    input.checked = isChosen
    return { input, row: element('label', { class: 'opt' }, input, element('span', {}, label)) }
  }
  const options = known.map((label) => ({ label, ...option(label, before.includes(label)) }))
  const other = block.other ? option(block.other, own !== undefined) : null
  const free = element('input', { class: 'area', type: 'text', maxlength: '1000', 'aria-label': block.other })
  free.value = own ?? ''
  free.addEventListener('input', () => {
    if (other) other.input.checked = free.value !== ''
  })
  const rows = [...options.map(({ row }) => row), ...(other ? [other.row, free] : [])]
  const value = () => {
    const chosen = options.filter(({ input }) => input.checked).map(({ label }) => label)
    if (other?.input.checked && free.value.trim()) chosen.push(free.value.trim())
    if (chosen.length === 0) return null
    return block.multiple ? chosen : (chosen[0] as string)
  }
  return {
    element: element('div', { class: 'opts' }, ...rows),
    value,
    focus: () => rows[0]?.querySelector('input')?.focus(),
  }
}

function text(block: QuestionBlock, answer: AnswerValue | undefined, id: string): Control {
  const made = block.long
    ? element('textarea', { class: 'area', id, maxlength: '4000' })
    : element('input', { class: 'area', type: 'text', id, maxlength: '1000' })
  made.value = typeof answer === 'string' ? answer : ''
  return { element: made, field: made, value: () => made.value.trim() || null, focus: () => made.focus() }
}
