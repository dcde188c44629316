import { isoTime } from '../clock.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { checkStored, type Forms, insertForms, jsonRows, mapForms, queryParts } from '../database/forms.ts'
import { type Part, partsOf } from '../database/parts.ts'
import {
  CONFIRMED,
  CONFIRMED_NONE,
  type Expected,
  expectedIds,
  expectedValues,
} from '../outbox/active-subscriptions.ts'
import { NO_SUBSCRIPTIONS, type OutboxPart } from '../outbox/outbox.ts'
import { deliveriesInsert, NOTIFICATION_PARAMETERS, notificationsInsert, sentNotifications } from '../outbox/queries.ts'
import type { NewEvent } from './batch-state.ts'

/**
 * The rows are one JSON document, in which the attributes are inserted without encoding. As arrays, every text was escaped
 * again: 14 µs of this process for an event, against 10, and PostgreSQL's part rose from 20 to 22. An id that exists
 * already makes the statement fail: an earlier try was stored and its answer was lost.
 */
const eventsInsert = (confirmation?: Forms) =>
  insertForms(({ environmentId, from, declared, where, form }) => {
    const confirmed = confirmation ? `cross join (${confirmation[form]}) as subscriptions` : ''
    return `
      insert into events (environment_id, id, name, user_id, group_id, attributes, time, time_text, created_at)
      select ${environmentId}, id, name, user_id, group_id, attributes, to_timestamp(time_ms / 1000), time_text, created_at
        from ${from}json_to_recordset($2::json)
          as given (${declared}id uuid, name text, user_id text, group_id text, attributes jsonb, time_ms float8, time_text text, created_at timestamptz)
             ${confirmed}
       where ${where} ${confirmation ? 'and confirmed = 1' : ''} ${from === '' ? '' : 'returning 1'}`
  })

const INSERT = eventsInsert()
const INSERT_CONFIRMED = eventsInsert(CONFIRMED)
const INSERT_CONFIRMED_NONE = eventsInsert(CONFIRMED_NONE)
/** The first parameter of the notifications. */
const NOTIFY = { one: 5, many: 6 } as const
const INSERT_WITH_NOTIFICATIONS = mapForms(INSERT_CONFIRMED, (insert, form) => {
  const notifications = notificationsInsert(NOTIFY[form])[form]
  const deliveries = deliveriesInsert(`$${NOTIFY[form] + NOTIFICATION_PARAMETERS}`)[form]
  return `with stored as (${insert}), notified as (${notifications}) ${deliveries}`
})

export async function insertEvents(db: Transaction, events: readonly Part<NewEvent>[]): Promise<void> {
  checkStored(db, events, await queryParts(db, INSERT, events, [jsonRows(events, rowOf)]))
}

/** The same check as in `insertEventsWithNotifications`, without notifications. */
export async function insertConfirmedEvents(db: Transaction, environments: readonly NotifyingEvents[]): Promise<void> {
  const events = partsOf(environments, (part) => part.events)
  const hasSubscriptions = environments.some(({ content }) => content !== NO_SUBSCRIPTIONS.content)
  const values = (hasSubscriptions ? expectedValues : expectedIds)(expectedOf(environments))
  const statement = hasSubscriptions ? INSERT_CONFIRMED : INSERT_CONFIRMED_NONE
  checkStored(db, events, await queryParts(db, statement, events, [jsonRows(events, rowOf), ...values]))
}

/** Events of one environment, and the notifications that were made for the subscriptions in the JSON text `content`. */
export interface NotifyingEvents extends OutboxPart {
  readonly events: readonly NewEvent[]
  readonly content: string
}

/**
 * In one statement with the check that the subscriptions are still those that the deliveries were made for, and that no
 * deletion covers the ids. The first event of an environment has its least id.
 */
export async function insertEventsWithNotifications(
  db: Transaction,
  environments: readonly NotifyingEvents[],
): Promise<void> {
  if (environments.every(({ deliveries }) => deliveries.length === 0)) {
    await insertConfirmedEvents(db, environments)
    return
  }
  const events = partsOf(environments, (part) => part.events)
  const values = [jsonRows(events, rowOf), ...expectedValues(expectedOf(environments))]
  const notified = environments.map(({ environmentId, notifications }) => ({ environmentId, items: notifications }))
  const deliveries = environments.map((part) => ({ environmentId: part.environmentId, items: part.deliveries }))
  const outbox = [...sentNotifications(notified), jsonRows(deliveries, JSON.stringify)]
  await queryParts(db, INSERT_WITH_NOTIFICATIONS, events, [...values, ...outbox])
}

function expectedOf(environments: readonly NotifyingEvents[]): Expected[] {
  return environments.map(({ environmentId, content, events: [first] }) => ({
    environmentId,
    content,
    leastId: first?.id as string,
  }))
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

/** PostgreSQL writes earlier years as BC. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

function rowOf({ id, name, userId, groupId, attributesJson, time, timeMs, at }: NewEvent): string {
  // What is null is left out: PostgreSQL would read its name first.
  const user = userId === null ? '' : `"user_id":${JSON.stringify(userId)},`
  const group = groupId === null ? '' : `"group_id":${JSON.stringify(groupId)},`
  const timeText = time === isoTime(timeMs) && timeMs >= YEAR_1 ? '' : `"time_text":"${time}",`
  return `{"id":"${id}","name":"${name}",${user}${group}"attributes":${attributesJson},"time_ms":${timeMs},${timeText}"created_at":"${at}"}`
}
