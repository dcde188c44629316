import type { EnvironmentId, Queryable } from '../database/database.ts'
import { ApiError, errors } from '../errors.ts'
import { toApiError } from '../http/failures.ts'
import { checkKey, fingerprintOf, type RequestKey } from '../http/idempotency-key.ts'
import { isKeyOfAnother } from '../idempotency/queries.ts'
import type { ParsedOperation } from './parse.ts'

/** The key of the batch was used for another request. The keys of its operations alone would refuse only some of them. */
export async function refuseOtherRequest(
  db: Queryable,
  environmentId: EnvironmentId,
  { key, fingerprint }: RequestKey,
): Promise<void> {
  if (await isKeyOfAnother(db, environmentId, key, fingerprint)) throw errors.idempotencyKeyReused()
}

/**
 * The own key of each operation, or one made from that of the batch: the transaction that stores an operation stores its
 * answer. The first valid operation without a key has that of the batch, so that no other request can use it.
 */
export function keysOf(
  batchKey: RequestKey | undefined,
  operations: readonly (ParsedOperation | ApiError)[],
): (RequestKey | ApiError | undefined)[] {
  let isFirst = true
  return operations.map((operation, index) => {
    if (operation instanceof ApiError) return undefined
    if (operation.given.idempotency_key != null) return ownKey(operation)
    if (!batchKey || isFirst) {
      isFirst = false
      return batchKey
    }
    // A key of a client has no space, so the two cannot collide.
    return { key: `${batchKey.key} ${index}`, fingerprint: batchKey.fingerprint }
  })
}

function ownKey({ given: { method, path, body, idempotency_key } }: ParsedOperation): RequestKey | ApiError {
  try {
    const key = checkKey(idempotency_key as string, 'idempotency_key')
    return { key, fingerprint: fingerprintOf(method, path, body) }
  } catch (error) {
    return toApiError(error)
  }
}
