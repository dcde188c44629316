import type { ProofKind } from '../../contract/sdk/identity.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'

/** As many as there are values of a rank. */
const RANKS = 2 ** 31

/** How many users there are: exactly while all of them are kept, else by the share of the ranks that is kept. */
export interface People {
  count: number
  isExact: boolean
}

export const NOBODY: People = { count: 0, isExact: true }

/** `count` users have ranks below the bound; without a bound, all of them are kept. */
function peopleOf(count: number, bound: number | null): People {
  return bound === null ? { count, isExact: true } : { count: Math.round((count * RANKS) / bound), isExact: false }
}

export const lackingProofs = ['unsigned', 'wrong'] as const satisfies readonly ProofKind[]

/**
 * The users whom pages have identified since a day, by allowed origin, or all of them under the empty name. Samples of several
 * days and proofs are compared below the least bound of those that are full.
 */
export async function countIdentified(
  db: Queryable,
  environmentId: EnvironmentId,
  sinceDay: string,
  { proofs, byOrigin }: { proofs: readonly ProofKind[]; byOrigin: boolean },
): Promise<Map<string, People>> {
  const rows = await db.query<{ place: string; count: number; bound: number | null }>(
    `with own as (
       select day, origin, proof, rank, case when $4::boolean then origin else '' end as place
         from identified_users
        where environment_id = $1::int and day >= $2::date and proof = any($3::text[])),
     bounds as (
       select place, min(bound) as bound
         from (select place, case when count(*) >= $5::int then max(rank) end as bound
                 from own group by day, origin, proof, place) as samples
        group by place)
     select place, bound, count(distinct rank) filter (where bound is null or rank < bound)::int as count
       from own join bounds using (place)
      group by place, bound`,
    [environmentId, sinceDay, proofs, byOrigin, sdkLimits.identifiedUsers],
  )
  return new Map(rows.map(({ place, count, bound }) => [place, peopleOf(count, bound)]))
}

export interface LackingUser {
  id: string
  name: string | null
  proof: ProofKind
  origin: string
  last_at: string
}

/** The user of each row, if it exists. With `offset 0` that is one look-up for each, however many users there are. */
const USER = `cross join lateral (
       select id, coalesce(attributes ->> 'name', attributes ->> 'email') as name
         from users where users.environment_id = $1::int and users.id = user_id
       offset 0) as found`

/** The newest identification without a good signature of each user that is kept, the newest first. */
export async function listLacking(
  db: Queryable,
  environmentId: EnvironmentId,
  sinceDay: string,
): Promise<LackingUser[]> {
  return await db.query<LackingUser & Record<string, unknown>>(
    `select id, name, proof, origin, last_at
       from (select distinct on (user_id) user_id, proof, origin, last_at
               from identified_users
              where environment_id = $1::int and day >= $2::date and proof = any($3::text[])
              order by user_id, last_at desc) as newest
       ${USER}
      order by last_at desc, id
      limit $4::int`,
    [environmentId, sinceDay, lackingProofs, sdkLimits.identifiedUsers],
  )
}

export interface LastIdentified {
  id: string
  name: string | null
  proof: ProofKind
  at: string
}

export async function findLastIdentified(
  db: Queryable,
  environmentId: EnvironmentId,
): Promise<LastIdentified | undefined> {
  const [row] = await db.query<LastIdentified & Record<string, unknown>>(
    `select id, name, proof, at
       from last_identifications
       ${USER}
      where environment_id = $1::int`,
    [environmentId],
  )
  return row
}
