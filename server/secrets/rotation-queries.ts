import type { EnvironmentId, Queryable } from '../database/database.ts'
import { LEAST_ID } from '../ids.ts'
import type { SealedColumn } from './sealed-column.ts'

const PAGE = 100
const FIRST = { text: '', uuid: LEAST_ID, int: '0' }

export interface SealedRow {
  id: string
  stored: string
}

/** What is sealed with another key than this one. In JSON a sealed secret begins after a quote. */
function otherThan({ type }: SealedColumn, keyId: string): string {
  return `${type === 'jsonb' ? '"' : '^'}sealed:1:(?!${keyId}:)`
}

/** Some rows of a column that are sealed with another key, after a row. */
export async function listSealedByOthers(
  db: Queryable,
  environmentId: EnvironmentId,
  sealed: SealedColumn,
  keyId: string,
  after = FIRST[sealed.idType],
): Promise<SealedRow[]> {
  const { table, column, id, idType } = sealed
  return await db.query<SealedRow & Record<string, unknown>>(
    `select ${id}::text as id, ${column}::text as stored
       from ${table}
      where environment_id = $1::int and ${id} > $2::${idType} and ${column}::text ~ $3::text
      order by ${table}.${id}
      limit ${PAGE}`,
    [environmentId, after, otherThan(sealed, keyId)],
  )
}

/** Changes nothing when the row was changed since it was read. */
export async function replaceSealed(
  db: Queryable,
  environmentId: EnvironmentId,
  { table, column, type, id, idType }: SealedColumn,
  row: SealedRow,
  resealed: string,
): Promise<boolean> {
  const rows = await db.query(
    `update ${table} set ${column} = $4::text::${type}
      where environment_id = $1::int and ${id} = $2::${idType} and ${column}::text = $3::text
     returning 1 as changed`,
    [environmentId, row.id, row.stored, resealed],
  )
  return rows.length > 0
}

/** How many rows of a column, of all environments, are sealed with another key. */
export async function countSealedByOthers(db: Queryable, sealed: SealedColumn, keyId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from ${sealed.table} where ${sealed.column}::text ~ $1::text`,
    [otherThan(sealed, keyId)],
  )
  return row?.count ?? 0
}
