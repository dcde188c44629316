import type pg from 'pg'
import { bytesText, TABLE_SIZES, type TableSize } from '../database/table-sizes.ts'
import { type Finding, ok } from './finding.ts'

const SHOWN = 3

/** What the data takes, and where it lies. */
export async function checkTables(client: pg.ClientBase): Promise<Finding> {
  const { rows } = await client.query<TableSize>(TABLE_SIZES)
  const all = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  const largest = rows.slice(0, SHOWN).map(({ name, bytes }) => `${name} ${bytesText(bytes)}`)
  return ok('tables', `the tables take ${bytesText(all)}: ${largest.join(', ')}`)
}
