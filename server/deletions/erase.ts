import type { EnvironmentId, Transaction } from '../database/database.ts'
import { type TableRules, tables } from '../database/tables.ts'
import type { Owner } from './pending.ts'

/** The tables whose rows about a user or a group are few, each with a column that has its id. */
function erasedTables(owner: Owner): { table: string; column: string }[] {
  return Object.entries<TableRules>(tables).flatMap(([table, { erasure }]) => {
    const columns = typeof erasure === 'object' ? (erasure[owner] ?? []) : []
    return [columns].flat().map((column) => ({ table, column }))
  })
}

const ERASED = { user: erasedTables('user'), group: erasedTables('group') }

/** Deletes their rows about these users or groups, in the transaction of the deletion. */
export async function eraseRowsOf(
  db: Transaction,
  environmentId: EnvironmentId,
  owner: Owner,
  ids: readonly string[],
): Promise<void> {
  await Promise.all(
    ERASED[owner].map(({ table, column }) =>
      db.query(`delete from ${table} where environment_id = $1::int and ${column} = any($2::text[])`, [
        environmentId,
        ids,
      ]),
    ),
  )
}
