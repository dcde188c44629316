import { listAccounts } from '../../accounts/queries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { NO_ENVIRONMENT } from '../../live/record.ts'

/**
 * The environments whose requests are shown together. Requests without a known key belong to no environment. With a single
 * account they are shown in each environment, so that a request with a wrong key can be found. With several accounts
 * their account is unknown, and they are not shown.
 */
export async function environmentsShownWith(
  database: Database,
  environmentId: EnvironmentId,
): Promise<EnvironmentId[]> {
  const accounts = await listAccounts(database)
  return accounts.length === 1 ? [environmentId, NO_ENVIRONMENT] : [environmentId]
}

/** Requests of no environment count for one only from its creation on: a new environment has no old failures. */
export async function strangersSince(database: Database, environmentId: EnvironmentId): Promise<number> {
  const [row] = await database.query<{ created_at: string }>('select created_at from environments where id = $1::int', [
    environmentId,
  ])
  return row ? Date.parse(row.created_at) : 0
}

export function shownSince(id: EnvironmentId, sinceMs: number, strangersSinceMs: number): string {
  return new Date(id === NO_ENVIRONMENT ? Math.max(sinceMs, strangersSinceMs) : sinceMs).toISOString()
}
