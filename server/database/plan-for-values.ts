import type { Transaction } from './queryable.ts'

/**
 * The statements of this transaction are planned for their values from here on, instead of once for any values. For
 * statements that have several possible plans (docs/decisions/081-look-ups-by-key.md): with many small environments and
 * a large one, the plan for the average reads all of the large one. A sharded PostgreSQL always plans for the values.
 */
export async function planForValues(db: Transaction): Promise<void> {
  if (!db.isDistributed) await db.query('set local plan_cache_mode = force_custom_plan', [])
}
