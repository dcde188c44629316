import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

export interface StoredAnswer {
  key: string
  fingerprint: Buffer
  body: string
  isExpired: boolean
}

export interface NewAnswer {
  key: string
  fingerprint: Buffer
  body: string
}

/** How long a repeat gets the answer of the first request. */
const KEPT = `interval '24 hours'`

export async function findAnswers(
  db: Queryable,
  environmentId: EnvironmentId,
  keys: readonly string[],
): Promise<StoredAnswer[]> {
  return await db.query<StoredAnswer & Record<string, unknown>>(
    `select key, fingerprint, body, created_at < clock_timestamp() - ${KEPT} as "isExpired"
       from idempotency_keys
      where environment_id = $1::int and key = any($2::text[])`,
    [environmentId, keys],
  )
}

/** In the order of the keys: two nodes that store the same ones wait for each other in the same order. */
export async function insertAnswers(
  db: Transaction,
  environmentId: EnvironmentId,
  answers: readonly NewAnswer[],
): Promise<void> {
  const sorted = answers.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  await db.query(
    `insert into idempotency_keys (environment_id, key, fingerprint, body, created_at)
     select $1::int, row.key, row.fingerprint, row.body, clock_timestamp()
       from unnest($2::text[], $3::bytea[], $4::text[]) as row (key, fingerprint, body)`,
    [
      environmentId,
      sorted.map(({ key }) => key),
      sorted.map(({ fingerprint }) => fingerprint),
      sorted.map(({ body }) => body),
    ],
  )
}

export async function deleteAnswers(
  db: Transaction,
  environmentId: EnvironmentId,
  keys: readonly string[],
): Promise<void> {
  await db.query(`delete from idempotency_keys where environment_id = $1::int and key = any($2::text[])`, [
    environmentId,
    keys,
  ])
}

/** Of all environments. Says how many there were. */
export async function deleteExpiredAnswers(db: Queryable, most: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `with expired as (
       select environment_id, key from idempotency_keys
        where created_at < clock_timestamp() - ${KEPT}
        order by created_at
        limit $1::int
          for update skip locked
     ), deleted as (
       delete from idempotency_keys using expired
        where idempotency_keys.environment_id = expired.environment_id and idempotency_keys.key = expired.key
       returning 1
     )
     select count(*)::int as count from deleted`,
    [most],
  )
  return rows[0]?.count ?? 0
}
