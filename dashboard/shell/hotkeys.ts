import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { lettersAreOn } from '../parts/letters.ts'
import { PAGES } from './navigation.ts'

type Acts = { onPalette: () => void; onHelp: () => void }

const CHORD_MS = 1200

/** ⌘K, `/`, `g` and a letter, `c`, `?`. What belongs to one page listens there. */
export function useHotkeys(acts: Acts): void {
  const navigate = useNavigate()
  const { environment } = useParams({ from: '/$environment' })
  const latest = useRef({ acts, environment })
  latest.current = { acts, environment }
  useEffect(() => {
    let chordUntil = 0
    function press(event: KeyboardEvent) {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return latest.current.acts.onPalette()
      }
      if (!isPlainLetter(event)) return
      const page = Date.now() < chordUntil ? PAGES.find(({ key }) => key === event.key) : undefined
      chordUntil = event.key === 'g' && !page ? Date.now() + CHORD_MS : 0
      if (page) return void navigate({ to: page.to, params: { environment: latest.current.environment } })
      if (event.key === '?') return latest.current.acts.onHelp()
      if (event.key === 'c') return document.querySelector<HTMLElement>('main [data-copy-id]')?.click()
      const field = document.querySelector<HTMLElement>(`main [data-hotkey="${CSS.escape(event.key)}"]`)
      if (!field) return
      event.preventDefault()
      if (field instanceof HTMLInputElement) field.focus()
      else field.click()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate])
}

/** Not with a modifier, not in a field, not in a dialog, and not when letters are switched off. */
function isPlainLetter(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  const modified = event.metaKey || event.ctrlKey || event.altKey
  const busy = target.closest(
    'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]',
  )
  return !modified && !busy && !event.defaultPrevented && event.key.length === 1 && lettersAreOn()
}
