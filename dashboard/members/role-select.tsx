import { useState } from 'react'
import { type Role, roles } from '../../contract/dashboard/paths.ts'
import { call } from '../api.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Select } from '../parts/select.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { sessionQuery } from '../session/queries.ts'
import { atLeast, useReason, useSession } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Member, membersQuery } from './queries.ts'

export const ROLE_NOTES: Record<Role, string> = {
  viewer: 'reads',
  member: 'writes data',
  admin: 'keys, webhooks, members',
  owner: 'everything',
}

/** A member cannot give a role above their own, and is asked before giving up their own one: they could not take it back. */
export function RoleSelect({ member }: { member: Member }) {
  const { member: me } = useSession()
  const reason = useReason('updateMember')
  const [given, setGiven] = useState<Role>()
  const change = async (role: Role) => {
    await call('updateMember', { member_id: member.id, role })
    await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey })
    if (member.id === me.id) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    toast(`${member.name} is ${role} now.`)
  }
  const { run, problem } = useAction(change)
  const isLower = (role: Role) => !atLeast(role, member.role)
  const choose = (role: Role) => {
    if (role === member.role) return
    if (member.id === me.id && isLower(role)) setGiven(role)
    else void run(role)
  }
  const fixed = reason !== undefined || !atLeast(me.role, member.role)
  return (
    <>
      <Select
        label={`Role of ${member.name}`}
        disabled={fixed}
        value={member.role}
        options={roles
          .filter((role) => atLeast(me.role, role) || role === member.role)
          .map((role) => ({ value: role, label: role, note: ROLE_NOTES[role] }))}
        onChange={choose}
        className="sm"
      />
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
      {given && (
        <ConfirmDialog
          title={`Give up the role ${member.role}?`}
          about={`You are ${given} then, at once. Only somebody with the role ${member.role} can give it back to you.`}
          act={`Become ${given}`}
          busy="Saving…"
          onClose={() => setGiven(undefined)}
          onConfirm={() => change(given)}
        />
      )}
    </>
  )
}
