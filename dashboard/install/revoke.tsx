import { useState } from 'react'
import { activity } from '../format/time.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'

type Props = {
  /** `secret …mgms`. */
  what: string
  /** What ends with it. */
  about: string
  lastUsedAt: string | null
  reason: string | undefined
  onConfirm: () => Promise<unknown>
}

/** Asks before what pages may be using is revoked: nothing brings it back. */
export function Revoke({ what, about, lastUsedAt, reason, onConfirm }: Props) {
  const [asking, setAsking] = useState(false)
  const used = lastUsedAt ? `It was last used ${activity(new Date(lastUsedAt), new Date())}.` : 'It was never used.'
  return (
    <>
      <Button small kind="quiet" reason={reason} aria-label={`Revoke the ${what}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Revoke the ${what}?`}
          about={`${used} ${about} This cannot be undone.`}
          act="Revoke it"
          busy="Revoking…"
          onClose={() => setAsking(false)}
          onConfirm={onConfirm}
        />
      )}
    </>
  )
}
