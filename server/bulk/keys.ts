import { ApiError, errors } from '../errors.ts'
import { toApiError } from '../http/failures.ts'
import { checkKey, fingerprintOf, type RequestKey } from '../http/idempotency-key.ts'
import type { ParsedOperation } from './parse.ts'

/**
 * The own key of each operation, or one made from that of the batch: the transaction that stores an operation stores its
 * answer. The key of the batch itself is claimed before (`idempotency/claims.ts`).
 */
export function keysOf(
  batchKey: RequestKey | undefined,
  operations: readonly (ParsedOperation | ApiError)[],
): (RequestKey | ApiError | undefined)[] {
  return operations.map((operation, index) => {
    if (operation instanceof ApiError) return undefined
    if (operation.given.idempotency_key != null) return ownKey(operation, batchKey)
    // A key of a client has no space, so the two cannot collide.
    return batchKey && { key: `${batchKey.key} ${index}`, fingerprint: batchKey.fingerprint }
  })
}

function ownKey(
  { given: { method, path, body, idempotency_key } }: ParsedOperation,
  batchKey: RequestKey | undefined,
): RequestKey | ApiError {
  try {
    const key = checkKey(idempotency_key as string, 'idempotency_key')
    if (key === batchKey?.key)
      throw errors.invalidParams(['idempotency_key: is the Idempotency-Key of the batch; leave it out, or use another'])
    return { key, fingerprint: fingerprintOf(method, path, body) }
  } catch (error) {
    return toApiError(error)
  }
}
