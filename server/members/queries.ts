import type { Role } from '../../contract/dashboard/paths.ts'
import type { Queryable, Transaction } from '../database/database.ts'

export interface MemberRow {
  id: string
  account_id: number
  email: string
  name: string
  role: Role
  created_at: string
  last_active_at: string | null
}

const COLUMNS = 'id, account_id, email, name, role, created_at, last_active_at'

export async function listMembers(db: Queryable, accountId: number): Promise<MemberRow[]> {
  return await db.query<MemberRow>(
    `select ${COLUMNS} from members where account_id = $1::int order by created_at, id`,
    [accountId],
  )
}

export async function findMember(db: Queryable, accountId: number, id: string): Promise<MemberRow | undefined> {
  const [row] = await db.query<MemberRow>(
    `select ${COLUMNS} from members where account_id = $1::int and id = $2::uuid`,
    [accountId, id],
  )
  return row
}

/** By e-mail, ignoring case, over all accounts. */
export async function findMemberByEmail(
  db: Queryable,
  email: string,
): Promise<(MemberRow & { password: string }) | undefined> {
  const [row] = await db.query<MemberRow & { password: string }>(
    `select ${COLUMNS}, password from members where email_key = $1::text`,
    [emailKey(email)],
  )
  return row
}

export async function findPassword(db: Queryable, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ password: string }>('select password from members where id = $1::uuid', [id])
  return row?.password
}

/**
 * Whether the password of a member is still this one. It stays until the end of the transaction: a session that begins by it ends
 * with a change that waits for it.
 */
export async function keepPassword(db: Transaction, id: string, password: string): Promise<boolean> {
  const [row] = await db.query<{ password: string }>(
    'select password from members where id = $1::uuid for no key update',
    [id],
  )
  return row?.password === password
}

/** Returns undefined when a member has this address already. */
export async function insertMember(
  db: Queryable,
  member: Pick<MemberRow, 'id' | 'account_id' | 'email' | 'name' | 'role'> & { password: string },
  at: string,
): Promise<MemberRow | undefined> {
  const [row] = await db.query<MemberRow>(
    `insert into members (id, account_id, email, email_key, name, role, password, created_at)
     values ($1::uuid, $2::int, $3::text, $4::text, $5::text, $6::text, $7::text, $8::timestamptz)
     on conflict do nothing
     returning ${COLUMNS}`,
    [member.id, member.account_id, member.email, emailKey(member.email), member.name, member.role, member.password, at],
  )
  return row
}

/** Until the transaction ends the role stays, and the member. Undefined when the member was removed. */
export async function lockRole(db: Queryable, id: string): Promise<Role | undefined> {
  const [row] = await db.query<{ role: Role }>('select role from members where id = $1::uuid for share', [id])
  return row?.role
}

export async function updatePassword(db: Queryable, id: string, password: string): Promise<void> {
  await db.query('update members set password = $2::text where id = $1::uuid', [id, password])
}

/** The name that the member has, and keeps until the transaction ends. Undefined when the member was removed. */
export async function lockMemberName(db: Transaction, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>('select name from members where id = $1::uuid for no key update', [id])
  return row?.name
}

export async function updateMemberName(db: Queryable, id: string, name: string): Promise<void> {
  await db.query('update members set name = $2::text where id = $1::uuid', [id, name])
}

export async function updateRole(db: Queryable, id: string, role: Role): Promise<void> {
  await db.query('update members set role = $2::text where id = $1::uuid', [id, role])
}

export async function deleteMember(db: Queryable, id: string): Promise<void> {
  await db.query('delete from members where id = $1::uuid', [id])
}

/**
 * These members and the owners of the account, who stay as they are until the transaction ends. They are locked in the order of
 * their ids, and before links: a removal of a member locks those too.
 */
export async function lockMembers(db: Transaction, accountId: number, ids: readonly string[]): Promise<MemberRow[]> {
  return await db.query<MemberRow>(
    `select ${COLUMNS} from members
      where account_id = $1::int and (role = 'owner' or id = any($2::uuid[]))
      order by id
        for update`,
    [accountId, ids],
  )
}

/** Whether this account has an owner; without one, whether any account has. */
export async function hasOwner(db: Queryable, accountId?: number): Promise<boolean> {
  const rows = await db.query(
    "select from members where role = 'owner' and ($1::int is null or account_id = $1::int) limit 1",
    [accountId],
  )
  return rows.length > 0
}

function emailKey(email: string): string {
  return email.toLowerCase()
}
