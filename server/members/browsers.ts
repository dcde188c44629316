import type { Queryable } from '../database/database.ts'
import { hashToken, newToken } from './tokens.ts'

/** Browsers that a member has signed in with. They keep a token of their own, for the next time. */

/** Of one member. The one that was used least recently is forgotten first. */
const MOST_BROWSERS = 20

/** Whether this is the browser of the member. */
export async function isKnownBrowser(db: Queryable, memberId: string, token: string | undefined): Promise<boolean> {
  if (token === undefined) return false
  const rows = await db.query('select from member_browsers where token_hash = $1::bytea and member_id = $2::uuid', [
    hashToken(token),
    memberId,
  ])
  return rows.length > 0
}

/** The token that the browser keeps: its own, or a new one. */
export async function rememberBrowser(
  db: Queryable,
  memberId: string,
  known: string | undefined,
  at = new Date().toISOString(),
): Promise<string> {
  const token = known ?? newToken()
  await db.query(
    `insert into member_browsers (token_hash, member_id, used_at) values ($1::bytea, $2::uuid, $3::timestamptz)
     on conflict (token_hash) do update set used_at = excluded.used_at`,
    [hashToken(token), memberId, at],
  )
  await db.query(
    `delete from member_browsers
      where token_hash in (select token_hash from member_browsers where member_id = $1::uuid
                            order by used_at desc offset ${MOST_BROWSERS})`,
    [memberId],
  )
  return token
}

/** After a change of the password, which may have been known to somebody else. */
export async function forgetBrowsers(db: Queryable, memberId: string): Promise<void> {
  await db.query('delete from member_browsers where member_id = $1::uuid', [memberId])
}
