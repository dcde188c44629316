import type { Attributes } from '../../../contract/attributes.ts'
import type { Condition } from '../../../contract/conditions/condition.ts'
import type { Scope } from '../../conditions/members-sql.ts'
import { readTotals } from '../../counters/read.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { errors } from '../../errors.ts'
import type { ListSource } from '../../lists/source.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import { type Asked, askedCondition } from '../../segments/questions.ts'
import { selectedAmong } from '../../segments/selected.ts'
import type { Services } from '../../services.ts'
import { Raw } from '../call.ts'
import { orderedScan } from './ordered.ts'
import { filteredPage, type Page, plainPage, type Scan, type Scanned } from './scan.ts'
import { searchScan } from './search.ts'

export interface ListQuery {
  q?: string
  condition?: string
  order_by?: string
  cursor?: string
  limit?: number
}

/** One page of users or groups: searched by an index, or in one of the API's orders; those of a condition over a bounded number of rows. */
export async function listObjects(
  { database, now }: Services,
  environmentId: EnvironmentId,
  table: ObjectTable,
  source: ListSource,
  { q = '', condition, order_by = '-created_at', cursor, limit = 50 }: ListQuery,
  isOfOwner: boolean,
): Promise<Raw> {
  const search = q.trim()
  const isIndexed = search !== '' && !isOfOwner
  const scan: Scan = isIndexed
    ? searchScan(database, environmentId, table, search)
    : orderedScan(database, environmentId, table, source, order_by)
  // No index orders the members of one group by name, so a search among them looks at each.
  const fits = isIndexed || search === '' ? undefined : startsWith(search)
  if (condition === undefined && !fits) {
    const [page, totals] = await Promise.all([plainPage(scan, cursor, limit), readTotals(database, environmentId)])
    return rendered(page, search === '' && !isOfOwner ? totals[table.name] : null)
  }
  const asked = condition === undefined ? undefined : await askedBy(database, environmentId, table, condition)
  const select = async (rows: readonly Scanned[]) => {
    const found = fits ? rows.filter(fits) : rows
    const ids = found.map(({ id }) => id)
    return new Set(asked ? await selectedAmong(database, environmentId, asked, ids, now()) : ids)
  }
  return rendered(await filteredPage(scan, select, cursor, limit), null)
}

/** The JSON of the page. Attributes are JSON text already. */
function rendered({ rows, ...page }: Page, total: number | null): Raw {
  const data = rows.map(
    ({ id, attributesJson, created_at }) =>
      `{"id":${JSON.stringify(id)},"attributes":${attributesJson},"created_at":"${created_at}"}`,
  )
  return new Raw({ body: `{"data":[${data.join(',')}],${JSON.stringify({ ...page, total }).slice(1)}` })
}

async function askedBy(db: Database, environmentId: EnvironmentId, table: ObjectTable, text: string): Promise<Asked> {
  return await askedCondition(db, environmentId, { condition: parsed(text) }, table.object as Scope)
}

/** Checked by whoever asks about it. */
function parsed(text: string): Condition {
  try {
    return JSON.parse(text) as Condition
  } catch {
    throw errors.invalidParams(['condition: must be JSON'])
  }
}

function startsWith(search: string): (row: Scanned) => boolean {
  const wanted = search.toLowerCase()
  return ({ id, attributesJson }) => {
    const { name, email } = JSON.parse(attributesJson) as Attributes
    const texts = [name, email].filter((value) => typeof value === 'string')
    return id.startsWith(search) || texts.some((value) => value.toLowerCase().startsWith(wanted))
  }
}
