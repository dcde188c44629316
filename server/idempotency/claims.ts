import type { EnvironmentId, Queryable } from '../database/database.ts'
import { ApiError, errors } from '../errors.ts'
import { isKeyOfAnother, KEPT } from './queries.ts'
import type { IdempotencyKey } from './run-once.ts'

/**
 * For requests that write in several transactions: batches and replays. The key belongs to the request before its first
 * write, so that no other request with this key is carried out, not even in part. The claim is a row under the key itself.
 * Its `body` is the number of requests that have claimed it: the last of them that stored nothing releases the key.
 *
 * Every other row has an answer as its `body`, which is an object. Versions without claims stored such an answer under the
 * key of a batch or a replay itself. It is left alone: a repeat of that request is 409, and nothing is stored twice.
 */
const IS_CLAIM = `body ~ '^[0-9]+$'`
/** The claim of the request `$3`. */
const OWN_CLAIM = `environment_id = $1::int and key = $2::text and fingerprint = decode($3::text, 'hex') and ${IS_CLAIM}`

/** `isRefused` says of a result that nothing was stored. After a failure with 4xx nothing is, after one with 5xx it may be. */
export async function runClaimed<Result>(
  db: Queryable,
  environmentId: EnvironmentId,
  key: IdempotencyKey | undefined,
  run: () => Promise<Result>,
  isRefused: (result: Result) => boolean = () => false,
): Promise<Result> {
  if (!key) return await run()
  await claimKey(db, environmentId, key)
  try {
    const result = await run()
    if (isRefused(result)) await releaseKey(db, environmentId, key)
    return result
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await releaseKey(db, environmentId, key)
    throw error
  }
}

/** Throws when another request has used the key. A repeat of the same request shares the claim. */
async function claimKey(db: Queryable, environmentId: EnvironmentId, claim: IdempotencyKey): Promise<void> {
  if (await isKeyOfAnother(db, environmentId, claim.key, claim.fingerprint)) throw errors.idempotencyKeyReused()
  if (await insertClaim(db, environmentId, claim)) return
  await deleteExpiredClaim(db, environmentId, claim)
  if (!(await insertClaim(db, environmentId, claim))) throw errors.idempotencyKeyReused()
}

/** For a request that certainly stored nothing. The row stays while another request holds the claim too. */
async function releaseKey(db: Queryable, environmentId: EnvironmentId, claim: IdempotencyKey): Promise<void> {
  await countDown(db, environmentId, claim)
  await deleteUnusedClaim(db, environmentId, claim)
}

/** Waits while another transaction stores the key. A repeat begins the 24 hours again: it may store more operations. */
async function insertClaim(
  db: Queryable,
  environmentId: EnvironmentId,
  { key, fingerprint }: IdempotencyKey,
): Promise<boolean> {
  const claimed = await db.query(
    `insert into idempotency_keys as claim (environment_id, key, fingerprint, body, created_at)
     values ($1::int, $2::text, decode($3::text, 'hex'), '1', now())
         on conflict (environment_id, key)
         do update set body = (claim.body::int + 1)::text, created_at = excluded.created_at
                 where claim.fingerprint = excluded.fingerprint and claim.${IS_CLAIM}
     returning 1`,
    [environmentId, key, fingerprint],
  )
  return claimed.length > 0
}

async function deleteExpiredClaim(db: Queryable, environmentId: EnvironmentId, { key }: IdempotencyKey): Promise<void> {
  await db.query(
    `delete from idempotency_keys
      where environment_id = $1::int and key = $2::text and created_at < now() - ${KEPT}`,
    [environmentId, key],
  )
}

async function countDown(
  db: Queryable,
  environmentId: EnvironmentId,
  { key, fingerprint }: IdempotencyKey,
): Promise<void> {
  await db.query(`update idempotency_keys set body = (body::int - 1)::text where ${OWN_CLAIM}`, [
    environmentId,
    key,
    fingerprint,
  ])
}

async function deleteUnusedClaim(
  db: Queryable,
  environmentId: EnvironmentId,
  { key, fingerprint }: IdempotencyKey,
): Promise<void> {
  await db.query(`delete from idempotency_keys where ${OWN_CLAIM} and body = '0'`, [environmentId, key, fingerprint])
}
