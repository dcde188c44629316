import type { Queryable } from '../database/database.ts'

export interface AuditRow {
  id: string
  at: string
  actor_kind: 'member' | 'command' | 'key'
  actor_id: string | null
  actor_name: string
  action: string
  target_kind: string
  target_id: string
  target_name: string | null
  environment: string | null
  address: string | null
  request_id: string | null
  /** JSON text. */
  before: string | null
  after: string | null
}

export async function insertAuditEntry(db: Queryable, accountId: number, row: AuditRow): Promise<void> {
  await db.query(
    `insert into audit_entries
       (account_id, id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, environment,
        address, request_id, before, after)
     values ($1::int, $2::uuid, $3::timestamptz, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text,
             $11::text, $12::text, $13::text, $14::jsonb, $15::jsonb)`,
    [
      accountId,
      row.id,
      row.at,
      row.actor_kind,
      row.actor_id,
      row.actor_name,
      row.action,
      row.target_kind,
      row.target_id,
      row.target_name,
      row.environment,
      row.address,
      row.request_id,
      row.before,
      row.after,
    ],
  )
}

export interface AuditFilter {
  memberId?: string | undefined
  /** The whole action, or the part before its dot. */
  action?: string | undefined
  environment?: string | undefined
  since?: string | undefined
  until?: string | undefined
  /** The id of the last entry of the page before. */
  after?: string | undefined
  limit: number
}

/** Newest first. Each filter has an index. The statement is planned for its values, since most filters are absent. */
export async function listAuditEntries(
  db: { queryUnprepared: Queryable['query'] },
  accountId: number,
  { memberId, action, environment, since, until, after, limit }: AuditFilter,
): Promise<AuditRow[]> {
  const [kind, verb] = action?.split('.') ?? []
  return await db.queryUnprepared<AuditRow & Record<string, never>>(
    `select id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, environment,
            address, request_id, before::text, after::text
       from audit_entries
      where account_id = $1::int
        and ($2::text is null or actor_id = $2::text)
        and ($3::text is null or target_kind = $3::text)
        and ($4::text is null or action = $4::text)
        and ($5::text is null or environment = $5::text)
        and ($6::timestamptz is null or at >= $6::timestamptz)
        and ($7::timestamptz is null or at < $7::timestamptz)
        and ($8::uuid is null or id < $8::uuid)
      order by id desc
      limit $9::int`,
    [accountId, memberId, kind, verb === undefined ? undefined : action, environment, since, until, after, limit],
  )
}
