import type { EnvironmentId, Queryable } from '../database/database.ts'
import { bytesOf } from '../lists/measured.ts'

/** Of whom the values of an entry are. Their deletion empties them. */
export interface ValueOwners {
  environmentId: EnvironmentId
  userId?: string | null
  groupId?: string | null
}

export interface AuditValues {
  entryId: string
  /** JSON text. */
  before: string | null
  after: string | null
}

export async function insertAuditValues(
  db: Queryable,
  { environmentId, userId = null, groupId = null }: ValueOwners,
  { entryId, before, after }: AuditValues,
): Promise<void> {
  await db.query(
    `insert into audit_values (environment_id, entry_id, user_id, group_id, before, after)
     values ($1::int, $2::uuid, $3::text, $4::text, $5::jsonb, $6::jsonb)`,
    [environmentId, entryId, userId, groupId, before, after],
  )
}

/** The bytes of the values of entries, the newest entry first. They are measured before they are read. */
export async function findValueSizes(
  db: Queryable,
  environmentIds: readonly EnvironmentId[],
  entryIds: readonly string[],
): Promise<{ entryId: string; bytes: number }[]> {
  return await db.query<{ entryId: string; bytes: number }>(
    `select entry_id as "entryId", coalesce(${bytesOf('before')}, 0) + coalesce(${bytesOf('after')}, 0) as bytes
       from audit_values
      where environment_id = any($1::int[]) and entry_id = any($2::uuid[])
      order by entry_id desc`,
    [environmentIds, entryIds],
  )
}

export async function findAuditValues(
  db: Queryable,
  environmentIds: readonly EnvironmentId[],
  entryIds: readonly string[],
): Promise<AuditValues[]> {
  return await db.query<AuditValues & Record<string, unknown>>(
    `select entry_id as "entryId", before::text, after::text
       from audit_values
      where environment_id = any($1::int[]) and entry_id = any($2::uuid[])`,
    [environmentIds, entryIds],
  )
}
