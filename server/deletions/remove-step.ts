import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { deletePendingDeletion, lockPendingDeletion } from './pending.ts'
import { deleteFirstOfTables } from './stepped-tables.ts'
import type { LastRemovedKey, RemovedPart } from './steps.ts'

/** Rows of one step: few, so that a step holds its locks only for some milliseconds. */
const ROWS_PER_STEP = 300

/**
 * How far this node came with a deletion: the index of the table, and the last row that it removed there. The next step
 * starts after it: deleted rows stay in the indexes until vacuum, so from the start every step would read past all of them.
 */
export interface DeletionProgress {
  table: number
  after: LastRemovedKey | undefined
}

/** The progress after this step. Undefined when another node works on the deletions of this environment. */
export async function removeStep(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  progress: ReadonlyMap<string, DeletionProgress>,
): Promise<{ deletion: string; next: DeletionProgress | undefined } | undefined> {
  const pending = await lockPendingDeletion(transaction, environmentId)
  if (!pending) return undefined
  const { owner, ownerId, boundary, objectCreatedAt } = pending
  const objects = [{ id: ownerId, createdAt: objectCreatedAt ?? undefined }]
  const deletion = JSON.stringify([environmentId, owner, ownerId, boundary])
  const next = await removeNext(
    transaction,
    environmentId,
    { owner, objects, boundary, most: ROWS_PER_STEP },
    progress.get(deletion),
  )
  if (!next) await deletePendingDeletion(transaction, pending)
  return { deletion, next }
}

/** Undefined when no table has rows of this part any more. */
async function removeNext(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  part: RemovedPart,
  { table: first, after }: DeletionProgress = { table: 0, after: undefined },
): Promise<DeletionProgress | undefined> {
  for (const [table, deleteFirst] of deleteFirstOfTables.entries()) {
    if (table < first) continue
    const { isLeft, last } = await deleteFirst(transaction, environmentId, {
      ...part,
      after: table === first ? after : undefined,
    })
    if (isLeft) return { table, after: last }
  }
  return undefined
}
