import type { QueryResultRow } from 'pg'
import type { EnvironmentId, Queryable } from './queryable.ts'

/** The items of a batch or a statement in one environment: jobs, keys or rows. Parts are ordered by environment. */
export interface Part<Item> {
  readonly environmentId: EnvironmentId
  readonly items: readonly Item[]
}

/**
 * One statement in two forms. In `one`, `$1::int` is the environment of everything. In `many`, `$1::int[]` has the
 * environment of each item. The form for one is faster. A sharded PostgreSQL gets `sharded` instead of it, where there is
 * one, and never `many`.
 */
export interface Forms {
  readonly one: string
  readonly many: string
  readonly sharded?: string
}

/** A statement made from another one, in all its forms. */
export function mapForms(forms: Forms, make: (text: string, form: 'one' | 'many') => string): Forms {
  const sharded = forms.sharded === undefined ? {} : { sharded: make(forms.sharded, 'one') }
  return { one: make(forms.one, 'one'), many: make(forms.many, 'many'), ...sharded }
}

export function ofOne<Item>(environmentId: EnvironmentId, items: readonly Item[]): Part<Item>[] {
  return [{ environmentId, items }]
}

/** The parts that have items. */
export function partsOf<Source extends { readonly environmentId: EnvironmentId }, Item>(
  sources: readonly Source[],
  items: (source: Source, index: number) => readonly Item[],
): Part<Item>[] {
  const parts = sources.map((source, index) => ({ environmentId: source.environmentId, items: items(source, index) }))
  return parts.filter((part) => part.items.length > 0)
}

export function itemsOf<Item>(parts: readonly Part<Item>[]): readonly Item[] {
  const [first] = parts
  return parts.length === 1 && first ? first.items : parts.flatMap(({ items }) => items)
}

/** Runs the form that fits the parts; `values` are those from `$2` on. */
export async function queryParts<Row extends QueryResultRow>(
  db: Queryable,
  forms: Forms,
  parts: readonly Part<unknown>[],
  values: readonly unknown[],
): Promise<Row[]> {
  const [first] = parts
  if (parts.length === 1 && first) {
    if (!db.isDistributed || forms.sharded === undefined)
      return await db.query<Row>(forms.one, [first.environmentId, ...values])
    // No `await` in a transaction: statements are sent in the order of the calls.
    if (db.anchor) await db.anchor(first.environmentId)
    return await db.query<Row>(forms.sharded, [first.environmentId, ...values])
  }
  const environments = parts.flatMap(({ environmentId, items }) => items.map(() => environmentId))
  return await db.query<Row>(forms.many, [environments, ...values])
}

/** How a statement that inserts the rows of a JSON document names their environment. */
export interface JsonForm {
  readonly form: 'one' | 'many'
  /** The value of the column. */
  readonly environmentId: string
  /** Before the document, in the `from` clause. */
  readonly from: string
  /** Before the columns of the document. */
  readonly declared: string
  /** Limits the insert to the environments of `$1`. */
  readonly where: string
}

/**
 * An insert of the rows of a JSON document, made by `jsonRows`.
 *
 * Citus carries an insert from a document alone out as a select and a COPY. That COPY is committed in one phase: when the
 * worker is lost at that moment, the coordinator answers success with a warning, and the rows are lost. With the anchor of
 * the environment in it, the insert is one statement on one worker, and fails as it does on one machine.
 */
export function insertForms(make: (form: JsonForm) => string): Forms {
  return {
    one: make({ form: 'one', from: '', environmentId: '$1::int', declared: '', where: 'true' }),
    sharded: make({
      form: 'one',
      from: 'environment_anchors as anchor cross join ',
      environmentId: 'anchor.environment_id',
      declared: '',
      where: 'anchor.environment_id = $1::int',
    }),
    many: make({
      form: 'many',
      from: '',
      environmentId: 'given.environment_id',
      declared: 'environment_id int, ',
      where: 'given.environment_id = any($1::int[])',
    }),
  }
}

/** Without its anchor an environment would store nothing, and nobody would know. `stored` is what `sharded` returns. */
export function checkStored(db: Queryable, parts: readonly Part<unknown>[], stored: readonly unknown[]): void {
  if (db.isDistributed && stored.length < itemsOf(parts).length) throw new Error('The environment has no anchor.')
}

