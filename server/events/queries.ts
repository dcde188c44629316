import { isoTime } from '../clock.ts'
import type { StoredEvent } from '../commit/batch-state.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import type { Happening } from '../webhooks/outbox.ts'
import {
  confirmedSubscriptions,
  deliveriesInsert,
  type NewDeliveries,
  notificationsInsert,
} from '../webhooks/queries.ts'

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

const INSERT_CONFIRMED = `${INSERT} cross join (${confirmedSubscriptions('$3')}) as subscriptions where confirmed = 1`
const INSERT_TOLD = `with stored as (${INSERT_CONFIRMED}), told as (${notificationsInsert('$4')}) ${deliveriesInsert('$5')}`

export async function insertEvents(
  db: Transaction,
  environmentId: EnvironmentId,
  events: readonly StoredEvent[],
): Promise<void> {
  await db.query(INSERT, [environmentId, rowsOf(events)])
}

/** In one statement with the check that the subscriptions are still those that the deliveries were made for. */
export async function insertToldEvents(
  db: Transaction,
  environmentId: EnvironmentId,
  events: readonly StoredEvent[],
  subscriptions: string,
  told: { notifications: readonly Happening[]; deliveries: readonly NewDeliveries[] },
): Promise<void> {
  const values = [environmentId, rowsOf(events), subscriptions]
  if (told.deliveries.length === 0) await db.query(INSERT_CONFIRMED, values)
  else await db.query(INSERT_TOLD, [...values, JSON.stringify(told.notifications), JSON.stringify(told.deliveries)])
}

function rowsOf(events: readonly StoredEvent[]): string {
  return `[${events.map(rowOf).join(',')}]`
}

/** PostgreSQL writes earlier years as BC. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

function rowOf({ id, name, userId, groupId, attributes, time, timeMs, at }: StoredEvent): string {
  const timeText = time === isoTime(timeMs) && timeMs >= YEAR_1 ? '' : `"time_text":"${time}",`
  return `{"id":"${id}","name":"${name}","user_id":${JSON.stringify(userId)},"group_id":${JSON.stringify(groupId)},"attributes":${attributes},"time_ms":${timeMs},${timeText}"created_at":"${at}"}`
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
