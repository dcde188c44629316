import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { isSecondClick } from './second-click.ts'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** Below the title. */
  about?: ReactNode
  children: ReactNode
  wide?: boolean
  /** Where the focus starts. */
  focus?: RefObject<HTMLElement | null>
  /** Neither Esc nor a click outside closes it. */
  firm?: boolean
}

/** Only for create and destroy. It holds the focus and gives it back. */
export function Dialog({ open, onClose, title, about, children, wide, focus, firm }: Props) {
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={firm ?? false}
      onOpenChange={(next, details) => {
        if (next) return
        if (isSecondClick(details)) return details.cancel()
        if (firm && details.reason !== 'close-press') return details.cancel()
        onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Viewport className="dialog-place">
          <Base.Popup className={`dialog ${wide ? 'wide' : ''}`} initialFocus={focus ?? true}>
            <Base.Title render={<h2 />}>{title}</Base.Title>
            {about && <Base.Description render={<div className="about" />}>{about}</Base.Description>}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
