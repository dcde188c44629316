import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import {
  type Forms,
  findForms,
  type Indexed,
  itemsOf,
  mapForms,
  type Part,
  queryParts,
  rowsByPart,
  whereForms,
} from '../database/parts.ts'

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

const FOUND = `key, fingerprint, body, created_at < clock_timestamp() - ${KEPT} as "isExpired"`
const FIND = findForms('idempotency_keys', { key: 'text' }, FOUND)

/** The stored answers of each part. */
export async function findAnswers(db: Queryable, keys: readonly Part<string>[]): Promise<StoredAnswer[][]> {
  const rows = await queryParts<StoredAnswer & Indexed>(db, FIND, keys, [itemsOf(keys)])
  return rowsByPart(keys, rows)
}

const INSERT: Forms = {
  one: `
    insert into idempotency_keys (environment_id, key, fingerprint, body, created_at)
    select $1::int, row.*, clock_timestamp()
      from unnest($2::text[], $3::bytea[], $4::text[]) as row (key, fingerprint, body)`,
  many: `
    insert into idempotency_keys (environment_id, key, fingerprint, body, created_at)
    select row.*, clock_timestamp()
      from unnest($1::int[], $2::text[], $3::bytea[], $4::text[]) as row (environment_id, key, fingerprint, body)`,
}

/** In the order of the keys: two nodes that store the same ones wait for each other in the same order. */
export async function insertAnswers(db: Transaction, answers: readonly Part<NewAnswer>[]): Promise<void> {
  const parts = answers.map(({ environmentId, items }) => ({
    environmentId,
    items: items.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  }))
  const sorted = itemsOf(parts)
  await queryParts(db, INSERT, parts, [
    sorted.map(({ key }) => key),
    sorted.map(({ fingerprint }) => fingerprint),
    sorted.map(({ body }) => body),
  ])
}

const DELETE = mapForms(
  whereForms('idempotency_keys', { key: 'text' }),
  (where) => `delete from idempotency_keys where ${where}`,
)

/** Nobody changes one that is there; others may delete it as well. */
export async function deleteAnswers(db: Transaction, keys: readonly Part<string>[]): Promise<void> {
  await queryParts(db, DELETE, keys, [itemsOf(keys)])
}

/** Of one environment. Says how many there were. */
export async function deleteExpiredAnswersOf(
  db: Queryable,
  environmentId: EnvironmentId,
  most: number,
): Promise<number> {
  const deleted = await db.query(
    `delete from idempotency_keys
      where environment_id = $1::int and key = any(array(
        select key from idempotency_keys
         where environment_id = $1::int and created_at < clock_timestamp() - ${KEPT}
         limit $2::int
           for update skip locked))
     returning 1`,
    [environmentId, most],
  )
  return deleted.length
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
