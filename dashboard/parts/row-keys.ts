import type { KeyboardEvent } from 'react'

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10 }

/** Arrows (and j, k) move the focus from one row's link to the next. */
export function moveInRows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const target = event.target as HTMLElement
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || target.matches('input, textarea, select'))
    return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const at = links.indexOf(target.closest<HTMLElement>('[data-row]') ?? target)
  const next = links[Math.min(links.length - 1, Math.max(0, at + step))]
  if (at === -1 || !next) return
  event.preventDefault()
  next.focus()
}
