import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { onSessionChange } from '../session/changes.ts'

type Props = {
  when: boolean
  /** There is something that is not saved, though leaving would save it. It cannot when the session has ended or the tab is closed. */
  isUnsaved?: boolean
}

/** Asks before a page with unsaved changes is left, also when the session has ended: they can be saved after signing in elsewhere. */
export function LeaveGuard({ when, isUnsaved = when }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (isSignIn(next.pathname) ? isUnsaved : when) && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  const hasEnded = isBlocked && isSignIn(blocker.next.pathname)
  // Whoever has signed in in another tab stays, and is not asked any more.
  const { reset } = blocker
  useEffect(() => (hasEnded ? onSessionChange(() => reset?.()) : undefined), [hasEnded, reset])
  if (!isBlocked) return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      about={
        hasEnded
          ? 'You are not signed in any more. To keep what you changed here, cancel, and sign in in another tab.'
          : 'What you changed here is not saved yet.'
      }
      act="Leave"
      busy="Leaving…"
      onClose={() => blocker.reset()}
      onConfirm={async () => blocker.proceed()}
    />
  )
}

const isSignIn = (path: string) => path.endsWith('/sign-in')
