import type { Database, EnvironmentId, Queryable } from '../database/database.ts'
import { eachEnvironment } from '../database/each-environment.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { deleteOtherKeyIds, lockKeyIds } from './queries.ts'
import { countSealedByOthers, listSealedByOthers, replaceSealed } from './rotation-queries.ts'
import type { SealedColumn } from './sealed-column.ts'
import type { SecretBox } from './secret-box.ts'

/**
 * Seals everything that is sealed with another key again, with the key of the box. Each row is a statement of its own: after an
 * interruption the rest is found and done by the next call. The other keys are forgotten when nothing is left of them. Returns how
 * many rows were sealed, and how many are left, because a node that still seals with another key has written them meanwhile.
 */
export async function rotateKey(
  database: Database,
  box: SecretBox,
  keyId: string,
  columns: readonly SealedColumn[],
): Promise<{ sealed: number; left: number }> {
  let sealed = 0
  let failure: unknown
  await eachEnvironment(database, async (environmentId) => {
    try {
      for (const column of columns) {
        const rows = await resealColumn(database, box, keyId, environmentId, column)
        // Other environments add to it during the await.
        sealed += rows
      }
    } catch (error) {
      failure ??= error
    }
  })
  if (failure) throw failure
  const left = await countLeft(database, keyId, columns)
  if (left === 0) await forgetOthers(database, keyId)
  return { sealed, left }
}

export async function countLeft(db: Queryable, keyId: string, columns: readonly SealedColumn[]): Promise<number> {
  let left = 0
  for (const column of columns) left += await countSealedByOthers(db, column, keyId)
  return left
}

async function resealColumn(
  database: Database,
  box: SecretBox,
  keyId: string,
  environmentId: EnvironmentId,
  column: SealedColumn,
): Promise<number> {
  let sealed = 0
  let rows = await listSealedByOthers(database, environmentId, column, keyId)
  while (rows.length > 0) {
    for (const row of rows) {
      const text = box.reseal(row.stored, column.place(environmentId, row.id))
      if (await replaceSealed(database, environmentId, column, row, text)) sealed += 1
    }
    rows = await listSealedByOthers(database, environmentId, column, keyId, rows.at(-1)?.id)
  }
  return sealed
}

async function forgetOthers(database: Database, keyId: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockKeyIds(transaction)
    await deleteOtherKeyIds(transaction, keyId)
  })
}
