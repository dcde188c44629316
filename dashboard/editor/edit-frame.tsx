import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useContent } from '../content/use-draft.ts'
import { Button } from '../parts/button.tsx'

const Inspecting = createContext<() => void>(() => {})

type Props = { className?: string; children: ReactNode }

/** The columns of the editor. Where there is no room for three, the inspector is a drawer. */
export function EditFrame({ className = '', children }: Props) {
  const { reason } = useContent()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => {
      const isEscape = (event as KeyboardEvent).key === 'Escape'
      const isOutside = event.type === 'pointerdown' && !(event.target as Element).closest('.insp, .layer, .dialog')
      if (isEscape || isOutside) setOpen(false)
    }
    addEventListener('keydown', leave)
    addEventListener('pointerdown', leave)
    return () => {
      removeEventListener('keydown', leave)
      removeEventListener('pointerdown', leave)
    }
  }, [isOpen])
  return (
    <Inspecting value={() => setOpen(true)}>
      <div className={`edit ${className} ${isOpen ? 'inspecting' : ''}`}>
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
