import type { EnvironmentId, Queryable } from '../database/database.ts'
import type { CounterKind, CounterStep } from './steps.ts'

export interface StepCount {
  at: string
  name: string
  count: number
}

export async function readCounts(
  db: Queryable,
  environmentId: EnvironmentId,
  kind: CounterKind,
  step: CounterStep,
  since: string,
): Promise<StepCount[]> {
  return await db.query<StepCount>(
    `select at, name, count
       from counts
      where environment_id = $1::int and kind = $2::text and step = $3::text and at >= $4::timestamptz
      order by at, name`,
    [environmentId, kind, step, since],
  )
}

export interface NameCount {
  name: string
  count: number
  /** When it was last counted. */
  last_at: string
}

/** By name, the most frequent first. */
export async function sumCounts(
  db: Queryable,
  environmentId: EnvironmentId,
  kind: CounterKind,
  step: CounterStep,
  since: string,
): Promise<NameCount[]> {
  return await db.query<NameCount & Record<string, unknown>>(
    `select name, sum(count)::bigint as count, max(last_at) as last_at
       from counts
      where environment_id = $1::int and kind = $2::text and step = $3::text and at >= $4::timestamptz
      group by name
      order by count desc, name`,
    [environmentId, kind, step, since],
  )
}

/** The daily counts of these names. */
export async function readDaysOf(
  db: Queryable,
  environmentId: EnvironmentId,
  kind: CounterKind,
  names: readonly string[],
  since: string,
): Promise<StepCount[]> {
  return await db.query<StepCount>(
    `select at, name, count
       from counts
      where environment_id = $1::int and kind = $2::text and step = 'day' and name <> '' and name = any($3::text[])
        and at >= $4::timestamptz`,
    [environmentId, kind, names, since],
  )
}

export interface Totals {
  users: number
  groups: number
  last_request_at: string | null
}

export async function readTotals(db: Queryable, environmentId: EnvironmentId): Promise<Totals> {
  const [row] = await db.query<Totals>(
    'select users, groups, last_request_at from environment_totals where environment_id = $1::int',
    [environmentId],
  )
  return row ?? { users: 0, groups: 0, last_request_at: null }
}

export interface ErrorRow {
  status: number
  code: string
  field: string
  key_id: number
  hour: string
  count: number
  last_at: string
  last_request_id: string
  message: string
}

/** The reasons for refusals since a given hour, by hour and key, up to a bound. */
export async function readErrors(db: Queryable, environmentId: EnvironmentId, since: string): Promise<ErrorRow[]> {
  return await db.query<ErrorRow>(
    `select status, code, field, key_id, hour, count, last_at, last_request_id, message
       from request_errors
      where environment_id = $1::int and hour >= $2::timestamptz
      order by last_at desc
      limit 20000`,
    [environmentId, since],
  )
}
