import type { Transaction } from './queryable.ts'

/**
 * The statements of this transaction are planned for their values from here on, instead of once for any values. It is for
 * statements that cannot be written so that there is one plan to choose (docs/decisions/081-look-ups-by-key.md): a large
 * environment beside many small ones is read as a whole by a plan for the average. A sharded PostgreSQL always does so.
 */
export async function planForValues(db: Transaction): Promise<void> {
  if (!db.isDistributed) await db.query('set local plan_cache_mode = force_custom_plan', [])
}
