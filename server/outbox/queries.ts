import type { Queryable } from '../database/database.ts'
import { type Forms, insertForms, jsonRows, mapForms, queryParts } from '../database/forms.ts'
import type { Part } from '../database/parts.ts'
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

/** Inserts the notifications in the JSON document of this parameter. */
export const notificationsInsert = (parameter: string): Forms =>
  insertForms(
    ({ environmentId, from, declared, where }) => `
      insert into webhook_notifications (environment_id, id, topic, object, user_id, group_id, created_at)
      select ${environmentId}, id, topic, object, "userId", "groupId", at
        from ${from}json_to_recordset(${parameter}::json)
          as given (${declared}id uuid, topic text, object text, "userId" text, "groupId" text, at timestamptz)
       where ${where}`,
  )
const INSERT_NOTIFICATIONS = notificationsInsert('$2')

export async function insertNotifications(db: Queryable, notifications: readonly Part<Notification>[]): Promise<void> {
  await queryParts(db, INSERT_NOTIFICATIONS, notifications, [jsonRows(notifications, JSON.stringify)])
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
