import { useState } from 'react'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { leaveGroup } from './changes.ts'
import type { Collection, Membership } from './queries.ts'

/** Ends a membership, from either end. */
export function LeaveButton({ kind, id, other }: { kind: Collection; id: string; other: Membership }) {
  const { slug } = useEnvironment()
  const [asking, setAsking] = useState(false)
  const reason = useReason('removeMembership')
  const name = other.name ?? other.id
  const [user, group] = kind === 'users' ? [id, name] : [name, id]
  if (reason) return null
  return (
    <>
      <IconButton
        small
        icon="x"
        className="leave"
        label={kind === 'users' ? `Remove from ${name}` : `Remove ${name}`}
        onClick={() => setAsking(true)}
      />
      {asking && (
        <ConfirmDialog
          title={`Remove ${user} from ${group}?`}
          about="This deletes the membership and its attributes. The user and the group stay."
          act="Remove membership"
          busy="Removing…"
          onClose={() => setAsking(false)}
          onConfirm={() => leaveGroup({ kind, environment: slug, id }, other.id)}
        />
      )}
    </>
  )
}
