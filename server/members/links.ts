import { linkPages, type Role } from '../../contract/dashboard/paths.ts'
import { HOUR_MS } from '../../contract/units.ts'
import type { Queryable } from '../database/database.ts'
import { newId } from '../ids.ts'
import { deleteOpenLinks, insertLink, type LinkKind, type LinkRow } from './link-queries.ts'
import { hashToken, newToken } from './tokens.ts'

/** A set-up link is printed on the server; an invitation is sent by mail. */
const LIFE_MS: Record<LinkKind, number> = {
  set_up: 24 * HOUR_MS,
  password: 24 * HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
}

export interface NewLinkRequest {
  accountId: number
  kind: LinkKind
  role?: Role
  email?: string | null
  memberId?: string
  invitedBy?: string
  /** The member whose removal or demotion ends it. */
  madeBy?: string
}

export interface CreatedLink {
  id: string
  /** The path of the link on the server. The token is in the fragment, which browsers do not send. */
  path: string
  createdAt: string
  expiresAt: string
}

/** Creates a one-time link. Of the password links of a member only the latest works. Of the set-up links only one can be used. */
export async function createLink(db: Queryable, request: NewLinkRequest, now = Date.now()): Promise<CreatedLink> {
  const { accountId, kind, memberId = null } = request
  if (kind === 'password') await deleteOpenLinks(db, accountId, kind, memberId)
  const token = newToken()
  const created = {
    id: newId(now),
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + LIFE_MS[kind]).toISOString(),
  }
  await insertLink(db, {
    ...created,
    tokenHash: hashToken(token),
    account_id: accountId,
    kind,
    role: request.role ?? null,
    email: request.email ?? null,
    member_id: memberId,
    invited_by: request.invitedBy ?? null,
    made_by: request.madeBy ?? null,
  })
  const path = `${linkPages[kind]}#${token}`
  return { id: created.id, path, createdAt: created.created_at, expiresAt: created.expires_at }
}

export type LinkState = 'open' | 'used' | 'expired' | 'unknown'

export function linkState(link: LinkRow | undefined, now = Date.now()): LinkState {
  if (!link) return 'unknown'
  if (link.used_at !== null) return 'used'
  return Date.parse(link.expires_at) <= now ? 'expired' : 'open'
}
