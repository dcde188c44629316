import { isoTime } from '../clock.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import type { OutboxRows } from '../outbox/outbox.ts'
import { confirmedSubscriptions, deliveriesInsert, notificationsInsert } from '../outbox/queries.ts'
import type { StoredEvent } from './batch-state.ts'

/**
 * The rows come as one JSON document, in which the attributes stand as the text that they are. As arrays, every text was
 * escaped once more: 14 µs of this process for an event, against 10, and PostgreSQL's part rose from 20 to 22. An
 * id that is there already fails: it tells of an earlier try whose answer was lost.
 */
const INSERT = `
  insert into events (environment_id, id, name, user_id, group_id, attributes, time, time_text, created_at)
  select $1::int, id, name, user_id, group_id, attributes, to_timestamp(time_ms / 1000), time_text, created_at
    from json_to_recordset($2::json)
      as given (id uuid, name text, user_id text, group_id text, attributes jsonb, time_ms float8, time_text text, created_at timestamptz)`

const INSERT_CONFIRMED = `${INSERT} cross join (${confirmedSubscriptions('$3', '$4')}) as subscriptions where confirmed = 1`
const INSERT_WITH_NOTIFICATIONS = `with stored as (${INSERT_CONFIRMED}), notified as (${notificationsInsert('$5')}) ${deliveriesInsert('$6')}`

export async function insertEvents(
  db: Transaction,
  environmentId: EnvironmentId,
  events: readonly StoredEvent[],
): Promise<void> {
  await db.query(INSERT, [environmentId, rowsOf(events)])
}

/**
 * In one statement with the check that the subscriptions are still those that the deliveries were made for, and that no
 * deletion covers the ids. The first event has the least id.
 */
export async function insertEventsWithNotifications(
  db: Transaction,
  environmentId: EnvironmentId,
  events: readonly StoredEvent[],
  subscriptions: string,
  { notifications, deliveries }: OutboxRows,
): Promise<void> {
  const values = [environmentId, rowsOf(events), subscriptions, events[0]?.id]
  if (deliveries.length === 0) await db.query(INSERT_CONFIRMED, values)
  else await db.query(INSERT_WITH_NOTIFICATIONS, [...values, JSON.stringify(notifications), JSON.stringify(deliveries)])
}

export async function findEventIds(
  db: Transaction,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from events where environment_id = $1::int and id = any($2::uuid[])',
    [environmentId, ids],
  )
  return rows.map(({ id }) => id)
}

function rowsOf(events: readonly StoredEvent[]): string {
  return `[${events.map(rowOf).join(',')}]`
}

/** PostgreSQL writes earlier years as BC. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

function rowOf({ id, name, userId, groupId, attributesJson, time, timeMs, at }: StoredEvent): string {
  const timeText = time === isoTime(timeMs) && timeMs >= YEAR_1 ? '' : `"time_text":"${time}",`
  return `{"id":"${id}","name":"${name}","user_id":${JSON.stringify(userId)},"group_id":${JSON.stringify(groupId)},"attributes":${attributesJson},"time_ms":${timeMs},${timeText}"created_at":"${at}"}`
}

/** Which rows of users or groups a step of a deletion removes: some of those with ids up to the boundary. */
export interface DeletedPart {
  owner: 'user' | 'group'
  ids: readonly string[]
  boundary: string
  most: number
}

/** Returns how many went. */
export async function deleteEventsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { owner, ids, boundary, most }: DeletedPart,
): Promise<number> {
  const [row] = await db.query<{ gone: number }>(
    `with gone as (
       delete from events
        where environment_id = $1::int and id = any(array(
          select id from events
           where environment_id = $1::int and ${owner}_id = any($2::text[]) and id <= $3::uuid
           limit $4::int))
       returning 1)
     select count(*)::int as gone from gone`,
    [environmentId, ids, boundary, most],
  )
  return row?.gone ?? 0
}
