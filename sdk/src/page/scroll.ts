import { getOverflowAncestors } from '@floating-ui/dom'
import type { Surroundings } from '../widgets/host.ts'

/** Brings a target into view, with the room that the page asks for. One that is in view stays where it is. */
export function scrollTo(target: Element, { scrollPadding, scrollIntoView }: Surroundings): void {
  const { top = 0, right = 0, bottom = 0, left = 0 } = scrollPadding
  const view = { top, left, right: innerWidth - right, bottom: innerHeight - bottom }
  if (isInside(target.getBoundingClientRect(), view) && !isClipped(target)) return
  try {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (scrollIntoView) scrollIntoView(target)
    else target.scrollIntoView({ block: 'center', inline: 'nearest', behavior: isCalm ? 'instant' : 'smooth' })
  } catch {
    // The page's own function failed.
  }
}

type Sides = Pick<DOMRect, 'top' | 'left' | 'right' | 'bottom'>

/** At most a pixel of it is outside: boxes have fractions. */
function isInside(box: Sides, of: Sides): boolean {
  return box.top > of.top - 1 && box.left > of.left - 1 && box.bottom < of.bottom + 1 && box.right < of.right + 1
}

/** A scrolling box around it hides a part of it. */
function isClipped(target: Element): boolean {
  return getOverflowAncestors(target).some((around) => {
    if (!(around instanceof Element) || around === document.body) return false
    const isScrolling = around.scrollHeight > around.clientHeight || around.scrollWidth > around.clientWidth
    return isScrolling && !isInside(target.getBoundingClientRect(), around.getBoundingClientRect())
  })
}
