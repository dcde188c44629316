import type { Member } from '../../contract/dashboard/members.ts'
import { record } from '../audit/record.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { endLinksOf, listInvitations } from '../members/link-queries.ts'
import { createLink } from '../members/links.ts'
import { deleteMember, listMembers, type MemberRow, updateRole } from '../members/queries.ts'
import { actorOf, type DashboardHandlers, DONE } from './call.ts'
import { invitationOutput } from './invitations.ts'
import { changeable, isLower, keepAnOwner, refuseHigher } from './member-rules.ts'
import type { DashboardParts } from './parts.ts'

type Names = 'listMembers' | 'updateMember' | 'removeMember' | 'createPasswordLink'

export function memberHandlers({ services: { database }, apiUrl }: DashboardParts): Pick<DashboardHandlers, Names> {
  return {
    listMembers: async ({ grant }) => {
      const [members, invitations] = await Promise.all([
        listMembers(database, grant.accountId),
        listInvitations(database, grant.accountId, new Date().toISOString()),
      ])
      return { data: members.map(memberOutput), invitations: invitations.map(invitationOutput) }
    },

    updateMember: async (call) => {
      const { grant, params, body } = call
      return await inTransaction(database, async (transaction) => {
        const found = await changeable(transaction, grant, params.member_id, 'admin')
        const { member, callerRole } = found
        refuseHigher(callerRole, body.role)
        if (body.role !== 'owner') keepAnOwner(found)
        await updateRole(transaction, member.id, body.role)
        if (isLower(body.role, member.role)) await endLinksOf(transaction, member.id)
        await record(transaction, actorOf(call), {
          action: 'member.role_changed',
          target: { id: member.id, name: member.email },
          before: { role: member.role },
          after: { role: body.role },
        })
        return memberOutput({ ...member, role: body.role })
      })
    },

    removeMember: async (call) => {
      await inTransaction(database, async (transaction) => {
        const found = await changeable(transaction, call.grant, call.params.member_id, 'admin')
        const { member } = found
        keepAnOwner(found)
        await deleteMember(transaction, member.id)
        await record(transaction, actorOf(call), {
          action: 'member.removed',
          target: { id: member.id, name: member.email },
          before: { name: member.name, role: member.role },
        })
      })
      return DONE
    },

    createPasswordLink: async (call) => {
      const { grant, params, exchange } = call
      return await inTransaction(database, async (transaction) => {
        const { member } = await changeable(transaction, grant, params.member_id, 'owner')
        const link = await createLink(transaction, {
          madeBy: grant.session.id,
          accountId: grant.accountId,
          kind: 'password',
          memberId: member.id,
          email: member.email,
        })
        await record(transaction, actorOf(call), {
          action: 'member.link_created',
          target: { id: member.id, name: member.email },
        })
        return { url: apiUrl(exchange) + link.path, expires_at: link.expiresAt }
      })
    },
  }
}

function memberOutput({ id, email, name, role, created_at, last_active_at }: MemberRow): Member {
  return { id, email, name, role, created_at, last_active_at }
}
