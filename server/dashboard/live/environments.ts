import { listAccounts } from '../../accounts/queries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { isUnreachable } from '../../database/errors.ts'
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

/**
 * What happened since a time in the environments that are shown with this one. On a sharded PostgreSQL, requests without a
 * known key may be on a worker that holds nothing of this environment: while it is unreachable, they are not shown.
 */
export async function readShown<Row>(
  database: Database,
  environmentId: EnvironmentId,
  environments: readonly EnvironmentId[],
  sinceMs: number,
  read: (id: EnvironmentId, since: string) => Promise<Row[]>,
): Promise<Row[]> {
  const strangersMs = await strangersSince(database, environmentId)
  const found = environments.map(async (id) => {
    try {
      return await read(id, shownSince(id, sinceMs, strangersMs))
    } catch (error) {
      if (id === environmentId || !database.isDistributed || !isUnreachable(error)) throw error
      return []
    }
  })
  return (await Promise.all(found)).flat()
}

/** Requests of no environment count for one only from its creation on: a new environment has no old failures. */
async function strangersSince(database: Database, environmentId: EnvironmentId): Promise<number> {
  const [row] = await database.query<{ created_at: string }>('select created_at from environments where id = $1::int', [
    environmentId,
  ])
  return row ? Date.parse(row.created_at) : 0
}

function shownSince(id: EnvironmentId, sinceMs: number, strangersSinceMs: number): string {
  return new Date(id === NO_ENVIRONMENT ? Math.max(sinceMs, strangersSinceMs) : sinceMs).toISOString()
}
