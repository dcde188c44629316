import { APPLICATION_NAME, type Queryable, type Transaction } from '../database/database.ts'

/** The migration that sealed secrets came with. */
const SINCE = 50

/**
 * Whether a node may be running that does not open sealed secrets: it recorded its presence, or has a session from before the
 * migration. The record of a killed node ends after a day.
 */
export async function hasEarlierNode(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select exists (select from nodes where not opens_sealed)
            or exists (
              select from pg_stat_activity
               where datname = current_database() and application_name = $1::text
                 and backend_start < (select applied_at from schema_migrations where version = $2::int)) as found`,
    [APPLICATION_NAME, SINCE],
  )
  return row?.found === true
}

/** One process at a time decides which key it is. */
export async function lockKeyIds(db: Transaction): Promise<void> {
  await db.query('lock table secret_keys in share row exclusive mode', [])
}

export async function findKeyIds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>('select id from secret_keys order by created_at', [])
  return rows.map(({ id }) => id)
}

export async function insertKeyId(db: Transaction, id: string, at: string): Promise<void> {
  await db.query('insert into secret_keys (id, created_at) values ($1::text, $2::timestamptz)', [id, at])
}

export async function deleteOtherKeyIds(db: Transaction, id: string): Promise<void> {
  await db.query('delete from secret_keys where id <> $1::text', [id])
}

export async function deleteKeyIds(db: Transaction): Promise<void> {
  await db.query('delete from secret_keys', [])
}
