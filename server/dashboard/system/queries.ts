import type { EnvironmentId, Queryable, Reader } from '../../database/database.ts'
import { type InScope, measureByWorker } from '../../database/workers.ts'

export async function readDatabaseFigures(db: Queryable): Promise<{ version: string; bytes: number }> {
  const [row] = await db.query<{ version: string; bytes: number }>(
    "select current_setting('server_version') as version, pg_database_size(current_database()) as bytes",
    [],
  )
  return row as { version: string; bytes: number }
}

export interface NodeRow {
  name: string
  version: string
  started_at: string
  seen_at: string
}

export async function listNodes(db: Queryable, withinSeconds: number): Promise<NodeRow[]> {
  return await db.query<NodeRow>(
    `select name, version, started_at, seen_at from nodes
      where seen_at > now() - $1::float8 * interval '1 second' order by started_at, name`,
    [withinSeconds],
  )
}

/** Endpoints that have failed since their last success, of all these environments whose worker answers. */
export async function countFailingEndpoints(db: Reader, environments: readonly EnvironmentId[]): Promise<number> {
  const { parts } = await measureByWorker(db, (inScope) => countFailing(db, environments, inScope))
  return parts.reduce((sum, count) => sum + count, 0)
}

async function countFailing(db: Reader, environments: readonly EnvironmentId[], inScope: InScope): Promise<number> {
  const [row] = await db.queryUnprepared<{ count: number }>(
    `select count(*) as count
       from webhook_endpoints as endpoint
       join webhook_subscriptions as subscription
         on subscription.environment_id = endpoint.environment_id and subscription.id = endpoint.subscription_id
      where endpoint.failures > 0 and not subscription.disabled
        and endpoint.environment_id = any($1::int[])
        and ${inScope('endpoint.environment_id')} and ${inScope('subscription.environment_id')}`,
    [environments],
  )
  return row?.count ?? 0
}
