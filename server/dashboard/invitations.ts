import { dashboardLimits } from '../../contract/dashboard/limits.ts'
import type { Invitation } from '../../contract/dashboard/members.ts'
import type { Role } from '../../contract/dashboard/paths.ts'
import { lockAccount } from '../accounts/queries.ts'
import { record } from '../audit/record.ts'
import type { OpenTransaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { errors } from '../errors.ts'
import { countMembersAndInvitations, deleteInvitation } from '../members/link-queries.ts'
import { createLink } from '../members/links.ts'
import { findMemberByEmail } from '../members/queries.ts'
import { actorOf, type DashboardHandlers, DONE } from './call.ts'
import { atLeast, confirmRole, refuseHigher } from './member-rules.ts'
import type { DashboardParts } from './parts.ts'
import { uuidOf } from './uuid.ts'

type Names = 'createInvitation' | 'revokeInvitation'

export function invitationHandlers({ services: { database }, apiUrl }: DashboardParts): Pick<DashboardHandlers, Names> {
  return {
    createInvitation: async (call) => {
      const { grant, body, exchange } = call
      const email = body.email ?? null
      refuseHigher(grant.session.role, body.role)
      // Members of other accounts are not told of.
      if (email !== null && (await findMemberByEmail(database, email))?.account_id === grant.accountId)
        throw errors.conflict(`${email} is a member already.`)
      return await inTransaction(database, async (transaction) => {
        await refuseMany(transaction, grant.accountId)
        await confirmRole(transaction, grant, atLeast('admin', body.role))
        const { name: invitedBy, id: madeBy } = grant.session
        const made = { invitedBy, madeBy }
        const request = { accountId: grant.accountId, kind: 'invitation', role: body.role, email, ...made } as const
        const link = await createLink(transaction, request)
        await record(transaction, actorOf(call), {
          action: 'invitation.created',
          target: { id: link.id, name: email },
          after: { role: body.role },
        })
        const { id, createdAt: created_at, expiresAt: expires_at } = link
        const invitation = { id, email, role: body.role, invited_by: invitedBy, created_at, expires_at }
        return { url: apiUrl(exchange) + link.path, expires_at, invitation }
      })
    },

    revokeInvitation: async (call) => {
      const { grant, params } = call
      await inTransaction(database, async (transaction) => {
        await confirmRole(transaction, grant, 'admin')
        const id = uuidOf(params.invitation_id)
        const revoked = id === undefined ? undefined : await deleteInvitation(transaction, grant.accountId, id)
        if (!revoked) throw errors.gone('Invitation', params.invitation_id)
        await record(transaction, actorOf(call), {
          action: 'invitation.revoked',
          target: { id: params.invitation_id, name: revoked.email },
          before: { role: revoked.role },
        })
      })
      return DONE
    },
  }
}

async function refuseMany(transaction: OpenTransaction, accountId: number): Promise<void> {
  await lockAccount(transaction, accountId)
  const taken = await countMembersAndInvitations(transaction, accountId, new Date().toISOString())
  if (taken >= dashboardLimits.membersPerAccount)
    throw errors.conflict(`An account has at most ${dashboardLimits.membersPerAccount} members and invitations.`)
}

export function invitationOutput(link: {
  id: string
  email: string | null
  role: Role | null
  invited_by: string | null
  created_at: string
  expires_at: string
}): Invitation {
  const { id, email, role, invited_by, created_at, expires_at } = link
  return { id, email, role: role ?? 'viewer', invited_by, created_at, expires_at }
}
