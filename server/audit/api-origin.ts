import { findKeyNames } from '../accounts/key-queries.ts'
import type { Grant } from '../accounts/keyring.ts'
import type { Queryable } from '../database/database.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Origin } from './record.ts'

/** Who sends a request of the public API, as the audit log names it. */
export type OriginOf = (call: { grant: Grant; exchange: Exchange }) => Promise<Origin>

/** The key of the request, and the address that it comes from. */
export function apiOrigin(db: Queryable, addressOf: (exchange: Exchange) => string): OriginOf {
  return async ({ grant: { environmentId, accountId, keyId }, exchange }) => {
    const names = await findKeyNames(db, environmentId, keyId)
    const common = { accountId, id: String(keyId), name: names.key }
    const actor = { ...common, kind: 'key', address: addressOf(exchange), requestId: exchange.id } as const
    return { actor, environment: names.environment }
  }
}
