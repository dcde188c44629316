import { hash } from 'node:crypto'
import { isPlanName, type PlanName, plans } from '../../contract/plans.ts'
import { Batcher } from '../batcher.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { Log } from '../log.ts'
import { findGrants, findRevision } from './queries.ts'

/** What a key gives access to. */
export interface Grant {
  environmentId: EnvironmentId
  accountId: number
  planName: PlanName
  plan: (typeof plans)[PlanName]
}

/** What a connection sent last. Nearly always it sends the same again, and then there is nothing to hash. */
export interface KnownKey {
  header: string
  grant: Grant
  /** What was remembered then: once that is forgotten, so is this. */
  among: object
}

const POLL_MS = 400
/** A key that is revoked stops within a second: what was not confirmed for that long is asked again. */
const TRUSTED_MS = 900
const MOST_REMEMBERED = 50_000

/**
 * Says what a key gives access to. It remembers keys by their hash, so the time of a look-up tells nothing about a
 * key, and polls one number in the database that moves whenever an account, an environment or a key changes.
 */
export class Keyring {
  readonly #database: Database
  readonly #log: Log
  #grants = new Map<string, Grant | null>()
  readonly #lookups: Batcher<string, Grant | null>
  #revision = -1
  #confirmedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
    this.#lookups = new Batcher(
      async (batch) => {
        const found = await this.#find(batch.map(({ item }) => item))
        for (const { item, resolve } of batch) resolve(found.get(item) ?? null)
      },
      (waiting) => Math.min(waiting.length, 500),
    )
  }

  async start(): Promise<void> {
    await this.#poll()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** The grant of an `Authorization` header: at once when the key is known, which is nearly always. */
  authenticate(header: string | undefined, connection: { key: KnownKey | undefined }): Grant | Promise<Grant> {
    const last = connection.key
    // Compared only with what this very connection sent, so the time it takes tells nobody anything about a key.
    if (last && last.header === header && last.among === this.#grants && this.#isFresh()) return last.grant
    if (header === undefined)
      throw errors.invalidApiKey('There is no API key. Send the header Authorization: Bearer <API key>.')
    const key = /^bearer +([\x21-\x7e]{1,255}) *$/i.exec(header)?.[1]
    if (key === undefined)
      throw errors.invalidApiKey('The Authorization header is malformed. Send Authorization: Bearer <API key>.')
    const digest = hash('sha256', key, 'base64')
    const known = this.#isFresh() ? this.#grants.get(digest) : undefined
    if (known === undefined) return this.#lookups.add(digest).then((grant) => granted(this.#remember(digest, grant)))
    const grant = granted(known)
    connection.key = { header, grant, among: this.#grants }
    return grant
  }

  #isFresh(): boolean {
    return performance.now() - this.#confirmedAt < TRUSTED_MS
  }

  #remember(digest: string, grant: Grant | null): Grant | null {
    if (this.#grants.size >= MOST_REMEMBERED) this.#grants = new Map()
    this.#grants.set(digest, grant)
    return grant
  }

  async #find(digests: string[]): Promise<Map<string, Grant>> {
    const rows = await findGrants(
      this.#database,
      digests.map((digest) => Buffer.from(digest, 'base64')),
    )
    return new Map(
      rows.map((row) => {
        const planName = isPlanName(row.plan) ? row.plan : 'self_hosted'
        return [
          row.hash.toString('base64'),
          { environmentId: row.environment_id, accountId: row.account_id, planName, plan: plans[planName] },
        ]
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
      this.#log.debug({ err: error }, 'could not ask for changes of API keys')
    }
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS)
    this.#timer.unref()
  }
}

function granted(grant: Grant | null): Grant {
  if (!grant) throw errors.invalidApiKey('The API key is not known, or was revoked.')
  return grant
}
