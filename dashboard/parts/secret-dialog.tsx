import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { Dialog } from './dialog.tsx'

type Props = { title: string; about: ReactNode; secret: string; onClose: () => void; children?: ReactNode }

/** Shown once. Nothing but "I have stored it" closes it. */
export function SecretDialog({ title, about, secret, onClose, children }: Props) {
  return (
    <Dialog open firm wide onClose={onClose} title={title} about={about}>
      <div className="keyrow">
        <code>{secret}</code>
        <span className="end">
          <CopyButton value={secret} />
        </span>
      </div>
      {children}
      <footer>
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </footer>
    </Dialog>
  )
}
