import type { Queryable } from '../database/database.ts'
import { type Forms, insertForms, jsonRows, mapForms, queryParts } from '../database/forms.ts'
import type { Part } from '../database/parts.ts'
import { countSent, insertOfRows, type SentColumn, sentRows } from '../database/sent-rows.ts'
import { WINDOW_MS } from './window.ts'

/** What happened to an object, with the object as it is right after the write. */
export interface Notification {
  id: string
  topic: string
  /** JSON text. */
  object: string
  userId: string | null
  groupId: string | null
  at: string
}

const columns: readonly SentColumn<Notification>[] = [
  { name: 'id', type: 'uuid', value: ({ id }) => id },
  { name: 'topic', type: 'text', value: ({ topic }) => topic },
  { name: 'object', type: 'text', value: ({ object }) => object, isLong: true },
  { name: 'user_id', type: 'text', value: ({ userId }) => userId },
  { name: 'group_id', type: 'text', value: ({ groupId }) => groupId },
  { name: 'created_at', type: 'timestamptz', value: ({ at }) => at },
]

export const NOTIFICATION_PARAMETERS = countSent(columns)

/** Inserts the notifications in the parameters from `first` on. */
export const notificationsInsert = (first: number): Forms =>
  insertForms((form) => insertOfRows('webhook_notifications', columns, form, { first }))
const INSERT_NOTIFICATIONS = notificationsInsert(2)

export function sentNotifications(notifications: readonly Part<Notification>[]): unknown[] {
  return sentRows(columns, notifications)
}

export async function insertNotifications(db: Queryable, notifications: readonly Part<Notification>[]): Promise<void> {
  await queryParts(db, INSERT_NOTIFICATIONS, notifications, sentNotifications(notifications))
}

/** One notification and its subscriptions. */
export interface NewDeliveries {
  notificationId: string
  subscriptionIds: readonly string[]
}

/**
 * Inserts the deliveries in the JSON document of this parameter. A waiting delivery is not changed, so that a replay cannot
 * double it. They are due at once, by the clock of the database: that of a node may be wrong.
 */
export const deliveriesInsert = (parameter: string): Forms =>
  insertForms(
    ({ environmentId, from, declared, where }) => `
      insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, due_at, attempt, expires_at)
      select ${environmentId}, "notificationId", subscription_id, 0, now(), 0, now() + interval '${WINDOW_MS} ms'
        from ${from}json_to_recordset(${parameter}::json)
          as given (${declared}"notificationId" uuid, "subscriptionIds" uuid[]),
             unnest("subscriptionIds") as subscription_id
       where ${where}
      on conflict do nothing`,
  )
const INSERT_DELIVERIES = mapForms(deliveriesInsert('$2'), (insert) => `${insert} returning 1`)

/** Returns the number of new deliveries. */
export async function insertDeliveries(db: Queryable, deliveries: readonly Part<NewDeliveries>[]): Promise<number> {
  const values = [jsonRows(deliveries, JSON.stringify)]
  return (await queryParts(db, INSERT_DELIVERIES, deliveries, values)).length
}
