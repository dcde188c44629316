import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from './icon-button.tsx'

type Props = {
  label: string
  title: ReactNode
  onClose: () => void
  onMove?: (step: 1 | -1) => void
  /** A link that opens the same as a page. */
  page?: ReactNode
  children: ReactNode
}

/** One of many, beside its list. ↑ and ↓ move through the list while it is open. */
export function Drawer({ label, title, onClose, onMove, page, children }: Props) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented) return
      if (event.key === 'Escape') return onClose()
      const inside = panel.current?.contains(document.activeElement)
      if (!inside || !onMove || !(event.key === 'ArrowDown' || event.key === 'ArrowUp')) return
      event.preventDefault()
      onMove(event.key === 'ArrowDown' ? 1 : -1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onClose, onMove])
  return (
    <aside className="drawer" aria-label={label} ref={panel}>
      <header>
        {title}
        <span className="end">
          {onMove && <IconButton icon="up" label="Previous" onClick={() => onMove(-1)} />}
          {onMove && <IconButton icon="down" label="Next" onClick={() => onMove(1)} />}
          {page}
          <IconButton icon="x" label="Close" onClick={onClose} />
        </span>
      </header>
      <div className="body">{children}</div>
    </aside>
  )
}
