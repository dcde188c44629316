import type { EnvironmentId, Queryable } from '../database/database.ts'
import type { CounterKind, CounterStep } from './steps.ts'
import type { RefusalCount } from './tally.ts'

export interface CountRow {
  kind: CounterKind
  step: CounterStep
  at: string
  name: string
  count: number
}

/** In the order of the key: concurrent nodes lock in the same order. */
export async function addCounts(
  db: Queryable,
  environmentId: EnvironmentId,
  rows: readonly CountRow[],
  lastAt: string,
): Promise<void> {
  await db.query(
    `insert into counts (environment_id, kind, step, at, name, count, last_at)
     select $1::int, kind, step, at, name, count, $7::timestamptz
       from unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::bigint[])
         as given (kind, step, at, name, count)
      order by kind collate "C", step collate "C", at, name collate "C"
     on conflict (environment_id, kind, step, at, name) do update
        set count = counts.count + excluded.count, last_at = greatest(counts.last_at, excluded.last_at)`,
    [
      environmentId,
      rows.map(({ kind }) => kind),
      rows.map(({ step }) => step),
      rows.map(({ at }) => at),
      rows.map(({ name }) => name),
      rows.map(({ count }) => count),
      lastAt,
    ],
  )
}

export async function addRefusals(
  db: Queryable,
  environmentId: EnvironmentId,
  hour: string,
  rows: readonly RefusalCount[],
): Promise<void> {
  await db.query(
    `insert into request_errors
       (environment_id, hour, status, code, field, key_id, count, last_at, last_request_id, message)
     select $1::int, $2::timestamptz, status, code, field, key_id, count, to_timestamp(at_ms / 1000), request_id, message
       from unnest($3::int[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::float8[], $9::text[], $10::text[])
         as given (status, code, field, key_id, count, at_ms, request_id, message)
      order by status, code collate "C", field collate "C", key_id
     on conflict (environment_id, hour, status, code, field, key_id) do update
        set count = request_errors.count + excluded.count, last_at = excluded.last_at,
            last_request_id = excluded.last_request_id, message = excluded.message`,
    [
      environmentId,
      hour,
      rows.map(({ status }) => status),
      rows.map(({ code }) => code),
      rows.map(({ field }) => field),
      rows.map(({ keyId }) => keyId),
      rows.map(({ count }) => count),
      rows.map(({ at }) => at),
      rows.map(({ requestId }) => requestId),
      rows.map(({ message }) => message),
    ],
  )
}

export async function addTotals(
  db: Queryable,
  environmentId: EnvironmentId,
  totals: { users: number; groups: number; lastRequestAt: string | null },
): Promise<void> {
  await db.query(
    `insert into environment_totals (environment_id, users, groups, last_request_at)
     values ($1::int, $2::bigint, $3::bigint, $4::timestamptz)
     on conflict (environment_id) do update
        set users = greatest(0, environment_totals.users + excluded.users),
            groups = greatest(0, environment_totals.groups + excluded.groups),
            last_request_at = greatest(environment_totals.last_request_at, excluded.last_request_at)`,
    [environmentId, totals.users, totals.groups, totals.lastRequestAt],
  )
}

export async function deleteOldCounts(
  db: Queryable,
  environmentId: EnvironmentId,
  kind: CounterKind,
  step: CounterStep,
  before: string,
): Promise<void> {
  await db.query(
    `delete from counts
      where environment_id = $1::int and kind = $2::text and step = $3::text and at < $4::timestamptz`,
    [environmentId, kind, step, before],
  )
}

export async function deleteOldRefusals(db: Queryable, environmentId: EnvironmentId, before: string): Promise<void> {
  await db.query('delete from request_errors where environment_id = $1::int and hour < $2::timestamptz', [
    environmentId,
    before,
  ])
}
