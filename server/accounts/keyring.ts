import { hash } from 'node:crypto'
import { isPlanName, type PlanName, plans } from '../../contract/plans.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { ApiError, errors } from '../errors.ts'
import type { Log } from '../log.ts'
import { findGrants } from './queries.ts'
import { ControlRevision, RevisionCache } from './revision.ts'

/** What a key gives access to. */
export interface Grant {
  keyId: number
  environmentId: EnvironmentId
  accountId: number
  planName: PlanName
  plan: (typeof plans)[PlanName]
}

/** The refusal of a revoked key, with its former grant: the members of that environment may look for the request. */
export class RevokedKeyError extends ApiError {
  readonly grant: Grant

  constructor(grant: Grant) {
    const { code, message, headers } = errors.invalidApiKey(REFUSED)
    super(code, message, headers)
    this.grant = grant
  }
}

/** A revoked key. */
class RevokedKey {
  readonly grant: Grant

  constructor(grant: Grant) {
    this.grant = grant
  }
}

const REFUSED = 'The API key is not known, or was revoked.'

/** The key that a connection sent last. Most connections send the same key with each request; it is not hashed again. */
export interface KnownKey {
  header: string
  grant: Grant
  /** The cache that the grant came from. The grant is valid only while this is still the cache of the keyring. */
  cache: object
}

/**
 * Authenticates keys. Grants are cached by the hash of the key, so the time of a look-up reveals nothing about the key, and
 * as long as the control revision stays the same.
 */
export class Keyring {
  readonly #database: Queryable
  /** Shared by all that caches what accounts, environments and keys are. */
  readonly revision: ControlRevision
  readonly #grants: RevisionCache<Grant | RevokedKey>

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.revision = new ControlRevision(database, log)
    this.#grants = new RevisionCache(this.revision, (digests) => this.#find(digests))
  }

  async start(): Promise<void> {
    await this.revision.start()
  }

  stop(): void {
    this.revision.stop()
  }

  /** The grant of an `Authorization` header: synchronously when the key is cached, which is nearly always. */
  authenticate(header: string | undefined, connection: { key: KnownKey | undefined }): Grant | Promise<Grant> {
    const last = connection.key
    // Compared only with what the same connection sent, so the time of the comparison reveals nothing about a key.
    if (last && last.header === header && last.cache === this.#grants.current) return last.grant
    if (header === undefined)
      throw errors.invalidApiKey('There is no API key. Send the header Authorization: Bearer <API key>.')
    const key = /^bearer +([\x21-\x7e]{1,255}) *$/i.exec(header)?.[1]
    if (key === undefined)
      throw errors.invalidApiKey('The Authorization header is malformed. Send Authorization: Bearer <API key>.')
    const digest = hash('sha256', key, 'base64')
    const known = this.#grants.get(digest)
    if (known instanceof Promise) return known.then(granted)
    const grant = granted(known)
    connection.key = { header, grant, cache: this.#grants.current as object }
    return grant
  }

  async #find(digests: string[]): Promise<Map<string, Grant | RevokedKey>> {
    const rows = await findGrants(
      this.#database,
      digests.map((digest) => Buffer.from(digest, 'base64')),
    )
    return new Map(
      rows.map((row) => {
        const planName = isPlanName(row.plan) ? row.plan : 'self_hosted'
        const grant: Grant = {
          keyId: row.key_id,
          environmentId: row.environment_id,
          accountId: row.account_id,
          planName,
          plan: plans[planName],
        }
        return [row.hash.toString('base64'), row.is_revoked ? new RevokedKey(grant) : grant]
      }),
    )
  }
}

function granted(found: Grant | RevokedKey | null): Grant {
  if (found instanceof RevokedKey) throw new RevokedKeyError(found.grant)
  if (!found) throw errors.invalidApiKey(REFUSED)
  return found
}
