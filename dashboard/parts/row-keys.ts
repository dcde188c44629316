import { type KeyboardEvent, type RefObject, useEffect } from 'react'
import { lettersAreOn } from './letters.ts'

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10 }

/**
 * Arrows (and j, k) move the focus from one row's link to the next. Space opens the row beside the list: a row whose link
 * leads to a page has a second one for that. While one is open, the others follow the focus.
 */
export function moveInRows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === ' ' ? 0 : STEPS[event.key]
  const target = event.target as HTMLElement
  if (
    step === undefined ||
    target.matches('button') ||
    event.metaKey ||
    event.ctrlKey ||
    event.altKey ||
    target.matches('input, textarea, select')
  )
    return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const at = links.indexOf(target.closest<HTMLElement>('[data-row]') ?? target)
  const next = links[Math.min(links.length - 1, Math.max(0, at + step))]
  if (at === -1 || !next) return
  event.preventDefault()
  next.focus()
  const peek = next.closest('tr')?.querySelector<HTMLElement>('[data-peek]')
  if (step === 0) (peek ?? next).click()
  else if (event.currentTarget.querySelector('tr.sel')) peek?.click()
}

/** Where the focus is on a page that was just opened. */
const isNowhere = (target: Element) => target === document.body || target.matches('main, h1')

const INTO_LIST = ['ArrowDown', 'j', 'k']

/** The first list of a page takes these keys as soon as it is open, while nothing else has the focus. */
export function useKeysIntoRows(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent) {
      if (!INTO_LIST.includes(event.key) || event.metaKey || event.ctrlKey || event.altKey) return
      const isLetter = event.key.length === 1
      if (event.defaultPrevented || !isNowhere(event.target as Element) || (isLetter && !lettersAreOn())) return
      if (!body.current || document.querySelector('main table.cards tbody') !== body.current) return
      const stop = body.current.querySelector<HTMLElement>('[data-row][tabindex="0"]')
      if (!stop) return
      // A letter has no default, and may be the second one of a shortcut.
      if (!isLetter) event.preventDefault()
      stop.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [body])
}
