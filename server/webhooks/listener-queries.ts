import type { Database, EnvironmentId } from '../database/database.ts'
import { eachEnvironment } from '../database/each-environment.ts'
import { isNotDeletedByKey } from '../deletions/pending.ts'
import { WAITING } from './delivery/states.ts'

/** The subscriptions of `usher listen`. Their outbox is written as usual, but the command delivers, not the server. */

export interface NewListener {
  id: string
  topics: readonly string[]
  apiVersion: string
}

/** By the clock of the database, as the servers that delete it. */
const UNTIL = `now() + interval '30 seconds'`

/** Its secret is not stored: only the command signs. */
export async function insertListener(
  db: Database,
  environmentId: EnvironmentId,
  { id, topics, apiVersion }: NewListener,
): Promise<void> {
  await db.query(
    `insert into webhook_subscriptions
       (environment_id, id, url, url_key, topics, api_version, disabled, secret, created_at, listener_until)
     values ($1::int, $2::uuid, '', '', $3::text[], $4::text, false, '', now(), ${UNTIL})`,
    [environmentId, id, topics, apiVersion],
  )
}

/** Returns whether it is still there. */
export async function renewListener(db: Database, environmentId: EnvironmentId, id: string): Promise<boolean> {
  const rows = await db.query(
    `update webhook_subscriptions set listener_until = ${UNTIL}
      where environment_id = $1::int and id = $2::uuid
     returning 1`,
    [environmentId, id],
  )
  return rows.length > 0
}

export interface ListenedRow {
  id: string
  topic: string
  /** JSON text. */
  object: string
  created_at: string
}

/** Notifications that are not forwarded yet, the oldest first. */
export async function findListened(
  db: Database,
  environmentId: EnvironmentId,
  id: string,
  limit: number,
): Promise<ListenedRow[]> {
  return await db.query<ListenedRow>(
    `select notification.id, notification.topic, notification.object, notification.created_at
       from webhook_deliveries as delivery
       join webhook_notifications as notification
         on notification.environment_id = $1::int and notification.id = delivery.notification_id
      where delivery.environment_id = $1::int and delivery.subscription_id = $2::uuid and delivery.state = ${WAITING}
        and ${isNotDeletedByKey('notification')}
      order by delivery.notification_id
      limit $3::int`,
    [environmentId, id, limit],
  )
}

export async function deleteListened(
  db: Database,
  environmentId: EnvironmentId,
  id: string,
  notificationId: string,
): Promise<void> {
  await db.query(
    `delete from webhook_deliveries
      where environment_id = $1::int and notification_id = $3::uuid and subscription_id = $2::uuid`,
    [environmentId, id, notificationId],
  )
}

/** Its deliveries are removed by the servers, like those of any deleted subscription. */
export async function deleteListener(db: Database, environmentId: EnvironmentId, id: string): Promise<void> {
  await db.query('delete from webhook_subscriptions where environment_id = $1::int and id = $2::uuid', [
    environmentId,
    id,
  ])
}

/** Deletes listeners whose command ended without deleting them. There are few: a partial index has only these. */
export async function deleteExpiredListeners(db: Database, nowMs: number): Promise<void> {
  const until = new Date(nowMs).toISOString()
  if (db.isDistributed) await eachEnvironment(db, (id) => deleteExpiredListenersOf(db, id, until))
  else await db.query('delete from webhook_subscriptions where listener_until < $1::timestamptz', [until])
}

async function deleteExpiredListenersOf(db: Database, environmentId: EnvironmentId, until: string): Promise<void> {
  await db.query(
    'delete from webhook_subscriptions where environment_id = $1::int and listener_until < $2::timestamptz',
    [environmentId, until],
  )
}
