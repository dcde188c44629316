import type { QueryResultRow } from 'pg'
import { itemsOf, type Part } from './parts.ts'
import type { Queryable } from './queryable.ts'

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

/** How a statement that adds counts of arrays names the environment of each. */
export interface CountForm {
  readonly environmentId: string
  /** Before the other arrays, and before the names of their columns. */
  readonly arrays: string
  readonly declared: string
}

/** A statement that adds to the counts of one environment, or of many. */
export function countForms(make: (form: CountForm) => string): Forms {
  return {
    one: make({ environmentId: '$1::int', arrays: '', declared: '' }),
    many: make({ environmentId: 'given.environment_id', arrays: '$1::int[], ', declared: 'environment_id, ' }),
  }
}

/** How a statement that inserts the rows of a JSON document, or of arrays, names their environment. */
export interface InsertForm {
  readonly form: 'one' | 'many'
  /** The value of the column. */
  readonly environmentId: string
  /** Before the document or the arrays, in the `from` clause. */
  readonly from: string
  /** Before the columns of the document. */
  readonly declared: string
  /** Before the arrays, and before the names of their columns. */
  readonly arrays: string
  readonly named: string
  /** Limits the insert to the environments of `$1`. */
  readonly where: string
}

/** All rows are of one environment. */
const NAMED_ONCE = { declared: '', arrays: '', named: '' }

/**
 * An insert of the rows of a JSON document, made by `jsonRows`, or of arrays.
 *
 * Citus executes an insert that reads only a document as a select and a COPY. That COPY is committed in one phase: when
 * the worker is lost at that moment, the coordinator answers success with a warning, and the rows are lost. With the
 * anchor of the environment in it, the insert is one statement on one worker, and fails as it does on one machine.
 */
export function insertForms(make: (form: InsertForm) => string): Forms {
  return {
    one: make({ form: 'one', from: '', environmentId: '$1::int', ...NAMED_ONCE, where: 'true' }),
    sharded: make({
      form: 'one',
      from: 'environment_anchors as anchor cross join ',
      environmentId: 'anchor.environment_id',
      ...NAMED_ONCE,
      where: 'anchor.environment_id = $1::int',
    }),
    many: make({
      form: 'many',
      from: '',
      environmentId: 'given.environment_id',
      declared: 'environment_id int, ',
      arrays: '$1::int[], ',
      named: 'environment_id, ',
      where: 'given.environment_id = any($1::int[])',
    }),
  }
}

/** Without its anchor an environment would store nothing, without an error. `stored` is what `sharded` returns. */
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
