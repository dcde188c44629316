import type { EnvironmentId, Reader } from '../database/database.ts'
import type { Guard } from '../expand/expand.ts'
import { type KeysetNames, pageColumns, pageParameters, pageValues, pageValueTypes } from './keyset.ts'
import { keysOf, type PageEnd, pageEnd, pageText, statementValues } from './list.ts'
import type { PagePosition, PageRequest } from './page.ts'
import { type RenderedRow, readTogether } from './read-together.ts'
import type { ListSource } from './source.ts'

/** The statement of a page that PostgreSQL renders. All pages of a list have the same text. */
interface Statement {
  text: string
  /** The statement of several such pages, each a row with its `number`. */
  together: string
}

export interface RenderedPage extends Statement {
  guard: Guard | undefined
  /** A cheaper statement that is enough when all lists of the page are short. */
  short?: Statement & { isEnough(row: RenderedRow): boolean }
}

/**
 * A page as one text, with the objects rendered and joined by PostgreSQL: reading a hundred rows field by field costs this
 * process twice as much as everything else about a list. `json` is the SQL of an object from its row, `object`. The
 * guard counts its expansions by the rows of `page`. `lateral` is a table with the `items` of the object's only list; the
 * length of these lists is answered too.
 */
export function renderedPage(
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  json: string,
  guardOf: (limit: string) => Guard | undefined,
  lateral?: string,
): RenderedPage {
  const parameters = pageParameters(source, page, after)
  const guard = guardOf(parameters.limit)
  const types = pageValueTypes(source, page, after)
  const arrays = types.map((type, index) => `$${source.values.length + 2 + index}::${type}[]`)
  const columns = types.map((_, index) => `value_${index}`)
  const own = pageColumns(source, page, after)
  return {
    text: renderedText(source, page, after, json, guard, parameters, lateral),
    together: `select requested.number, result.*
       from unnest(${arrays}) with ordinality as requested (${columns.join(', ')}, number)
      cross join lateral (${renderedText(source, page, after, json, guardOf(own.limit), own, lateral)}) as result`,
    guard,
  }
}

/** With a guard the rows are read twice and need a CTE, which costs a tenth of a page. */
function renderedText(
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  json: string,
  guard: Guard | undefined,
  own: KeysetNames,
  lateral?: string,
): string {
  const { limit } = own
  const keys = keysOf(page)
  const rows = pageText(source, page, after, own)
  // Arrays keep the order of the page. An `order by` in each aggregate would sort again.
  const lastOf = (column: string) => `(array_agg(${column}))[least(count(*), ${limit})] as ${column}`
  return `${guard ? `with page as materialized (${rows}), ${guard.cte}` : ''}
     select array_to_string((array_agg(item))[1:${limit}], ',') as items, count(*)::int as found,
            ${['id', ...keys].map(lastOf).join(', ')}${guard ? ', (select row_to_json(counts)::text from counts) as counts' : ''}
            ${lateral ? ', max(length) as longest, sum(length)::int as linked' : ''}
       from (select ${guard ? `case when ${guard.fits} then ${json} end` : json} as item, id, ${keys.join(', ')}
                    ${lateral ? ', cardinality(short.items) as length' : ''}
               from ${guard ? 'page' : `(${rows})`} as object ${lateral ? `cross join lateral ${lateral}` : ''}) as rendered`
}

/** Reads a page by such a statement. Pages that are requested at the same time are read together. */
export async function listPageText(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  rendered: RenderedPage,
): Promise<PageEnd & { items: string }> {
  const row = await readWithinLimit(db, rendered, (statement) =>
    readRow(db, environmentId, source, page, after, statement, rendered.guard ? 'expanded' : 'plain'),
  )
  const end = row.found > 0 ? { values: keysOf(page).map((key) => row[key] as string), id: row.id as string } : after
  return { items: row.items ?? '', ...pageEnd(page, end, row.found) }
}

/** Throws when the expansions of the page are over the limit. */
async function readWithinLimit(
  db: Reader,
  { guard, short, ...counted }: RenderedPage,
  read: (statement: Statement) => Promise<RenderedRow>,
): Promise<RenderedRow> {
  // Whether Citus sends the lateral join of a short list to one worker was not tested.
  if (short && !db.isDistributed) {
    const row = await read(short)
    if (short.isEnough(row)) return row
  }
  const row = await read(counted)
  guard?.check(JSON.parse(row.counts as string))
  return row
}

async function readRow(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: PagePosition | undefined,
  { text, together }: Statement,
  weight: 'expanded' | 'plain',
): Promise<RenderedRow> {
  if (source.filtered) {
    const values = statementValues(environmentId, source, page, after)
    return ((await db.queryUnprepared<RenderedRow>(text, values)) as [RenderedRow])[0]
  }
  const own = pageValues(page, after)
  const sequence = source.sequence ?? 0
  return await readTogether(db, { environmentId, text, together, common: source.values, sequence, weight, own })
}
