import { useState } from 'react'
import { QuietDialog } from '../content/quiet-dialog.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'

/** Opens the quiet period, which belongs to the environment. Who may not change it sees no button. */
export function QuietChange({ seconds }: { seconds: number }) {
  const { name } = useEnvironment()
  const reason = useReason('updateGuidance')
  const [isOpen, setIsOpen] = useState(false)
  if (reason) return null
  return (
    <>
      <button type="button" className="link" onClick={() => setIsOpen(true)}>
        Change for {name}
      </button>
      {isOpen && <QuietDialog seconds={seconds} onClose={() => setIsOpen(false)} />}
    </>
  )
}
