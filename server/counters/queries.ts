import type { EnvironmentId, Queryable } from '../database/database.ts'
import { countForms, type Forms, queryParts } from '../database/forms.ts'
import { itemsOf, type Part } from '../database/parts.ts'
import type { CounterKind, CounterStep } from './steps.ts'
import type { RefusalCount } from './tally.ts'

export interface CountRow {
  kind: CounterKind
  step: CounterStep
  at: string
  name: string
  count: number
}

/** In the order of the key, here and below: concurrent nodes lock in the same order. */
const ADD_COUNTS = countForms(
  ({ environmentId, declared, arrays }) => `
  insert into counts (environment_id, kind, step, at, name, count, last_at)
  select ${environmentId}, kind, step, at, name, count, $7::timestamptz
    from unnest(${arrays}$2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::bigint[])
      as given (${declared}kind, step, at, name, count)
   order by ${environmentId}, kind collate "C", step collate "C", at, name collate "C"
  on conflict (environment_id, kind, step, at, name) do update
     set count = counts.count + excluded.count, last_at = greatest(counts.last_at, excluded.last_at)`,
)

export async function addCounts(db: Queryable, parts: readonly Part<CountRow>[], lastAt: string): Promise<void> {
  const rows = itemsOf(parts)
  if (rows.length === 0) return
  await queryParts(db, ADD_COUNTS, parts, [
    rows.map(({ kind }) => kind),
    rows.map(({ step }) => step),
    rows.map(({ at }) => at),
    rows.map(({ name }) => name),
    rows.map(({ count }) => count),
    lastAt,
  ])
}

const ADD_REFUSALS = countForms(
  ({ environmentId, declared, arrays }) => `
  insert into request_errors
    (environment_id, hour, status, code, field, key_id, count, last_at, last_request_id, message)
  select ${environmentId}, $2::timestamptz, status, code, field, key_id, count, to_timestamp(at_ms / 1000), request_id,
         message
    from unnest(${arrays}$3::int[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::float8[], $9::text[], $10::text[])
      as given (${declared}status, code, field, key_id, count, at_ms, request_id, message)
   order by ${environmentId}, status, code collate "C", field collate "C", key_id
  on conflict (environment_id, hour, status, code, field, key_id) do update
     set count = request_errors.count + excluded.count, last_at = excluded.last_at,
         last_request_id = excluded.last_request_id, message = excluded.message`,
)

export async function addRefusals(db: Queryable, parts: readonly Part<RefusalCount>[], hour: string): Promise<void> {
  const rows = itemsOf(parts)
  if (rows.length === 0) return
  await queryParts(db, ADD_REFUSALS, parts, [
    hour,
    rows.map(({ status }) => status),
    rows.map(({ code }) => code),
    rows.map(({ field }) => field),
    rows.map(({ keyId }) => keyId),
    rows.map(({ count }) => count),
    rows.map(({ at }) => at),
    rows.map(({ requestId }) => requestId),
    rows.map(({ message }) => message),
  ])
}

const ADD_TO_TOTAL = `
  on conflict (environment_id) do update
     set users = greatest(0, environment_totals.users + excluded.users),
         groups = greatest(0, environment_totals.groups + excluded.groups),
         last_request_at = greatest(environment_totals.last_request_at, excluded.last_request_at)`

/** The form for one reads no rows: a sharded PostgreSQL then executes it on the worker of the environment. */
const ADD_TOTALS: Forms = {
  one: `
  insert into environment_totals (environment_id, users, groups, last_request_at)
  values ($1::int, ($2::bigint[])[1], ($3::bigint[])[1], ($4::timestamptz[])[1])
  ${ADD_TO_TOTAL}`,
  many: `
  insert into environment_totals (environment_id, users, groups, last_request_at)
  select environment_id, users, groups, last_request_at
    from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[])
      as given (environment_id, users, groups, last_request_at)
   order by environment_id
  ${ADD_TO_TOTAL}`,
}

export interface Totals {
  users: number
  groups: number
  lastRequestAt: string | null
}

/** One for each environment. */
export async function addTotals(db: Queryable, parts: readonly Part<Totals>[]): Promise<void> {
  const rows = itemsOf(parts)
  await queryParts(db, ADD_TOTALS, parts, [
    rows.map(({ users }) => users),
    rows.map(({ groups }) => groups),
    rows.map(({ lastRequestAt }) => lastRequestAt),
  ])
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
