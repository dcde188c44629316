import { autoUpdate, computePosition } from '@floating-ui/dom'
import type { RenderedLauncher } from '../../../contract/content/rendered.ts'
import { ambientStyles } from './ambient-styles.ts'
import { element, icon } from './element.ts'
import type { Surroundings, Widget, WidgetHost } from './host.ts'
import { Layer } from './layer.ts'
import { outOfView } from './position.ts'

export type LauncherWidget = Widget & { moveTo(target: Element | null): void }

/** A dot at the corner of its target. */
export function showLauncher(
  content: RenderedLauncher,
  target: Element,
  host: WidgetHost,
  around: Surroundings,
): LauncherWidget {
  const layer = new Layer(content.theme, [ambientStyles], around.baseZIndex)
  const isIcon = content.look === 'icon'
  const dot = element(
    'button',
    { class: `launcher ${isIcon ? 'icon' : 'beacon'}`, type: 'button', 'aria-label': content.label },
    isIcon && icon('M5.6 6.1a2.4 2.4 0 1 1 3.5 2.1c-.8.4-1.1.9-1.1 1.6m0 2.2v.1'),
  )
  dot.addEventListener('click', () => host.act(content.do))
  dot.addEventListener('keydown', (event) => {
    if (content.dismissible && (event.key === 'Delete' || event.key === 'Backspace')) host.close('close_button')
  })
  layer.root.append(dot)
  let at: Element | null = target
  const settle = () => layer.settle(at)
  settle()
  let stop = () => {}
  const moveTo = (next: Element | null) => {
    stop()
    at = next
    stop = next ? autoUpdate(next, dot, () => void place(next, dot, layer).catch(() => {})) : () => {}
    dot.classList.toggle('away', !next)
  }
  moveTo(target)
  return {
    host: layer.host,
    moveTo,
    settle,
    flush: () => {},
    remove: () => {
      stop()
      layer.remove()
    },
  }
}

/** Its middle is at the upper corner of the end of the line. */
async function place(target: Element, dot: HTMLElement, { set }: Layer): Promise<void> {
  const at = await computePosition(target, dot, { strategy: 'fixed', placement: 'top-end', middleware: [outOfView] })
  const isRightToLeft = getComputedStyle(target).direction === 'rtl'
  set('--x', `${Math.round(at.x + (isRightToLeft ? -12 : 12))}px`)
  set('--y', `${Math.round(at.y + 12)}px`)
  dot.classList.toggle('away', at.middlewareData.hide?.referenceHidden === true)
}
