import type { QueryResultRow } from 'pg'
import { limits } from '../../contract/limits.ts'
import type { EnvironmentId, Queryable, Reader } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { Guard } from '../expand/expand.ts'
import { isUuid } from '../ids.ts'
import { encodePosition, type OrderField, type PageRequest, type Position } from './page.ts'
import { type RenderedRow, readTogether } from './read-together.ts'

/** What a list reads from. `columns` are SQL expressions of ours by the contract's field names. */
export interface ListSource {
  /** With the alias of the table that holds the objects, and `environment_id = $1::int` in `where`. */
  from: string
  where: readonly string[]
  values: readonly unknown[]
  select: string
  id: string
  columns: Readonly<Record<string, Column>>
  idType: 'text' | 'uuid'
  /**
   * Whether the best plan depends on the filter's value, as a group of two needs another than a group of a million. All
   * other lists are prepared: planning took a third of PostgreSQL's time for a page.
   */
  filtered: boolean
  /** Of the horizon among its values: a later one has a greater turn. */
  turn?: number
  /** `limits.listMaximum` when it is left out. One more is read: it tells that more follows. */
  longestPage?: number
}

/** `instant` is a `timestamptz` of any year, which a position holds as milliseconds since 1970. */
export interface Column {
  expression: string
  type: 'text' | 'uuid' | 'timestamptz' | 'instant'
}

export interface ListedRow {
  id: string
}

/** Whether more follows, and where: the next page begins there, or at the page's own place when it is empty. */
export interface PageEnd {
  hasMore: boolean
  next: { startingAfter: string; position: string } | undefined
}

/**
 * One page by its keyset: the values of the last object and its id, never an offset, so that the ten-thousandth page
 * costs what the first does and a deleted object moves nothing.
 */
export async function listPage<Row extends ListedRow>(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
): Promise<PageEnd & { rows: Row[] }> {
  const text = pageText(source, page, after, ownParameters(source, page, after))
  const rows = await run<Row & Record<string, string>>(db, source, text, pageValues(environmentId, source, page, after))
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const end = last ? { values: keysOf(page).map((key) => last[key] as string), id: last.id } : after
  return { rows: shown, ...pageEnd(page, end, rows.length) }
}

/** The statement of a page that PostgreSQL renders; it is the same for all pages of a list but for its values. */
export interface RenderedPage {
  text: string
  /** The statement of several such pages, each a row with its `number`. */
  together: string
  guard: Guard | undefined
}

/**
 * A page as one text, the objects rendered and joined by PostgreSQL: a row for each of a hundred objects, read field by
 * field, costs this process twice as much as everything else about a list. `json` is the SQL of an object from its row,
 * `object`; what is expanded in it is guarded, by the rows of `page`.
 */
export function renderedPage(
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
  json: string,
  guardOf: (limit: string) => Guard | undefined,
): RenderedPage {
  const parameters = ownParameters(source, page, after)
  const guard = guardOf(parameters.limit)
  const asked = `unnest(${askedTypes(source, page, after).map((type, index) => `$${source.values.length + 2 + index}::${type}[]`)})`
  const columns = [...askedTypes(source, page, after).keys()].map((index) => `asked_${index}`)
  const own = askedColumns(source, page, after)
  return {
    text: renderedText(source, page, after, json, guard, parameters),
    together: `select asked.number, answered.*
       from ${asked} with ordinality as asked (${columns.join(', ')}, number)
      cross join lateral (${renderedText(source, page, after, json, guardOf(own.limit), own)}) as answered`,
    guard,
  }
}

/** Only what is guarded has to stand in a table of its own: the rows are read twice then. It costs a tenth of a page. */
function renderedText(
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
  json: string,
  guard: Guard | undefined,
  own: PlaceNames,
): string {
  const { limit } = own
  const keys = keysOf(page)
  const rows = pageText(source, page, after, own)
  // Arrays keep the order of the page. An `order by` in each of these would sort it once more.
  const lastOf = (column: string) => `(array_agg(${column}))[least(count(*), ${limit})] as ${column}`
  return `${guard ? `with page as materialized (${rows}), ${guard.cte}` : ''}
     select array_to_string((array_agg(item))[1:${limit}], ',') as items, count(*)::int as found,
            ${['id', ...keys].map(lastOf).join(', ')}${guard ? ', (select row_to_json(counts)::text from counts) as counts' : ''}
       from (select ${guard ? `case when ${guard.fits} then ${json} end` : json} as item, id, ${keys.join(', ')}
               from ${guard ? 'page' : `(${rows})`} as object) as rendered`
}

