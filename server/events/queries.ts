import type { StoredEvent } from '../commit/batch-state.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'

export async function insertEvents(
  db: Transaction,
  environmentId: EnvironmentId,
  events: readonly StoredEvent[],
): Promise<void> {
  await db.query(
    `insert into events (environment_id, id, name, user_id, group_id, attributes, time, created_at)
     select $1::int, id, name, user_id, group_id, attributes, to_timestamp(time_ms / 1000), created_at
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::float8[], $8::timestamptz[])
         as given (id, name, user_id, group_id, attributes, time_ms, created_at)`,
    [
      environmentId,
      events.map(({ id }) => id),
      events.map(({ name }) => name),
      events.map(({ userId }) => userId),
      events.map(({ groupId }) => groupId),
      events.map(({ attributes }) => attributes),
      events.map(({ timeMs }) => timeMs),
      events.map(({ at }) => at),
    ],
  )
}

export async function deleteEventsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  owner: 'user_id' | 'group_id',
  ids: readonly string[],
): Promise<void> {
  await db.query(`delete from events where environment_id = $1::int and ${owner} = any($2::text[])`, [
    environmentId,
    ids,
  ])
}
