import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Section } from '../parts/panel.tsx'
import { Time } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { useReason } from '../session/use-session.ts'
import { type Invitation, membersQuery } from './queries.ts'

export function Invitations({ invitations }: { invitations: Invitation[] }) {
  return (
    <div className="below-table">
      <Section title="Open invitations" count={invitations.length}>
        <ul className="plain-rows">
          {invitations.map((invitation) => (
            <Row key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      </Section>
    </div>
  )
}

function Row({ invitation }: { invitation: Invitation }) {
  const reason = useReason('revokeInvitation')
  const [isRevoking, setRevoking] = useState(false)
  const who = invitation.email ?? 'whoever opens the link'
  return (
    <li>
      <span className="clip" dir="auto">
        {invitation.email ?? 'Whoever opens the link'} <span className="tag">{invitation.role}</span>
      </span>
      <span className="t2">
        by {invitation.invited_by ?? 'the command line'}, until <Time at={invitation.expires_at} />
      </span>
      <Button
        small
        kind="danger"
        reason={reason}
        aria-label={`Revoke the invitation of ${who}`}
        onClick={() => setRevoking(true)}
      >
        Revoke
      </Button>
      {isRevoking && (
        <ConfirmDialog
          title={`Revoke the invitation of ${who}?`}
          about="Its link stops at once. Another link can be made by inviting again."
          act="Revoke invitation"
          busy="Revoking…"
          onClose={() => setRevoking(false)}
          onConfirm={async () => {
            await call('revokeInvitation', { invitation_id: invitation.id })
            await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey })
            toast('The invitation was revoked.')
          }}
        />
      )}
    </li>
  )
}
