import type { EditPurpose } from '../../contract/sdk/edit.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'

/** A row of `edit_sessions`, without its tokens. */
export interface EditRow {
  id: string
  member_id: string
  content_id: string
  origin: string
  purpose: EditPurpose
  step: string | null
  /** As whom a draft is previewed; null: as nobody. */
  user_id: string | null
  created_at: string
  exchanged_at: string | null
  used_at: string | null
  ended_at: string | null
}

type Row = EditRow & Record<string, unknown>

const COLUMNS = 'id, member_id, content_id, origin, purpose, step, user_id, created_at, exchanged_at, used_at, ended_at'

export async function insertEdit(
  db: Queryable,
  environmentId: EnvironmentId,
  row: Omit<EditRow, 'exchanged_at' | 'used_at' | 'ended_at'> & { tokenHash: Buffer },
): Promise<void> {
  await db.query(
    `insert into edit_sessions
       (environment_id, id, token_hash, member_id, content_id, origin, purpose, step, user_id, created_at)
     values ($1::int, $2::uuid, $3::bytea, $4::uuid, $5::uuid, $6::text, $7::text, $8::text, $9::text, $10::timestamptz)`,
    [
      ...[environmentId, row.id, row.tokenHash, row.member_id, row.content_id, row.origin, row.purpose],
      ...[row.step, row.user_id, row.created_at],
    ],
  )
}

/** Of several at once, one gets the row: a token is exchanged once, also by a page that may not have it. */
export async function exchangeEdit(
  db: Queryable,
  environmentId: EnvironmentId,
  tokenHash: Buffer,
  sessionHash: Buffer,
  at: string,
): Promise<EditRow | undefined> {
  const [row] = await db.query<Row>(
    `update edit_sessions
        set session_hash = $3::bytea, exchanged_at = $4::timestamptz, used_at = $4::timestamptz
      where environment_id = $1::int and token_hash = $2::bytea and exchanged_at is null
     returning ${COLUMNS}`,
    [environmentId, tokenHash, sessionHash, at],
  )
  return row
}

export async function findEditBySession(
  db: Queryable,
  environmentId: EnvironmentId,
  sessionHash: Buffer,
): Promise<EditRow | undefined> {
  const [row] = await db.query<Row>(
    `select ${COLUMNS} from edit_sessions where environment_id = $1::int and session_hash = $2::bytea`,
    [environmentId, sessionHash],
  )
  return row
}

export async function findEdit(db: Queryable, environmentId: EnvironmentId, id: string): Promise<EditRow | undefined> {
  const [row] = await db.query<Row>(
    `select ${COLUMNS} from edit_sessions where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id],
  )
  return row
}

export async function touchEdit(db: Queryable, environmentId: EnvironmentId, id: string, at: string): Promise<void> {
  await db.query(
    'update edit_sessions set used_at = $3::timestamptz where environment_id = $1::int and id = $2::uuid',
    [environmentId, id, at],
  )
}

export async function markEditEnded(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
  at: string,
): Promise<void> {
  await db.query(
    `update edit_sessions set ended_at = $3::timestamptz
      where environment_id = $1::int and id = $2::uuid and ended_at is null`,
    [environmentId, id, at],
  )
}

export async function deleteOldEdits(db: Queryable, environmentId: EnvironmentId, before: string): Promise<void> {
  await db.query('delete from edit_proposals where environment_id = $1::int and created_at < $2::timestamptz', [
    environmentId,
    before,
  ])
  await db.query('delete from edit_sessions where environment_id = $1::int and created_at < $2::timestamptz', [
    environmentId,
    before,
  ])
}
