import type { Queryable, Transaction } from '../database/database.ts'

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

export async function deleteKeyIds(db: Transaction): Promise<void> {
  await db.query('delete from secret_keys', [])
}
