import type { Database, EnvironmentId } from '../../server/database/database.ts'

let lastEnvironment = 0

/** An environment in its own account, for tests below HTTP. */
export async function createEnvironment(database: Database, plan = 'self_hosted'): Promise<EnvironmentId> {
  lastEnvironment += 1
  const [row] = await database.query<{ id: EnvironmentId }>(
    `with account as (
       insert into accounts (name, plan, created_at) values ($1::text, $2::text, now()) returning id
     )
     insert into environments (account_id, name, slug, created_at) select id, 'Production', 'production', now() from account returning id`,
    [`account ${lastEnvironment}`, plan],
  )
  return (row as { id: EnvironmentId }).id
}
