import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { body, Done, oneOf, orNull, resource, text, time } from './fields.ts'
import { paths, roles } from './paths.ts'
import { email } from './session.ts'

/** The members of the account, and the links that invite them. */

export const Member = resource({
  id: text,
  email: text,
  name: text,
  role: oneOf(roles),
  created_at: time,
  last_active_at: orNull(time),
})
export type Member = Static<typeof Member>

export const Invitation = resource({
  id: text,
  email: orNull(text),
  role: oneOf(roles),
  invited_by: orNull(text),
  created_at: time,
  expires_at: time,
})
export type Invitation = Static<typeof Invitation>

/** A link to hand over. It works once and is not shown again. */
export const NewLink = resource({ url: text, expires_at: time })

export const memberOperations = {
  listMembers: {
    ...paths.listMembers,
    response: resource({ data: Type.Array(Member), invitations: Type.Array(Invitation) }),
  },
  /** A member cannot give a role above their own, and the last owner stays an owner. */
  updateMember: { ...paths.updateMember, body: body({ role: oneOf(roles) }), response: Member },
  removeMember: { ...paths.removeMember, response: Done },
  createPasswordLink: { ...paths.createPasswordLink, response: NewLink },
  createInvitation: {
    ...paths.createInvitation,
    body: body({ role: oneOf(roles), email: Type.Optional(email) }),
    response: resource({ ...NewLink.properties, invitation: Invitation }),
  },
  revokeInvitation: { ...paths.revokeInvitation, response: Done },
} as const
