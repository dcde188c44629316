import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../../contract/units.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { LEAST_ID, leastIdAt } from '../ids.ts'

/** Claims that one step looks at. */
export const MOST_CLAIMS_LOOKED_AT = 1_000

/**
 * Deletes claims that nobody has held for a day: a page that comes back after that claims its session anew.
 *
 * They are found by the primary key, a part of them in each round. An index of `lease_until` would be written with every
 * renewal. Ids begin with the time of the claim, so claims of the last day are not looked at. Of earlier ones, those of pages
 * that come back each day stay; when most of those that a step looks at can go, the next step follows at once.
 */
export class OldClaims {
  /** Where the next round goes on. */
  readonly #after = new Map<EnvironmentId, string>()

  async remove(db: Queryable, environmentId: EnvironmentId, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const claims = await findClaims(
        db,
        environmentId,
        this.#after.get(environmentId) ?? LEAST_ID,
        MOST_CLAIMS_LOOKED_AT,
      )
      const old = claims.filter(({ isOld }) => isOld).map(({ id }) => id)
      if (old.length > 0) await deleteOldClaims(db, environmentId, old)
      const last = claims[MOST_CLAIMS_LOOKED_AT - 1]
      if (last) this.#after.set(environmentId, last.id)
      else this.#after.delete(environmentId)
      if (!last || old.length < claims.length / 2) return
      await sleep(5)
    }
  }
}

interface FoundClaim extends Record<string, unknown> {
  id: string
  /** Nobody has held it for a day. */
  isOld: boolean
}

const IS_OLD = "lease_until < now() - interval '1 day'"

/** Claims of more than a day ago, in the order of their ids. */
export async function findClaims(
  db: Queryable,
  environmentId: EnvironmentId,
  after: string,
  most: number,
): Promise<FoundClaim[]> {
  return await db.query<FoundClaim>(
    `select id, ${IS_OLD} as "isOld" from content_claims
      where environment_id = $1::int and id > $2::uuid and id < $3::uuid
      order by id limit $4::int`,
    [environmentId, after, leastIdAt(Date.now() - DAY_MS), most],
  )
}

/** A page may have come back since they were found, or comes back now: then its claim is locked, and stays. */
async function deleteOldClaims(db: Queryable, environmentId: EnvironmentId, ids: readonly string[]): Promise<void> {
  await db.query(
    `delete from content_claims
      where environment_id = $1::int and id = any(array(
        select id from content_claims
         where environment_id = $1::int and id = any($2::uuid[]) and ${IS_OLD}
           for update skip locked))`,
    [environmentId, ids],
  )
}
