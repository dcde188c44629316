import { autoUpdate, computePosition, detectOverflow, flip, type Middleware, shift } from '@floating-ui/dom'
import type { Placement } from './host.ts'
import type { SetVariable } from './sheets.ts'

/** From the element to the tooltip, and from the tooltip to the edges of the screen, in CSS pixels. */
const GAP = 12
/** A tooltip without that much room beside its target lies over it. */
const SMALLEST = 160
/** Of the arrow, and from it to the corners of the tooltip. */
const ARROW = 12
const CORNER = 16

// `offset`, `size`, `hide` and `arrow` of the library can do more, and take 800 bytes more of the first tooltip, compressed.

const gap: Middleware = {
  name: 'gap',
  fn: ({ x, y, placement }) => {
    const away = /^[tl]/.test(placement) ? -GAP - 3 : GAP + 3
    return isUpright(placement) ? { y: y + away } : { x: x + away }
  },
}

/** Above everything, a tooltip is cut off by the edges of the screen alone, also in a dialog of the page. */
const screen = { padding: GAP, boundary: [] }

/** Tells how high the tooltip may be. */
const fit = (set: SetVariable): Middleware => ({
  name: 'fit',
  fn: async (state) => {
    const { placement, platform, elements, rects } = state
    const { height } = rects.floating
    const { top, bottom } = await detectOverflow(state, screen)
    // Not over the target, unless there is no room beside it.
    const beside = { top: bottom, bottom: top }[placement as string] ?? 0
    setAll(set, { '--mh': Math.max(SMALLEST, height - top - bottom + Math.min(0, beside)) })
    const now = await platform.getDimensions(elements.floating)
    return now.height === height ? {} : { reset: { rects: true } }
  },
})

/** Whether nothing of the target is to be seen: it was scrolled away, or is outside of the screen. */
export const outOfView: Middleware = {
  name: 'hide',
  fn: async (state) => {
    const { top, bottom, left, right } = await detectOverflow(state, { elementContext: 'reference' })
    const { width, height } = state.rects.reference
    return { data: { referenceHidden: Math.max(top, bottom) >= height || Math.max(left, right) >= width } }
  },
}

/** Above or below the target. */
const isUpright = (placement: string) => /^[tb]/.test(placement)

/** Where the arrow is along a side of this length, to point at the middle of the target. */
const along = (middle: number, length: number) =>
  Math.min(length - ARROW - CORNER, Math.max(CORNER, middle - ARROW / 2))

export interface Placed {
  target: Element
  tip: HTMLElement
  ring: HTMLElement
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
        gap,
        // What overflows along the side is shifted, so that the side the author chose counts.
        flip({ ...screen, crossAxis: 'alignment', fallbackAxisSideDirection: 'start' }),
        shift(screen),
        fit(set),
        // What has no room beside its target lies over it.
        shift({ ...screen, mainAxis: false, crossAxis: true }),
        outOfView,
      ],
    })
    setAll(set, { '--rx': box.x, '--ry': box.y, '--rw': box.width, '--rh': box.height, '--x': at.x, '--y': at.y })
    const isOver = isUpright(at.placement)
    setAll(set, {
      '--ax': isOver ? along(box.x + box.width / 2 - at.x, tip.clientWidth) : undefined,
      '--ay': isOver ? undefined : along(box.y + box.height / 2 - at.y, tip.clientHeight),
    })
    tip.dataset.side = at.placement.split('-')[0] as string
    const isAway = at.middlewareData.hide?.referenceHidden === true || (box.width === 0 && box.height === 0)
    tip.classList.toggle('away', isAway)
    ring.classList.toggle('away', isAway)
  }
  const update = () => void place().catch(() => {})
  return autoUpdate(target, tip, update)
}

function setAll(set: SetVariable, values: Record<string, number | undefined>): void {
  for (const [name, value] of Object.entries(values))
    set(name, value === undefined ? value : `${Math.round(value * 100) / 100}px`)
}
