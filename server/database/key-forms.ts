import type { Forms } from './forms.ts'

/** The columns of a key without the environment, each with its type: the parameters from `$2` on. */
type KeyColumns = Readonly<Record<string, 'text' | 'uuid'>>

interface FindOptions {
  lock?: string
  isShown?: (row: string, environmentIs: string) => string
  /** The columns in the form for a sharded PostgreSQL, if they are written in another way there. */
  shardedColumns?: string
}

/**
 * A look-up by key. `offset 0` keeps it one look-up for each key, in the order of the keys, whatever PostgreSQL knows
 * of the table. With `id = any($2)` the planner uses the average size of environments: with 2,000 small ones and one of
 * 20,000 users, it read the whole index of that environment to find 40 users, in 36 ms instead of 0.2. A sharded
 * PostgreSQL plans each execution, so it gets that form.
 */
export function findForms(
  table: string,
  key: KeyColumns,
  columns: string,
  { lock = '', isShown, shardedColumns = columns }: FindOptions = {},
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
    select ${shardedColumns} from ${table}
     where environment_id = $1::int and ${name} = any(${arrays[0]}) ${shown(table, '= $1::int')} ${inOrder}`
  return {
    ...(names.length === 1 && { sharded }),
    one: `select found.* from unnest(${arrays.join(', ')}) as wanted (${names.join(', ')}) ${find('$1::int', '= $1::int')}`,
    many: `
      select key_number::int, found.*
        from unnest($1::int[], ${arrays.join(', ')}) with ordinality as wanted (environment_id, ${names.join(', ')}, key_number)
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
  const names = Object.keys(key)
  const arrays = Object.values(key).map((type, index) => `$${index + 2}::${type}[]`)
  // Citus sends a statement without a subquery on to the worker with hardly any planning.
  const matches =
    names.length === 1
      ? `${names[0]} = any(${arrays[0]})`
      : `(${names.join(', ')}) in (select * from unnest(${arrays.join(', ')}))`
  return {
    one: `environment_id + 0 = $1::int and ${where(one)}`,
    many: where(many),
    sharded: `environment_id = $1::int and ${matches}`,
  }
}