/** The JSON document of the rows; with several environments each row names its own. */
export function jsonRows<Item>(parts: readonly Part<Item>[], row: (item: Item) => string): string {
  const [first] = parts
  if (parts.length === 1 && first) return `[${first.items.map((item) => row(item)).join(',')}]`
  const named = ({ environmentId, items }: Part<Item>) =>
    items.map((item) => `{"environment_id":${environmentId},${row(item).slice(1)}`)
  return `[${parts.flatMap(named).join(',')}]`
}

/** In the form for several environments a found row has the index of its key, from 1. */
export interface Indexed {
  readonly place?: number
}

/** The found rows of each part. */
export function rowsByPart<Row extends Indexed>(parts: readonly Part<unknown>[], rows: readonly Row[]): Row[][] {
  if (parts.length === 1) return [rows as Row[]]
  const partOf = parts.flatMap(({ items }, part) => items.map(() => part))
  const found: Row[][] = parts.map(() => [])
  for (const row of rows) found[partOf[(row.place as number) - 1] as number]?.push(row)
  return found
}

/** The columns of a key beside the environment, each with its type: they are the parameters from `$2` on. */
type KeyColumns = Readonly<Record<string, 'text' | 'uuid'>>

/**
 * A look-up by key. `offset 0` keeps it one look-up for each key, in the order of the keys, whatever PostgreSQL knows of the
 * table. With `id = any($2)` it went by what environments have on average: with 2,000 small ones and one of 20,000 users,
 * 40 of these were found by reading all of that environment's index, in 36 ms instead of 0.2. A sharded PostgreSQL plans
 * each statement anew, and gets that form.
 */
export function findForms(
  table: string,
  key: KeyColumns,
  columns: string,
  { lock = '', isShown }: { lock?: string; isShown?: (row: string, environmentIs: string) => string } = {},
): Forms {
  const names = Object.keys(key)
  const arrays = Object.values(key).map((type, index) => `$${index + 2}::${type}[]`)
  const matches = names.map((name) => ` and stored.${name} = wanted.${name}`).join('')
  const shown = (row: string, environmentIs: string) => (isShown ? `and ${isShown(row, environmentIs)}` : '')
  const find = (environmentId: string, environmentIs: string) => `
    cross join lateral (
      select ${columns} from ${table} as stored
       where stored.environment_id = ${environmentId}${matches} ${shown('stored', environmentIs)}
      offset 0 ${lock}) as found`
  const [name] = names
  const inOrder = lock === '' ? '' : `order by ${name} ${lock}`
  const sharded = `
    select ${columns} from ${table}
     where environment_id = $1::int and ${name} = any(${arrays[0]}) ${shown(table, '= $1::int')} ${inOrder}`
  return {
    ...(names.length === 1 && { sharded }),
    one: `select found.* from unnest(${arrays.join(', ')}) as wanted (${names.join(', ')}) ${find('$1::int', '= $1::int')}`,
    many: `
      select place::int, found.*
        from unnest($1::int[], ${arrays.join(', ')}) with ordinality as wanted (environment_id, ${names.join(', ')}, place)
        ${find('wanted.environment_id', '= any($1::int[])')}`,
  }
}

/**
 * The same as a condition of an update or a delete. It joins nothing and gives the planner no index to choose, so that there
 * is one plan: `environment_id + 0` is in none. The rows must be locked by this transaction already, or only be deleted by
 * others: then they are where they were found.
 */
export function whereForms(table: string, key: KeyColumns): Forms {
  const where = (find: string) => `ctid = any(array(select row_id from (${find}) as rows))`
  const { one, many } = findForms(table, key, 'ctid as row_id')
  const arrays = Object.values(key).map((type, index) => `$${index + 2}::${type}[]`)
  return {
    one: `environment_id + 0 = $1::int and ${where(one)}`,
    many: where(many),
    sharded: `environment_id = $1::int and (${Object.keys(key).join(', ')}) in (select * from unnest(${arrays.join(', ')}))`,
  }
}
