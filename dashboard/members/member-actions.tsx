import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { useReason, useSession } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Member, membersQuery } from './queries.ts'

export function MemberActions({ member }: { member: Member }) {
  const isOwn = useSession().member.id === member.id
  const [removing, setRemoving] = useState(false)
  const [link, setLink] = useState<string>()
  const { run, problem } = useAction(async () => {
    const { url } = await call('createPasswordLink', { member_id: member.id })
    setLink(url)
  })
  return (
    <>
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
      <Menu trigger={<Button small className="square" aria-label={`Actions for ${member.name}`} icon="more" />}>
        <MenuItem icon="key" reason={useReason('createPasswordLink')} onSelect={() => void run()}>
          Make a password link
        </MenuItem>
        <MenuItem icon="trash" danger reason={useReason('removeMember')} onSelect={() => setRemoving(true)}>
          Remove member
        </MenuItem>
      </Menu>
      {link && (
        <SecretDialog
          title={`Password link for ${member.name}`}
          about="It works once and is not shown again. Hand it over yourself."
          secret={link}
          onClose={() => setLink(undefined)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={isOwn ? 'Remove yourself?' : `Remove ${member.name}?`}
          about={`${isOwn ? 'You are signed out at once, and cannot sign in any more.' : 'The sessions of this member end at once.'} Keys and webhooks stay, and so does the audit log.`}
          act="Remove member"
          busy="Removing…"
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await call('removeMember', { member_id: member.id })
            await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey })
            toast(`${member.name} was removed.`)
          }}
        />
      )}
    </>
  )
}
