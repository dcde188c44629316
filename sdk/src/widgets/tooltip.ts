import type { QuestionPart } from './blocks.ts'
import { element } from './element.ts'
import { followFocus } from './focus.ts'
import type { StepView, Surroundings, Widget, WidgetHost } from './host.ts'
import { Layer } from './layer.ts'
import { keepAt } from './position.ts'
import { drawCard } from './step.ts'
import { stepStyles } from './styles.ts'
import { words } from './words.ts'

/** A tooltip beside its target. Without one (`on_missing: center`) it is in the middle. */
export function showTooltip(
  view: StepView,
  host: WidgetHost,
  around: Surroundings,
  part: QuestionPart | null,
): Widget & { moveTo(target: Element | null): void } {
  const layer = new Layer(view.content.theme, [stepStyles, part?.questionStyles ?? ''], around.baseZIndex)
  const card = drawCard(view, host, part)
  const arrow = element('i', { class: 'arrow' })
  const tip = element(
    'div',
    { class: 'w card tip', role: 'dialog', tabindex: '-1', ...card.naming },
    arrow,
    ...card.parts,
  )
  const ring = element('i', { class: 'ring' })
  const said = element('div', { class: 'said', role: 'status' })
  layer.root.append(ring, tip, said)
  layer.settle(view.target)
  let stop = () => {}
  let at: Element | null
  const moveTo = (target: Element | null) => {
    stop()
    at = target
    tip.classList.toggle('middle', !target)
    ring.hidden = !target
    arrow.hidden = !target
    stop = target ? keepAt({ target, tip, ring, set: layer.set }, view.step.target?.placement ?? 'auto') : () => {}
  }
  moveTo(view.target)
  const focus = followFocus(layer, tip, {
    isExpected: view.isExpected,
    escape: view.step.closable ? () => host.close('escape') : null,
  })
  announce(said, tip, view.isExpected)
  return {
    host: layer.host,
    moveTo,
    settle: () => layer.settle(at),
    flush: card.flush,
    remove: () => {
      stop()
      focus.end()
      layer.remove()
    },
  }
}

/** Screen readers say what is put into a region that is already there. */
function announce(region: HTMLElement, tip: HTMLElement, isExpected: boolean): void {
  const parts = [...tip.querySelectorAll('h3,p,li,img,legend,.q>label')]
  const texts = parts.map((one) => one.getAttribute('alt') ?? one.textContent).filter(Boolean)
  setTimeout(() => region.append(`${texts.join('. ')} ${isExpected ? '' : words.reach}`), 100)
}
