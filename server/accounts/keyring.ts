import { hash } from 'node:crypto'
import { isPlanName, type PlanName, plans } from '../../contract/plans.ts'
import { Batcher } from '../batcher.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import { ApiError, errors } from '../errors.ts'
import type { Log } from '../log.ts'
import { FirstInFirstOut } from '../waiting-items.ts'
import { findGrants, findRevision } from './queries.ts'

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

const POLL_MS = 400
/** A revoked key stops working within one second: a cache that was not confirmed for this long is not used any more. */
const TRUSTED_MS = 900
const MOST_CACHED = 50_000

/**
 * Authenticates keys. Grants are cached by the hash of the key, so the time of a look-up reveals nothing about the key. The
 * keyring polls `control_revision`, a number that every change of an account, an environment or a key raises, and empties
 * the cache when the number has changed.
 */
export class Keyring {
  readonly #database: Queryable
  readonly #log: Log
  #grants = new Map<string, Grant | RevokedKey | null>()
  readonly #lookups: Batcher<string, Grant | RevokedKey | null>
  #revision = -1
  #confirmedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.#log = log
    this.#lookups = new Batcher(async (batch) => {
      const found = await this.#find(batch.map(({ item }) => item))
      for (const { item, resolve } of batch) resolve(found.get(item) ?? null)
    }, new FirstInFirstOut(500))
  }

  async start(): Promise<void> {
    await this.#poll()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** The grant of an `Authorization` header: synchronously when the key is cached, which is nearly always. */
  authenticate(header: string | undefined, connection: { key: KnownKey | undefined }): Grant | Promise<Grant> {
    const last = connection.key
    // Compared only with what the same connection sent, so the time of the comparison reveals nothing about a key.
    if (last && last.header === header && last.cache === this.#grants && this.#isFresh()) return last.grant
    if (header === undefined)
      throw errors.invalidApiKey('There is no API key. Send the header Authorization: Bearer <API key>.')
    const key = /^bearer +([\x21-\x7e]{1,255}) *$/i.exec(header)?.[1]
    if (key === undefined)
      throw errors.invalidApiKey('The Authorization header is malformed. Send Authorization: Bearer <API key>.')
    const digest = hash('sha256', key, 'base64')
    const known = this.#isFresh() ? this.#grants.get(digest) : undefined
    if (known === undefined) return this.#lookUp(digest).then(granted)
    const grant = granted(known)
    connection.key = { header, grant, cache: this.#grants }
    return grant
  }

  #isFresh(): boolean {
    return performance.now() - this.#confirmedAt < TRUSTED_MS
  }

  /**
   * The database may have read the grant before a change that the poll has already seen. Such an answer is neither cached
   * nor used: the key may be the one that was revoked.
   */
  async #lookUp(digest: string): Promise<Grant | RevokedKey | null> {
    for (;;) {
      const revision = this.#revision
      const grant = await this.#lookups.add(digest)
      if (revision !== this.#revision) continue
      if (this.#grants.size >= MOST_CACHED) this.#grants = new Map()
      this.#grants.set(digest, grant)
      return grant
    }
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

  async #poll(): Promise<void> {
    const asked = performance.now()
    try {
      const revision = await findRevision(this.#database)
      if (revision !== this.#revision) this.#grants = new Map()
      this.#revision = revision
      this.#confirmedAt = asked
    } catch (error) {
      logFailure(this.#log, error, {}, 'could not ask for changes of API keys')
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#poll(), POLL_MS).unref()
  }
}

function granted(found: Grant | RevokedKey | null): Grant {
  if (found instanceof RevokedKey) throw new RevokedKeyError(found.grant)
  if (!found) throw errors.invalidApiKey(REFUSED)
  return found
}
