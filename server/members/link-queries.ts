import type { Role } from '../../contract/dashboard/paths.ts'
import type { linkKinds } from '../../contract/dashboard/session.ts'
import type { Queryable } from '../database/database.ts'

export type LinkKind = (typeof linkKinds)[number]

export interface LinkRow {
  id: string
  account_id: number
  account_name: string
  kind: LinkKind
  role: Role | null
  email: string | null
  member_id: string | null
  invited_by: string | null
  created_at: string
  expires_at: string
  used_at: string | null
}

const COLUMNS = `member_links.id, account_id, accounts.name as account_name, kind, role, email, member_id, invited_by,
            member_links.created_at, expires_at, used_at`

export async function findLink(db: Queryable, tokenHash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `select ${COLUMNS} from member_links join accounts on accounts.id = account_id where token_hash = $1::bytea`,
    [tokenHash],
  )
  return row
}

/** Locks the link: of two concurrent uses, one finds it used. */
export async function lockLink(db: Queryable, tokenHash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `select ${COLUMNS}
       from member_links join accounts on accounts.id = account_id
      where token_hash = $1::bytea
        for update of member_links`,
    [tokenHash],
  )
  return row
}

export async function insertLink(
  db: Queryable,
  link: Omit<LinkRow, 'account_name' | 'used_at'> & { tokenHash: Buffer; made_by: string | null },
): Promise<void> {
  await db.query(
    `insert into member_links
       (id, token_hash, account_id, kind, role, email, member_id, invited_by, created_at, expires_at, made_by)
     values ($1::uuid, $2::bytea, $3::int, $4::text, $5::text, $6::text, $7::uuid, $8::text, $9::timestamptz,
             $10::timestamptz, $11::uuid)`,
    [
      link.id,
      link.tokenHash,
      link.account_id,
      link.kind,
      link.role,
      link.email,
      link.member_id,
      link.invited_by,
      link.created_at,
      link.expires_at,
      link.made_by,
    ],
  )
}

/** Whether one was made before, also one that has expired. */
export async function hasSetUpLink(db: Queryable): Promise<boolean> {
  const rows = await db.query("select from member_links where kind = 'set_up' limit 1", [])
  return rows.length > 0
}

export async function markUsed(db: Queryable, id: string, at: string): Promise<void> {
  await db.query('update member_links set used_at = $2::timestamptz where id = $1::uuid', [id, at])
}

/** After a set-up link was used there is an owner, and the other set-up links are deleted. */
export async function deleteOtherLinks(db: Queryable, { account_id, kind, id }: LinkRow): Promise<void> {
  await db.query(
    `delete from member_links
      where account_id = $1::int and kind = $2::text and id <> $3::uuid and used_at is null`,
    [account_id, kind, id],
  )
}

/** A new link replaces earlier ones: only the latest works. */
export async function deleteOpenLinks(
  db: Queryable,
  accountId: number,
  kind: LinkKind,
  memberId: string | null,
): Promise<void> {
  await db.query(
    `delete from member_links
      where account_id = $1::int and kind = $2::text and member_id is not distinct from $3::uuid and used_at is null`,
    [accountId, kind, memberId],
  )
}

/** The open links that this member has made, and those for this member; except the one that is being used. */
export async function endLinksOf(db: Queryable, memberId: string, except: string | null = null): Promise<void> {
  await db.query(
    `delete from member_links
      where (made_by = $1::uuid or member_id = $1::uuid) and used_at is null and id is distinct from $2::uuid`,
    [memberId, except],
  )
}

export async function listInvitations(db: Queryable, accountId: number, at: string): Promise<LinkRow[]> {
  return await db.query<LinkRow>(
    `select ${COLUMNS}
       from member_links join accounts on accounts.id = account_id
      where account_id = $1::int and kind = 'invitation' and used_at is null and expires_at > $2::timestamptz
      order by member_links.created_at, member_links.id`,
    [accountId, at],
  )
}

/** In one statement: an invitation that is used meanwhile is counted once, as itself or as its member. */
export async function countMembersAndInvitations(db: Queryable, accountId: number, at: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select ((select count(*) from members where account_id = $1::int)
             + (select count(*) from member_links
                 where account_id = $1::int and kind = 'invitation' and used_at is null and expires_at > $2::timestamptz))::int as count`,
    [accountId, at],
  )
  return row?.count ?? 0
}

/** Returns the revoked invitation. */
export async function deleteInvitation(
  db: Queryable,
  accountId: number,
  id: string,
): Promise<{ email: string | null; role: Role } | undefined> {
  const [row] = await db.query<{ email: string | null; role: Role }>(
    `delete from member_links
      where account_id = $1::int and id = $2::uuid and kind = 'invitation' and used_at is null
     returning email, role`,
    [accountId, id],
  )
  return row
}
