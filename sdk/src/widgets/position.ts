import { arrow as arrowAt, autoUpdate, computePosition, flip, hide, offset, shift, size } from '@floating-ui/dom'
import type { Placement } from './host.ts'
import type { SetVariable } from './sheets.ts'

/** From the element to the tooltip, and from the tooltip to the edges of the screen, in CSS pixels. */
const GAP = 12
/** A tooltip without that much room beside its target lies over it. */
const SMALLEST = 160

export interface Placed {
  target: Element
  tip: HTMLElement
  ring: HTMLElement
  arrow: HTMLElement
  set: SetVariable
}

/** Keeps a tooltip, its arrow and the ring at the target until the returned function is called. */
export function keepAt(placed: Placed, placement: Placement): () => void {
  const { target, tip, ring, set } = placed
  const place = async () => {
    const box = target.getBoundingClientRect()
    const at = await computePosition(target, tip, {
      strategy: 'fixed',
      placement: placement === 'auto' ? 'bottom' : placement,
      middleware: [
        offset(GAP + 3),
        // What overflows along the side is shifted, so that the side the author chose counts.
        flip({ padding: GAP, crossAxis: 'alignment', fallbackAxisSideDirection: 'start' }),
        shift({ padding: GAP }),
        size({
          padding: GAP,
          apply: ({ availableHeight }) => setAll(set, { '--mh': Math.max(SMALLEST, availableHeight) }),
        }),
        arrowAt({ element: placed.arrow, padding: 16 }),
        hide(),
      ],
    })
    setAll(set, { '--rx': box.x, '--ry': box.y, '--rw': box.width, '--rh': box.height, '--x': at.x, '--y': at.y })
    setAll(set, { '--ax': at.middlewareData.arrow?.x, '--ay': at.middlewareData.arrow?.y })
    tip.dataset.side = at.placement.split('-')[0] as string
    const isAway = at.middlewareData.hide?.referenceHidden === true || (box.width === 0 && box.height === 0)
    tip.classList.toggle('away', isAway)
    ring.classList.toggle('away', isAway)
  }
  const update = () => void place().catch(() => {})
  const stop = autoUpdate(target, tip, update)
  // A keyboard on the screen leaves less room, and changes nothing else.
  window.visualViewport?.addEventListener('resize', update)
  return () => {
    stop()
    window.visualViewport?.removeEventListener('resize', update)
  }
}

function setAll(set: SetVariable, values: Record<string, number | undefined>): void {
  for (const [name, value] of Object.entries(values))
    set(name, value === undefined ? value : `${Math.round(value * 100) / 100}px`)
}
