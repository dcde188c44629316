import type { Attributes } from '../../../contract/attributes.ts'
import type { ObjectPage } from '../../../contract/dashboard/objects.ts'
import { readTotals } from '../../counters/read.ts'
import type { EnvironmentId } from '../../database/database.ts'
import type { ListSource } from '../../lists/source.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import type { Services } from '../../services.ts'
import { predicateOf } from './filters.ts'
import { orderedScan } from './ordered.ts'
import { filteredPage, plainPage, type Scan } from './scan.ts'
import { searchScan } from './search.ts'

export interface ListQuery {
  q?: string
  filter?: string[]
  order_by?: string
  cursor?: string
  limit?: number
}

/** One page of users or groups: searched by an index, or in one of the API's orders; filtered over a bounded number of rows. */
export async function listObjects(
  { database }: Services,
  environmentId: EnvironmentId,
  table: ObjectTable,
  source: ListSource,
  { q = '', filter = [], order_by = '-created_at', cursor, limit = 50 }: ListQuery,
  isOfOwner: boolean,
): Promise<ObjectPage> {
  const search = q.trim()
  const isIndexed = search !== '' && !isOfOwner
  const scan: Scan = isIndexed
    ? searchScan(database, environmentId, table, search)
    : orderedScan(database, environmentId, table, source, order_by)
  // No index orders the members of one group by name, so a search among them is a filter.
  const fits = isIndexed || search === '' ? undefined : startsWith(search)
  if (filter.length === 0 && !fits) {
    const [page, totals] = await Promise.all([plainPage(scan, cursor, limit), readTotals(database, environmentId)])
    return { ...page, total: search === '' && !isOfOwner ? totals[table.name] : null }
  }
  const holds = predicateOf(filter)
  const both = (attributes: Attributes, id: string) => holds(attributes) && (fits?.(attributes, id) ?? true)
  return { ...(await filteredPage(scan, both, cursor, limit)), total: null }
}

function startsWith(search: string): (attributes: Attributes, id: string) => boolean {
  const wanted = search.toLowerCase()
  return ({ name, email }, id) =>
    id.startsWith(search) ||
    [name, email].some((value) =>
      String(value ?? '')
        .toLowerCase()
        .startsWith(wanted),
    )
}
