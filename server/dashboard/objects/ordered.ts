import { orderable } from '../../../contract/queries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import type { ListSource } from '../../lists/source.ts'
import type { ObjectRow } from '../../objects/queries.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import { objectSource } from '../../reads/lists.ts'
import { keysetPage } from '../keyset.ts'
import { MOST_BYTES, PORTION, type Scan } from './scan.ts'

const ROW = 'object.id, object.attributes as "attributesJson", object.created_at'
const MEASURED = { expression: 'object.attributes', mostBytes: MOST_BYTES }

/** Users or groups in one of the API's orders. */
export function orderedScan(
  database: Database,
  environmentId: EnvironmentId,
  table: ObjectTable,
  source: ListSource,
  orderBy: string,
): Scan {
  const unfiltered = objectSource(table)
  const list = {
    source: { ...source, select: ROW, longestPage: PORTION, measured: MEASURED },
    unfiltered,
    kind: table.kind,
    orderable: orderable[table.name],
    orderBy,
  }
  return (cursor, limit) => keysetPage<ObjectRow>(database, environmentId, list, cursor, limit)
}
