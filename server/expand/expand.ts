import type { QueryResultRow } from 'pg'
import { limits } from '../../contract/limits.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { Expanded } from '../objects/render.ts'
import type { ExpandTree, ObjectKind } from './paths.ts'
import { type Counts, countsOf, expandedFields } from './sql.ts'

/** Keeps an expansion within its limit: parts of the statement that reads the objects to expand. */
export interface Guard {
  /** A table of one row with the counts, for the `with` of the statement. */
  cte: string
  /** Whether everything fits. Otherwise nothing is rendered. */
  fits: string
  /** Throws an error that names the path over the limit, from the columns of the table. */
  check(counts: Readonly<Record<string, unknown>>): void
}

/** `from` is the objects to expand, with the alias `root`; `memberships` is where their memberships are. */
export function guardOf(kind: ObjectKind, tree: ExpandTree, from: string, memberships?: string): Guard {
  const counts = countsOf(kind, tree, from, memberships)
  const columns = counts.columns.map((sql, column) => `${sql} as count_${column}`)
  const objects = counts.paths.map(({ column }) => `count_${column}`).join(' + ')
  // So few cannot be too large. Their attributes are read twice otherwise.
  const few = Math.floor(limits.expandedBytes / limits.attributesBytes)
  const isCounted = `${objects} > ${few} and ${objects} <= ${limits.expandedObjects}`
  return {
    cte: `counted as materialized (select ${columns.join(', ')}),
          counts as materialized (select *, case when ${isCounted} then ${counts.bytes.join(' + ')} else 0 end as bytes from counted)`,
    fits: `(select ${objects} <= ${limits.expandedObjects} and bytes <= ${limits.expandedBytes} from counts)`,
    check: (row) => checkExpansionLimit(counts, row),
  }
}

/** Throws when what is expanded has too many bytes. */
export function checkExpandedBytes(bytes: unknown): void {
  if (Number(bytes) <= limits.expandedBytes) return
  const most = `${limits.expandedBytes / 1024 / 1024} MiB`
  throw errors.invalidParams([
    `expand: would expand more than ${most}; read the objects with GET /users?group_id=… or GET /groups?user_id=…, or ask for a smaller page when this is a list`,
  ])
}

function checkExpansionLimit({ paths }: Counts, row: Readonly<Record<string, unknown>>): void {
  checkExpandedBytes(row.bytes)
  let room: number = limits.expandedObjects
  for (const { path, column, owner } of paths) {
    room -= row[`count_${column}`] as number
    if (room >= 0) continue
    const list = owner === 'group' ? 'GET /users?group_id=…' : 'GET /groups?user_id=…'
    throw errors.invalidParams([
      `expand: '${path}' would expand more than ${limits.expandedObjects.toLocaleString('en')} objects; read them with ${list}, or ask for a smaller page when this is a list`,
    ])
  }
}

/** One object with its expansions. Undefined when the object does not exist. */
export async function expandOne<Row extends QueryResultRow>(
  db: Queryable,
  environmentId: EnvironmentId,
  kind: ObjectKind,
  tree: ExpandTree,
  root: string,
  values: readonly unknown[],
): Promise<(Row & { expanded: Expanded }) | undefined> {
  const row = await expandWithinLimit<Row>(db, environmentId, kind, tree, root, values)
  row?.checkExpansionLimit()
  return row
}

/**
 * One object with what is expanded below it, or with nothing expanded when that is over the limit: `checkExpansionLimit` then throws.
 * `root` is the SQL of the row, with the columns that its kind is expanded by.
 */
export async function expandWithinLimit<Row extends QueryResultRow>(
  db: Queryable,
  environmentId: EnvironmentId,
  kind: ObjectKind,
  tree: ExpandTree,
  root: string,
  values: readonly unknown[],
): Promise<(Row & { expanded: Expanded; checkExpansionLimit: () => void }) | undefined> {
  const guard = guardOf(kind, tree, 'root')
  const fields = Object.entries(expandedFields(kind, tree, 'root'))
  const columns = fields.map(([name, sql]) => `case when ${guard.fits} then ${sql} end as "expanded_${name}"`)
  const [row] = await db.query<Row>(
    `with root as materialized (${root}), ${guard.cte}
     select root.*, counts.*, ${columns.join(', ')} from root cross join counts`,
    [environmentId, ...values],
  )
  if (!row) return undefined
  const expanded = Object.fromEntries(fields.map(([name]) => [name, row[`expanded_${name}`]]))
  return { ...row, expanded, checkExpansionLimit: () => guard.check(row) }
}
