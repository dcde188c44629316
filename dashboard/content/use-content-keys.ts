import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { announce } from '../parts/announce.tsx'
import { useContent } from './use-draft.ts'

/** What is typed there is no part of the draft, or not yet: the browser undoes it. */
const OWN_UNDO = '[role="dialog"], [type="search"], .naming'

/** ⌘Z and ⇧⌘Z for everything in the draft, ⌘↵ for the publish dialog. */
export function useContentKeys(): void {
  const { store, reason } = useContent()
  const navigate = useNavigate()
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || !(event.metaKey || event.ctrlKey)) return
      if (event.key === 'Enter' && !(event.target as HTMLElement).closest('[role="dialog"]')) {
        event.preventDefault()
        void navigate({ to: '.', search: (before: object) => ({ ...before, publish: 'yes' }) as never })
      }
      if (event.key.toLowerCase() !== 'z' || reason || (event.target as HTMLElement).closest(OWN_UNDO)) return
      event.preventDefault()
      const name = event.shiftKey ? store.redo() : store.undo()
      if (name) announce(`${event.shiftKey ? 'Done again' : 'Undone'}: ${name}`)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [store, reason, navigate])
}
