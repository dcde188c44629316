import type pg from 'pg'

/** Deletes outdated records of endpoints, by environment. Each of these tables is small. */

export async function deleteOldHours(client: pg.ClientBase, environmentId: number, before: Date): Promise<void> {
  await client.query('delete from webhook_endpoint_hours where environment_id = $1::int and hour < $2::timestamptz', [
    environmentId,
    before.toISOString(),
  ])
}

/** An outcome that is written right after the deletion of its subscription leaves such a row behind. */
export async function deleteOrphanedEndpoints(client: pg.ClientBase, environmentId: number): Promise<void> {
  await client.query(
    `delete from webhook_endpoints
      where environment_id = $1::int
        and not exists (select from webhook_subscriptions as subscription
                         where subscription.environment_id = $1::int
                           and subscription.id = webhook_endpoints.subscription_id)`,
    [environmentId],
  )
}

/** Expired secrets do not sign any more. */
export async function deleteExpiredSecrets(client: pg.ClientBase, environmentId: number, now: Date): Promise<void> {
  await client.query(
    `update webhook_subscriptions
        set previous_secrets = jsonb_path_query_array(
              previous_secrets, '$[*] ? (@.expires_at > $now)', jsonb_build_object('now', $2::text))
      where environment_id = $1::int
        and jsonb_path_exists(previous_secrets, '$[*] ? (@.expires_at <= $now)', jsonb_build_object('now', $2::text))`,
    [environmentId, now.toISOString()],
  )
}
