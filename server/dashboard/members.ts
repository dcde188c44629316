import { dashboardLimits } from '../../contract/dashboard/limits.ts'
import { type Role, roles } from '../../contract/dashboard/paths.ts'
import type { Invitation, Member } from '../../contract/dashboard/settings.ts'
import { record } from '../audit/record.ts'
import type { OpenTransaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { errors } from '../errors.ts'
import { deleteInvitation, listInvitations } from '../members/link-queries.ts'
import { createLink } from '../members/links.ts'
import {
  deleteMember,
  findMember,
  findMemberByEmail,
  listMembers,
  lockOwners,
  type MemberRow,
  updateRole,
} from '../members/queries.ts'
import { actorOf, type DashboardHandlers, DONE, type MemberCaller } from './call.ts'
import type { DashboardParts } from './parts.ts'

type Names =
  | 'listMembers'
  | 'updateMember'
  | 'removeMember'
  | 'createPasswordLink'
  | 'createInvitation'
  | 'revokeInvitation'

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
        const member = await changeable(transaction, grant, params.member_id)
        refuseHigher(grant, body.role)
        if (body.role !== 'owner') await keepAnOwner(transaction, member)
        await updateRole(transaction, member.id, body.role)
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
        const member = await changeable(transaction, call.grant, call.params.member_id)
        await keepAnOwner(transaction, member)
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
        const member = await changeable(transaction, grant, params.member_id)
        const link = await createLink(transaction, {
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

    createInvitation: async (call) => {
      const { grant, body, exchange } = call
      const email = body.email ?? null
      refuseHigher(grant, body.role)
      if (email !== null && (await findMemberByEmail(database, email)))
        throw errors.conflict(`${email} is a member already.`)
      return await inTransaction(database, async (transaction) => {
        await refuseMany(transaction, grant.accountId)
        const invitedBy = grant.session.name
        const request = { accountId: grant.accountId, kind: 'invitation', role: body.role, email, invitedBy } as const
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

/** A member of the same account whose role is not above that of the caller. */
async function changeable(transaction: OpenTransaction, grant: MemberCaller, text: string): Promise<MemberRow> {
  const id = uuidOf(text)
  const member = id === undefined ? undefined : await findMember(transaction, grant.accountId, id)
  if (!member) throw errors.gone('Member', text)
  refuseHigher(grant, member.role)
  return member
}

function refuseHigher({ session }: MemberCaller, role: Role): void {
  if (roles.indexOf(role) > roles.indexOf(session.role)) throw errors.roleRequired(role)
}

async function keepAnOwner(transaction: OpenTransaction, { id, account_id }: MemberRow): Promise<void> {
  const owners = await lockOwners(transaction, account_id)
  if (owners.length === 1 && owners[0] === id)
    throw errors.conflict('The last owner stays. Make somebody else an owner first.')
}

async function refuseMany(transaction: OpenTransaction, accountId: number): Promise<void> {
  const at = new Date().toISOString()
  const members = await listMembers(transaction, accountId)
  const invitations = await listInvitations(transaction, accountId, at)
  if (members.length + invitations.length >= dashboardLimits.membersPerAccount)
    throw errors.conflict(`An account has at most ${dashboardLimits.membersPerAccount} members and invitations.`)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Undefined for a text that is not a UUID. */
export function uuidOf(text: string): string | undefined {
  return UUID.test(text) ? text : undefined
}

function memberOutput({ id, email, name, role, created_at, last_active_at }: MemberRow): Member {
  return { id, email, name, role, created_at, last_active_at }
}

function invitationOutput(link: {
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
