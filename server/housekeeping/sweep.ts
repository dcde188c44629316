import type { Database, EnvironmentId } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { environmentTables } from '../database/tables.ts'
import { inTurns } from '../rounds/in-turns.ts'
import {
  deleteEnvironmentRow,
  deletePortion,
  findKeys,
  listDeletedEnvironments,
  lockSweep,
  type SweptTable,
} from './queries.ts'

const PORTION = 2_000
/** A revoked key stops working within a second on every node. After this long its requests have ended too. */
const SETTLED_MS = 30_000

const ROUND_MS = 2_000

/** How far a round has come with an environment: the index of the table, and the key of the last deleted row. */
interface SweepProgress {
  table: number
  after: string[] | undefined
}

const START: SweepProgress = { table: 0, after: undefined }

/**
 * Deletes the rows of deleted environments, in portions, a portion of each in turn, so that there is no long transaction. The row of the environment
 * itself is deleted last. A round takes at most two seconds.
 */
export async function sweepDeletedEnvironments(database: Database, settledMs = SETTLED_MS): Promise<void> {
  const started = performance.now()
  const environmentIds = await listDeletedEnvironments(database, settledMs)
  if (environmentIds.length === 0) return
  const tables = await findKeys(database, environmentTables)
  const swept = environmentIds.map((id) => ({ id, progress: START }))
  await inTurns(swept, started + ROUND_MS, async (environment) => {
    const progress = await sweepPortion(database, tables, environment.id, environment.progress)
    environment.progress = progress ?? START
    return progress !== undefined
  })
}

/** Returns where the next portion starts, or undefined when nothing is left, or another node sweeps. */
async function sweepPortion(
  database: Database,
  tables: readonly SweptTable[],
  environmentId: EnvironmentId,
  progress: SweepProgress,
): Promise<SweepProgress | undefined> {
  return await inTransaction(database, async (transaction) => {
    if (!(await lockSweep(transaction, environmentId))) return undefined
    for (const [index, table] of tables.entries()) {
      if (index < progress.table) continue
      const after = index === progress.table ? progress.after : undefined
      const last = await deletePortion(transaction, environmentId, table, PORTION, after)
      if (last) return { table: index, after: last }
    }
    // The row of the environment is deleted only after a pass over all tables that found nothing.
    if (progress !== START) return START
    await deleteEnvironmentRow(transaction, environmentId)
    return undefined
  })
}
