import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useContent } from '../content/use-draft.ts'
import { Button } from '../parts/button.tsx'

const Inspecting = createContext<() => void>(() => {})

type Props = { className?: string; children: ReactNode }

/** The columns of the editor. Where there is no room for three, the inspector is a drawer. */
export function EditFrame({ className = '', children }: Props) {
  const { reason } = useContent()
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    if (!isOpen) return
    // Who opens it goes on in it. Who leaves it by a key goes on where it was opened.
    frame.current?.querySelector<HTMLElement>('.insp :is(button, input, textarea)')?.focus()
    const leave = (event: Event) => {
      const isEscape = (event as KeyboardEvent).key === 'Escape'
      const isOutside = event.type === 'pointerdown' && !(event.target as Element).closest('.insp, .layer, .dialog')
      if (isEscape || isOutside) setOpen(false)
      if (isEscape && opener.current instanceof HTMLElement) opener.current.focus()
    }
    addEventListener('keydown', leave)
    addEventListener('pointerdown', leave)
    return () => {
      removeEventListener('keydown', leave)
      removeEventListener('pointerdown', leave)
    }
  }, [isOpen])
  const open = () => {
    opener.current = document.activeElement
    setOpen(true)
  }
  return (
    <Inspecting value={open}>
      <div ref={frame} className={`edit ${className} ${isOpen ? 'inspecting' : ''}`}>
        {children}
        {!reason && <p className="t2 for-larger">Editing is for larger screens.</p>}
      </div>
    </Inspecting>
  )
}

/** Opens the drawer; not there where the inspector is a column. */
export function InspectButton() {
  const open = useContext(Inspecting)
  return (
    <Button small className="inspect" icon="pencil" onClick={open}>
      Edit
    </Button>
  )
}
