import type pg from 'pg'
import { counted } from '../counted.ts'
import { bytesText, type TableSize, tableSizes } from '../database/table-sizes.ts'
import { isShardedDatabase } from '../database/topology.ts'
import { type Finding, ok } from './finding.ts'

const SHOWN = 3

/** What the data takes, and where it lies. */
export async function checkTables(client: pg.ClientBase): Promise<Finding> {
  const isDistributed = await isShardedDatabase(client)
  const { rows } = await client.query<TableSize>(tableSizes(isDistributed))
  return describeTables(rows)
}

export function describeTables(sizes: readonly TableSize[]): Finding {
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const largest = sizes.slice(0, SHOWN).map(({ name, bytes }) => `${name} ${bytesText(bytes)}`)
  const partial = sizes.filter(({ isPartial }) => isPartial)
  const finding = `the tables take ${bytesText(all)}: ${largest.join(', ')}`
  if (partial.length === 0) return ok('tables', finding)
  return ok(
    'tables',
    `${finding}; not counted: the shards of ${counted(partial.length, 'table')} on a worker that does not answer`,
  )
}
