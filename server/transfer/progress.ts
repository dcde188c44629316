import type { EnvironmentId, Queryable } from '../database/database.ts'
import type { RejectedLine } from './records.ts'

/** How far an import has come: all lines up to `lines` are stored or refused. */
export interface ImportProgress {
  lines: number
  stored: number
  refused: number
  chunkStart: number
  rejected: RejectedLine[]
}

export async function findProgress(
  db: Queryable,
  environmentId: EnvironmentId,
  source: string,
): Promise<ImportProgress | undefined> {
  const [row] = await db.query<Omit<ImportProgress, 'rejected'> & { rejected: string }>(
    `select lines, stored, refused, chunk_start as "chunkStart", rejected
       from imports
      where environment_id = $1::int and source = $2::text`,
    [environmentId, source],
  )
  return row && { ...row, rejected: JSON.parse(row.rejected) }
}

/** False when another import of the same source has made progress meanwhile. Then this chunk must not be stored. */
export async function advance(
  db: Queryable,
  environmentId: EnvironmentId,
  source: string,
  from: number,
  { lines, stored, refused, chunkStart, rejected }: ImportProgress,
): Promise<boolean> {
  const rows = await db.query(
    `insert into imports as known (environment_id, source, lines, stored, refused, chunk_start, rejected, updated_at)
     values ($1::int, $2::text, $4::bigint, $5::bigint, $6::bigint, $7::bigint, $8::text, now())
     on conflict (environment_id, source) do update
       set lines = excluded.lines, stored = known.stored + excluded.stored, refused = known.refused + excluded.refused,
           chunk_start = excluded.chunk_start, rejected = excluded.rejected, updated_at = excluded.updated_at
     where known.lines = $3::bigint
     returning 1`,
    [environmentId, source, from, lines, stored, refused, chunkStart, JSON.stringify(rejected)],
  )
  return rows.length === 1
}

export async function forgetProgress(db: Queryable, environmentId: EnvironmentId, source: string): Promise<void> {
  await db.query('delete from imports where environment_id = $1::int and source = $2::text', [environmentId, source])
}
