import type { Database, EnvironmentId } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { deleteEnvironmentRow, deletePortion, listDeletedEnvironments, lockSweep } from './queries.ts'

/** Every table with rows of an environment, referring tables first. A test compares it with the schema. */
export const environmentTables = [
  'idempotency_keys',
  'imports',
  'pending_deletions',
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_notifications',
  'webhook_endpoint_hours',
  'webhook_endpoints',
  'webhook_subscriptions',
  'webhook_replays',
  'attribute_conflicts',
  'event_attribute_uses',
  'event_definitions',
  'attribute_definitions',
  'events',
  'group_memberships',
  'groups',
  'users',
  'counts',
  'request_errors',
  'environment_totals',
  'environment_anchors',
  'commit_markers',
  'api_keys',
] as const

const PORTION = 2_000
/** A revoked key stops working within a second on every node. After this long its requests have ended too. */
const SETTLED_MS = 30_000

const ROUND_MS = 2_000

/**
 * Deletes the rows of deleted environments, in portions, so that there is no long transaction. The row of the environment
 * itself is deleted last. A round takes at most two seconds.
 */
export async function sweepDeletedEnvironments(database: Database, settledMs = SETTLED_MS): Promise<void> {
  const started = Date.now()
  const before = new Date(started - settledMs).toISOString()
  for (const id of await listDeletedEnvironments(database, before))
    while (Date.now() - started < ROUND_MS && (await sweepPortion(database, id)));
}

/** Returns whether something was deleted. */
async function sweepPortion(database: Database, environmentId: EnvironmentId): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    if (!(await lockSweep(transaction, environmentId))) return false
    for (const table of environmentTables)
      if ((await deletePortion(transaction, environmentId, table, PORTION)) > 0) return true
    await deleteEnvironmentRow(transaction, environmentId)
    return false
  })
}
