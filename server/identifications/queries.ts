import type { ProofKind } from '../../contract/sdk/identity.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { type CountForm, countForms, type Forms, queryParts } from '../database/forms.ts'
import { itemsOf, type Part } from '../database/parts.ts'

/** A user whom a page has identified, on a day (`2026-01-31`, UTC). */
export interface Identified {
  day: string
  origin: string
  proof: ProofKind
  rank: number
  userId: string
  ms: number
}

/**
 * A statement about given users that exist. With `offset 0` each of them is one look-up, however uneven the environments
 * are; Citus cannot send an insert with it on to the worker.
 */
function ofUsersForms(make: (form: CountForm, users: string) => string): Forms {
  const made = (end: string) =>
    countForms((form) => {
      const { environmentId } = form
      const users = `cross join lateral (
      select environment_id as of_environment from users
       where users.environment_id = ${environmentId} and users.id = given.user_id
      ${end}) as found`
      return make(form, users)
    })
  return { ...made('offset 0'), sharded: made('').one }
}

/** Users that were deleted meanwhile are left out, as are ids that never were users. The time is exact to the minute. */
const INSERT_IDENTIFIED = ofUsersForms(
  ({ arrays, declared }, users) => `
  insert into identified_users (environment_id, day, origin, proof, rank, user_id, last_at)
  select of_environment, day, origin, proof, rank, user_id, to_timestamp(ms / 1000)
    from unnest(${arrays}$2::date[], $3::text[], $4::text[], $5::int[], $6::text[], $7::float8[])
      as given (${declared}day, origin, proof, rank, user_id, ms)
    ${users}
   order by of_environment, day, origin collate "C", proof collate "C", rank
  on conflict (environment_id, day, origin, proof, rank) do update
     set last_at = excluded.last_at
   where excluded.last_at - identified_users.last_at > interval '1 minute'`,
)

export async function insertIdentified(db: Queryable, parts: readonly Part<Identified>[]): Promise<void> {
  const rows = itemsOf(parts)
  if (rows.length === 0) return
  await queryParts(db, INSERT_IDENTIFIED, parts, [
    rows.map(({ day }) => day),
    rows.map(({ origin }) => origin),
    rows.map(({ proof }) => proof),
    rows.map(({ rank }) => rank),
    rows.map(({ userId }) => userId),
    rows.map(({ ms }) => ms),
  ])
}

export interface LastIdentification {
  userId: string
  proof: ProofKind
  ms: number
}

const UPSERT_LAST = ofUsersForms(
  ({ arrays, declared }, users) => `
  insert into last_identifications (environment_id, user_id, proof, at)
  select of_environment, user_id, proof, to_timestamp(ms / 1000)
    from unnest(${arrays}$2::text[], $3::text[], $4::float8[]) as given (${declared}user_id, proof, ms)
    ${users}
   order by of_environment
  on conflict (environment_id) do update
     set user_id = excluded.user_id, proof = excluded.proof, at = excluded.at
   where last_identifications.at < excluded.at`,
)

/** One for each environment. */
export async function upsertLast(db: Queryable, parts: readonly Part<LastIdentification>[]): Promise<void> {
  const rows = itemsOf(parts)
  if (rows.length === 0) return
  await queryParts(db, UPSERT_LAST, parts, [
    rows.map(({ userId }) => userId),
    rows.map(({ proof }) => proof),
    rows.map(({ ms }) => ms),
  ])
}

/** A sample, and the greatest rank in it when it is full. */
export interface FullSample {
  environment_id: EnvironmentId
  day: string
  origin: string
  proof: ProofKind
  bound: number
}

const TRIM = countForms(
  ({ environmentId, arrays, declared }) => `
  with full_samples as (
    select ${environmentId} as environment_id, day, origin, proof, bound
      from unnest(${arrays}$2::date[], $3::text[], $4::text[]) as given (${declared}day, origin, proof)
      cross join lateral (
        select rank as bound from identified_users
         where identified_users.environment_id = ${environmentId} and identified_users.day = given.day
           and identified_users.origin = given.origin and identified_users.proof = given.proof
         order by rank
        offset $5::int - 1
         limit 1) as last),
  gone as (
    delete from identified_users using full_samples as given
     where identified_users.environment_id = ${environmentId} and identified_users.day = given.day
       and identified_users.origin = given.origin and identified_users.proof = given.proof and rank > bound)
  select environment_id, day::text as day, origin, proof, bound from full_samples`,
)

/** Deletes what these samples have too much, and returns those that are full. */
export async function trimSamples(
  db: Queryable,
  parts: readonly Part<Pick<Identified, 'day' | 'origin' | 'proof'>>[],
): Promise<FullSample[]> {
  const samples = itemsOf(parts)
  if (samples.length === 0) return []
  return await queryParts<FullSample & Record<string, unknown>>(db, TRIM, parts, [
    samples.map(({ day }) => day),
    samples.map(({ origin }) => origin),
    samples.map(({ proof }) => proof),
    sdkLimits.identifiedUsers,
  ])
}

/** Those of earlier days, and those whose user was deleted while they were being stored. */
export async function deleteOldIdentified(db: Queryable, environmentId: EnvironmentId, before: string): Promise<void> {
  const isGone = (table: string) => `not exists (
    select from users where users.environment_id = $1::int and users.id = ${table}.user_id)`
  await db.query(
    `delete from identified_users
      where environment_id = $1::int and (day < ($2::timestamptz at time zone 'UTC')::date or ${isGone('identified_users')})`,
    [environmentId, before],
  )
  await db.query(
    `delete from last_identifications where environment_id = $1::int and ${isGone('last_identifications')}`,
    [environmentId],
  )
}