/** The page that such a statement renders; those that are asked for at the same time are read together. */
export async function listPageText(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
  { text, together, guard }: RenderedPage,
): Promise<PageEnd & { items: string }> {
  const row = source.filtered
    ? (
        (await db.queryUnprepared<RenderedRow>(text, pageValues(environmentId, source, page, after))) as [RenderedRow]
      )[0]
    : await readTogether(db, {
        environmentId,
        text,
        together,
        common: source.values,
        turn: source.turn ?? 0,
        weight: guard ? 'expanded' : 'plain',
        own: ownValues(page, after),
      })
  guard?.check(JSON.parse(row.counts as string))
  const end = row.found > 0 ? { values: keysOf(page).map((key) => row[key] as string), id: row.id as string } : after
  return { items: row.items ?? '', ...pageEnd(page, end, row.found) }
}

async function run<Row extends QueryResultRow>(
  db: Reader,
  { filtered }: ListSource,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return filtered ? await db.queryUnprepared<Row>(text, values) : await db.query<Row>(text, values)
}

function keysOf({ order }: PageRequest): string[] {
  return order.map((_, index) => `key_${index}`)
}

/**
 * The length of a page is a value, not part of the text: each text is prepared once per connection. The planner has to
 * know that it is small: with a bound that it cannot see it expects a tenth of the table, and sorts. The rows are read one
 * by one from the index, so the inner bound costs nothing.
 */
function pageText(source: ListSource, page: PageRequest, after: Position | undefined, own: PlaceNames): string {
  const conditions = [...source.where]
  if (after) conditions.push(followingCondition(source, page.order, own))
  const keys = page.order.map(({ name }, index) => `${keyText(column(source, name))} as key_${index}`)
  return `select *
       from (select ${source.select}, ${keys.join(', ')}
               from ${source.from}
              where ${conditions.join(' and ')}
              order by ${orderClause(source, page.order)}
              limit ${(source.longestPage ?? limits.listMaximum) + 1}) as nearest
      limit ${own.limit} + 1`
}

function pageValues(
  environmentId: EnvironmentId,
  source: ListSource,
  page: PageRequest,
  after: Position | undefined,
): unknown[] {
  return [environmentId, ...source.values, ...ownValues(page, after)]
}

/** What one page of a list differs in from the others. */
function ownValues({ limit }: PageRequest, after: Position | undefined): unknown[] {
  return [...(after ? [...after.values, after.id] : []), limit]
}

/** How a statement names what its page differs in. */
interface PlaceNames {
  position(index: number): string
  limit: string
}

/** By parameters, behind those of the environment and of what the source is about. */
function ownParameters(source: ListSource, page: PageRequest, after: Position | undefined): PlaceNames {
  const types = askedTypes(source, page, after)
  const first = source.values.length + 2
  return ownNames(source, page, after, (index) => `$${first + index}::${types[index]}`)
}

/** By columns of the table of pages that are read together. */
function askedColumns(source: ListSource, page: PageRequest, after: Position | undefined): PlaceNames {
  return ownNames(source, page, after, (index) => `asked.asked_${index}`)
}

function ownNames(
  source: ListSource,
  { order }: PageRequest,
  after: Position | undefined,
  nameOf: (index: number) => string,
): PlaceNames {
  const fields = withId(source, order)
  return {
    position: (index) => (fields[index]?.type === 'instant' ? `to_timestamp(${nameOf(index)} / 1000)` : nameOf(index)),
    limit: nameOf(after ? fields.length : 0),
  }
}

/** The types of `ownValues`. */
function askedTypes(source: ListSource, { order }: PageRequest, after: Position | undefined): string[] {
  const position = withId(source, order).map(({ type }) => (type === 'instant' ? 'float8' : type))
  return [...(after ? position : []), 'int']
}

