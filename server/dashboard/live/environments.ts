import { listAccounts } from '../../accounts/queries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { NO_ENVIRONMENT } from '../../live/record.ts'

/**
 * What is shown with an environment: requests without a known key belong to none, and are shown with each where there is
 * only one account, so that nobody looks in vain for the request with the wrong key. With several accounts they could be
 * anybody's, and are shown to nobody.
 */
export async function shownWith(database: Database, environmentId: EnvironmentId): Promise<EnvironmentId[]> {
  const accounts = await listAccounts(database)
  return accounts.length === 1 ? [environmentId, NO_ENVIRONMENT] : [environmentId]
}
