import { DAY_MS } from '../../contract/units.ts'
import type { Database, Queryable } from '../database/database.ts'
import { deleteExpiredSessions, findSession, insertSession, type SessionRow, touchSession } from './session-queries.ts'
import { hashToken, newToken } from './tokens.ts'

export const SESSION_DAYS = 30
/** The precision of the last use of a session. */
const TOUCH_MS = 5 * 60 * 1000

export interface NewSession {
  token: string
  expiresAt: string
}

/** Only the cookie has the token. The database stores a hash. */
export async function createSession(db: Queryable, memberId: string, now = Date.now()): Promise<NewSession> {
  const token = newToken()
  const at = new Date(now).toISOString()
  const expiresAt = new Date(now + SESSION_DAYS * DAY_MS).toISOString()
  await deleteExpiredSessions(db, at)
  await insertSession(db, { tokenHash: hashToken(token), memberId, at, expiresAt })
  return { token, expiresAt }
}

/** The session of a token, if it has not ended. Every request reads it from the database, so a session ends on all nodes at once. */
export async function useSession(database: Database, token: string, now = Date.now()): Promise<SessionRow | undefined> {
  const at = new Date(now).toISOString()
  const tokenHash = hashToken(token)
  const session = await findSession(database, tokenHash, at)
  if (session && (session.last_active_at === null || Date.parse(session.used_at) < now - TOUCH_MS))
    await touchSession(database, tokenHash, at)
  return session
}
