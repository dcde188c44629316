import { binaryArray } from '../database/binary-array.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { checkStored, insertForms, mapForms, queryParts } from '../database/forms.ts'
import { findForms, whereForms } from '../database/key-forms.ts'
import { type Indexed, itemsOf, type Part, rowsByPart } from '../database/parts.ts'

export interface StoredAnswer {
  key: string
  fingerprint: string
  body: string
  isExpired: boolean
}

export interface NewAnswer {
  key: string
  fingerprint: string
  body: string
  /** What the answer is about: empty when it is about no user, or no group. */
  userId: string
  groupId: string
}

/** How long a repeat gets the answer of the first request. */
export const KEPT = `interval '24 hours'`

const FOUND = `key, encode(fingerprint, 'hex') as fingerprint, body, created_at < clock_timestamp() - ${KEPT} as "isExpired"`
const FIND = findForms('idempotency_keys', { key: 'text' }, FOUND)

/** The stored answers of each part. */
export async function findAnswers(db: Queryable, keys: readonly Part<string>[]): Promise<StoredAnswer[][]> {
  const rows = await queryParts<StoredAnswer & Indexed>(db, FIND, keys, [itemsOf(keys)])
  return rowsByPart(keys, rows)
}

/** Whether another request has used a key, or keys that are made from it: the key, a space and a number. */
export async function isKeyOfAnother(
  db: Queryable,
  environmentId: EnvironmentId,
  key: string,
  fingerprint: string,
): Promise<boolean> {
  const found = await db.query(
    `select 1 from idempotency_keys
      where environment_id = $1::int and key >= $2::text and key < $2::text || '!'
        and fingerprint not in (decode($3::text, 'hex'), '') and created_at >= clock_timestamp() - ${KEPT}
      limit 1`,
    [environmentId, key, fingerprint],
  )
  return found.length > 0
}

/** Citus copies the rows of an insert with a volatile function, as `clock_timestamp()` is, through the coordinator. */
const INSERT = insertForms(
  ({ environmentId, from, where, arrays, named }) => `
    insert into idempotency_keys (environment_id, key, fingerprint, body, user_id, group_id, created_at)
    select ${environmentId}, key, fingerprint, body, nullif(user_id, ''), nullif(group_id, ''), now()
      from ${from}unnest(${arrays}$2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[])
             as given (${named}key, fingerprint, body, user_id, group_id)
     where ${where} ${from === '' ? '' : 'returning 1'}`,
)

/** In the order of the keys: two nodes that store the same ones wait for each other in the same order. */
export async function insertAnswers(db: Transaction, answers: readonly Part<NewAnswer>[]): Promise<void> {
  const parts = answers.map(({ environmentId, items }) => ({
    environmentId,
    items: items.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  }))
  const rows = itemsOf(parts)
  const column = (name: keyof NewAnswer) => rows.map((row) => row[name])
  const arrays = [
    binaryArray('text', column('key')),
    binaryArray('bytea', column('fingerprint')),
    binaryArray('text', column('body')),
    binaryArray('text', column('userId')),
    binaryArray('text', column('groupId')),
  ]
  checkStored(db, parts, await queryParts(db, INSERT, parts, arrays))
}

const DELETE = mapForms(
  whereForms('idempotency_keys', { key: 'text' }),
  (where) => `delete from idempotency_keys where ${where}`,
)

/** Other nodes may delete them too. */
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
