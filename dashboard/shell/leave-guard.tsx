import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'

/** Asks before a page with unsaved changes is left. */
export function LeaveGuard({ when }: { when: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      about="What you changed here is not saved yet."
      act="Leave"
      busy="Leaving…"
      onClose={() => blocker.reset()}
      onConfirm={async () => blocker.proceed()}
    />
  )
}