function pageEnd({ limit, order }: PageRequest, end: Position | undefined, found: number): PageEnd {
  return { hasMore: found > limit, next: end && { startingAfter: end.id, position: encodePosition(order, end) } }
}

/** Where the page begins: the position that the URL carries, else that of the object that it names, whatever the filters. */
export async function findPosition(
  db: Queryable,
  environmentId: EnvironmentId,
  unfiltered: ListSource,
  { startingAfter, position, order }: PageRequest,
  kind: string,
): Promise<Position | undefined> {
  if (startingAfter === undefined) return undefined
  const isId = unfiltered.idType === 'text' || isUuid(startingAfter)
  if (isId && position?.values.every((value, index) => isValue(unfiltered, order[index], value))) return position
  const keys = order.map(({ name }, index) => `${keyText(column(unfiltered, name))} as key_${index}`)
  const [row] = isId
    ? await db.query<Record<string, string>>(
        `select ${keys.join(', ')}
           from ${unfiltered.from}
          where ${unfiltered.where.join(' and ')} and ${unfiltered.id} = $2::${unfiltered.idType}`,
        [environmentId, startingAfter],
      )
    : []
  if (!row) throw errors.invalidParams([`starting_after: ${kind} with id '${startingAfter}' not found`])
  return { values: order.map((_, index) => row[`key_${index}`] as string), id: startingAfter }
}

/** Whether PostgreSQL takes the value: a position comes from the caller, who may have written it by hand. */
function isValue(source: ListSource, field: OrderField | undefined, value: string): boolean {
  const type = field && column(source, field.name).type
  if (type === 'instant') return isInstant(value)
  return type === 'text' || (type === 'uuid' ? isUuid(value) : isOurTime(value))
}

/** From the year 0 to the year 9999, and a day more on either side. */
function isInstant(text: string): boolean {
  const ms = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return ms > -62_167_400_000_000 && ms < 253_402_400_000_000
}

/**
 * A time exactly as our answers write it. `Date.parse` alone takes 30 February for 2 March, and PostgreSQL has neither
 * that day nor a year 0.
 */
function isOurTime(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text && /^(?!0000)\d{4}-/.test(text)
}

/** The tie-break follows the last field, so that a single descending field reads its index backwards. */
function withId(source: ListSource, order: readonly OrderField[]) {
  const fields = order.map(({ name, descending }) => ({ ...column(source, name), descending }))
  return [...fields, { expression: source.id, type: source.idType, descending: order.at(-1)?.descending ?? false }]
}

function orderClause(source: ListSource, order: readonly OrderField[]): string {
  return withId(source, order)
    .map(({ expression, descending }) => (descending ? `${expression} desc` : expression))
    .join(', ')
}

/** `(a, b, id) > (…)` when all fields point the same way, which an index can answer; else spelled out, behind a bound on the first. */
function followingCondition(source: ListSource, order: readonly OrderField[], own: PlaceNames): string {
  const fields = withId(source, order).map((field, index) => ({ ...field, parameter: own.position(index) }))
  const sign = (descending: boolean) => (descending ? '<' : '>')
  const [first] = fields as [(typeof fields)[number]]
  if (fields.every(({ descending }) => descending === first.descending)) {
    const tuple = (parts: string[]) => `(${parts.join(', ')})`
    return `${tuple(fields.map((field) => field.expression))} ${sign(first.descending)} ${tuple(fields.map((field) => field.parameter))}`
  }
  const beyond = fields.reduceRight((rest, { expression, parameter, descending }) => {
    const past = `${expression} ${sign(descending)} ${parameter}`
    return rest === '' ? past : `(${past} or (${expression} = ${parameter} and ${rest}))`
  }, '')
  return `${first.expression} ${sign(first.descending)}= ${first.parameter} and ${beyond}`
}

function keyText({ expression, type }: Column): string {
  return type === 'instant' ? `(extract(epoch from ${expression}) * 1000)::bigint::text` : expression
}

function column(source: ListSource, name: string): Column {
  return source.columns[name] as Column
}
