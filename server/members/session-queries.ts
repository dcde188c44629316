import type { PlanName } from '../../contract/plans.ts'
import type { Queryable } from '../database/database.ts'
import type { MemberRow } from './queries.ts'

export interface SessionRow extends MemberRow {
  account_name: string
  plan: PlanName
  idle_hours: number | null
  used_at: string
  expires_at: string
}

/** A session that has not ended, with its member and account. */
export async function findSession(db: Queryable, tokenHash: Buffer, at: string): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow>(
    `select members.id, account_id, email, members.name, role, members.created_at, last_active_at,
            accounts.name as account_name, plan, idle_hours, used_at, expires_at
       from member_sessions
       join members on members.id = member_id
       join accounts on accounts.id = account_id
      where token_hash = $1::bytea and expires_at > $2::timestamptz
        and (idle_hours is null or used_at > $2::timestamptz - make_interval(hours => idle_hours))`,
    [tokenHash, at],
  )
  return row
}

export async function insertSession(
  db: Queryable,
  session: { tokenHash: Buffer; memberId: string; at: string; expiresAt: string },
): Promise<void> {
  await db.query(
    `insert into member_sessions (token_hash, member_id, created_at, used_at, expires_at)
     values ($1::bytea, $2::uuid, $3::timestamptz, $3::timestamptz, $4::timestamptz)`,
    [session.tokenHash, session.memberId, session.at, session.expiresAt],
  )
}

/** The member first, as whoever removes a member or ends the sessions of one locks them. */
export async function touchSession(db: Queryable, tokenHash: Buffer, at: string): Promise<void> {
  await db.query(
    `with active as (
       update members set last_active_at = $2::timestamptz from member_sessions
        where token_hash = $1::bytea and members.id = member_id
       returning members.id
     )
     update member_sessions set used_at = $2::timestamptz from active
      where token_hash = $1::bytea and member_id = active.id`,
    [tokenHash, at],
  )
}

export async function deleteSession(db: Queryable, tokenHash: Buffer): Promise<void> {
  await db.query('delete from member_sessions where token_hash = $1::bytea', [tokenHash])
}

export async function deleteSessionsOf(db: Queryable, memberId: string): Promise<void> {
  await db.query('delete from member_sessions where member_id = $1::uuid', [memberId])
}

export async function deleteExpiredSessions(db: Queryable, at: string): Promise<void> {
  await db.query('delete from member_sessions where expires_at <= $1::timestamptz', [at])
}
