import type { Database, EnvironmentId } from '../../server/database/database.ts'

/**
 * Stores this many events of a group, a notification for every tenth of them, and a delivery of each to a subscription.
 */
export async function insertManyEvents(
  database: Database,
  environmentId: EnvironmentId,
  groupId: string,
  count: number,
  subscriptionId: string,
): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    // Young enough to be kept: housekeeping deletes old notifications.
    const first = Date.now() - 3_600_000 - count
    const id = `(lpad(to_hex(${first} + n), 12, '0') || '7000' || '8' || substr(md5(n::text), 1, 15))::uuid`
    const numbers = (step: number) => `generate_series(1::bigint, ${count}, ${step}) as n`
    const at = `to_timestamp((${first} + n) / 1000.0)`
    await client.query(
      `insert into events (environment_id, id, name, group_id, attributes, time, created_at)
       select $1, ${id}, 'many', $2, '{}', ${at}, ${at} from ${numbers(1)}`,
      [environmentId, groupId],
    )
    await client.query(
      `insert into webhook_notifications (environment_id, id, topic, object, group_id, created_at)
       select $1, ${id}, 'event.tracked.many', '{}', $2, ${at} from ${numbers(10)}`,
      [environmentId, groupId],
    )
    await client.query(
      `insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, due_at, attempt, expires_at)
       select $1, ${id}, $2, 0, now() + interval '1 hour', 0, now() + interval '1 day' from ${numbers(10)}`,
      [environmentId, subscriptionId],
    )
  } finally {
    await client.query('reset statement_timeout')
    client.release()
  }
}

/** What is left in the database of a user or a group, whether it is shown or not. */
export async function countRemains(database: Database, groupId: string) {
  const { rows } = await database.pool.query(
    `select (select count(*)::int from events where group_id = $1) as events,
            (select count(*)::int from webhook_notifications where group_id = $1) as notifications,
            (select count(*)::int from webhook_deliveries) as deliveries,
            (select count(*)::int from pending_deletions) as pending`,
    [groupId],
  )
  return rows[0] as { events: number; notifications: number; deliveries: number; pending: number }
}
