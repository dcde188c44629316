import type { RenderedBanner } from '../../../contract/content/rendered.ts'
import { ambientStyles } from './ambient-styles.ts'
import { drawBlocks, type QuestionPart } from './blocks.ts'
import { element } from './element.ts'
import type { Surroundings, Widget, WidgetHost } from './host.ts'
import { Layer } from './layer.ts'
import { closeButton, HEADING } from './step.ts'
import { inlines } from './text.ts'

/** In the flow of the page: it moves the page and covers nothing. */
export function showBanner(
  content: RenderedBanner,
  host: WidgetHost,
  around: Surroundings,
  part: QuestionPart | null,
): Widget {
  const layer = new Layer(content.theme, [ambientStyles], around.baseZIndex, (one) => put(one, content.position))
  layer.host.classList.add('banner', content.position)
  // An answer would be told to nobody.
  const blocks = content.blocks.filter((block) => !('question' in block))
  const { elements } = drawBlocks(blocks, host, HEADING, part, new Map())
  const buttons = content.buttons.map((button) => {
    const look = button.style === 'primary' ? 'b main' : 'b line'
    const made = element('button', { class: look, type: 'button' }, ...inlines(button.label, host))
    made.addEventListener('click', () => host.act(button.do))
    return made
  })
  const banner = element(
    'section',
    { class: 'w banner', 'aria-label': 'Announcement' },
    element('div', { class: 'texts' }, ...elements),
    buttons.length > 0 && element('span', { class: 'end' }, ...buttons),
    content.dismissible && closeButton(() => host.close('close_button')),
  )
  layer.root.append(banner)
  const stayBelow = belowHeader(layer)
  const settle = () => {
    layer.settle()
    if (content.position === 'top') stayBelow()
  }
  settle()
  return { host: layer.host, settle, flush: () => {}, remove: () => layer.remove() }
}

/**
 * As the first or the last thing of the body. In one that lays out its parts beside each other it would be a column or take the
 * place of a part: then it stands before or after the body.
 */
function put(host: HTMLElement, position: RenderedBanner['position']): void {
  const { body } = document
  const { display, flexDirection } = getComputedStyle(body)
  const isBeside = display.includes('grid') || (display.includes('flex') && flexDirection.startsWith('row'))
  if (host.parentNode === (isBeside ? body.parentNode : body)) return
  if (position === 'bottom') body[isBeside ? 'after' : 'append'](host)
  else body[isBeside ? 'before' : 'prepend'](host)
}

/** A fixed header of the page would cover it: then it stands below the header, until that is gone. */
function belowHeader({ host, set }: Layer): () => void {
  let header: Element | null = null
  const standAt = (y: number) => set('--below', `${Math.round(y)}px`)
  return () => {
    if (header && header.getBoundingClientRect().height === 0) {
      header = null
      standAt(0)
    }
    const over = covering(host)
    const found = over && fixedParent(over)
    if (!found || !isHeader(found, host)) return
    header = found
    standAt(found.getBoundingClientRect().bottom)
  }
}

/** What lies over its middle. */
function covering(host: Element): Element | null {
  const box = host.getBoundingClientRect()
  const isInView = box.top >= 0 && box.bottom <= window.innerHeight && box.height > 0
  const over = isInView ? document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) : null
  return over && !host.contains(over) ? over : null
}

/** Not a dialog, or a layer of ours, which covers the page for a while. It may float, or be below another one. */
function isHeader(one: Element, banner: Element): boolean {
  const { top, bottom } = one.getBoundingClientRect()
  return top < banner.getBoundingClientRect().bottom && bottom < window.innerHeight / 2
}

function fixedParent(of: Element): Element | null {
  for (let one: Element | null = of; one; one = one.parentElement) {
    if (['fixed', 'sticky'].includes(getComputedStyle(one).position)) return one
  }
  return null
}
