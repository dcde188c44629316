import type { Surroundings } from '../widgets/host.ts'

/** Brings a target into view, with the room that the page asks for. One that is in view stays where it is. */
export function scrollTo(target: Element, { scrollPadding, scrollIntoView }: Surroundings): void {
  const { top = 0, right = 0, bottom = 0, left = 0 } = scrollPadding
  const box = target.getBoundingClientRect()
  const isInView =
    box.top >= top && box.left >= left && box.bottom <= innerHeight - bottom && box.right <= innerWidth - right
  if (isInView) return
  try {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (scrollIntoView) scrollIntoView(target)
    else target.scrollIntoView({ block: 'center', inline: 'nearest', behavior: isCalm ? 'instant' : 'smooth' })
  } catch {
    // The page's own function failed.
  }
}
