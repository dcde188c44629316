import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Section } from '../parts/panel.tsx'
import { Time } from '../parts/time.tsx'
import { queryClient } from '../query-client.ts'
import { useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
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
  const who = invitation.email ?? 'Whoever opens the link'
  const { run, running, problem } = useAction(async () => {
    await call('revokeInvitation', { invitation_id: invitation.id })
    await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey })
  })
  return (
    <li>
      <span className="clip" dir="auto">
        {who} <span className="tag">{invitation.role}</span>
      </span>
      <span className="t2">
        by {invitation.invited_by ?? 'the command line'}, until <Time at={invitation.expires_at} />
      </span>
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
      <Button
        small
        kind="danger"
        reason={reason}
        busy={running && 'Revoking…'}
        aria-label={`Revoke the invitation of ${who}`}
        onClick={() => void run()}
      >
        Revoke
      </Button>
    </li>
  )
}
