import { hasQuestion, type QuestionPart } from './blocks.ts'
import { element } from './element.ts'
import type { StepView, Surroundings, Widget, WidgetHost } from './host.ts'
import { followKeyboard } from './keyboard.ts'
import { Layer } from './layer.ts'
import { drawCard, HEADING } from './step.ts'
import { stepStyles } from './styles.ts'

/** A modal dialog by the browser's own `dialog`: it keeps the focus and gives it back, makes the page inert, and is above all. */
export function showDialog(view: StepView, host: WidgetHost, around: Surroundings, part: QuestionPart | null): Widget {
  const layer = new Layer(view.content.theme, [stepStyles, part?.questionStyles ?? ''], around.baseZIndex)
  const card = drawCard(view, host, part)
  // One that asks something is in the corner, so that the page it asks about is seen.
  const look = part && hasQuestion(view.step) ? 'w card ask' : 'w card'
  const dialog = element('dialog', { class: look, 'aria-modal': 'true', ...card.naming }, ...card.parts)
  layer.root.append(dialog)
  const leave = (reason: 'escape' | 'backdrop') => {
    if (view.step.closable) host.close(reason)
  }
  // Some browsers close a dialog at the second Escape, whatever was prevented: then it is shown again.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    leave('escape')
  })
  // Text that is selected beyond the edge of the dialog ends in a click outside, too.
  let isPressedOutside = false
  dialog.addEventListener('pointerdown', (event) => {
    isPressedOutside = isOutside(dialog, event)
  })
  dialog.addEventListener('click', (event) => {
    if (isPressedOutside && event.target === dialog && isOutside(dialog, event)) leave('backdrop')
  })
  const settle = () => {
    layer.settle()
    if (dialog.open && dialog.matches(':modal')) return
    dialog.close()
    dialog.showModal()
    ;(layer.root.getElementById(HEADING) ?? dialog).focus({ preventScroll: true })
  }
  settle()
  const forget = followKeyboard(layer.set)
  return {
    host: layer.host,
    settle,
    flush: card.flush,
    remove: () => {
      forget()
      dialog.close()
      layer.remove()
    },
  }
}

function isOutside(dialog: HTMLElement, { clientX, clientY }: MouseEvent): boolean {
  const box = dialog.getBoundingClientRect()
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom
}
