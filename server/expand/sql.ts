import { limits } from '../../contract/limits.ts'
import { liveMemberships } from '../deletions/pending.ts'
import { type SqlRendered, sqlOf } from '../objects/render-sql.ts'
import { type ExpandTree, expandable, type ObjectKind } from './paths.ts'

/**
 * The SQL of expansions. PostgreSQL renders the expanded objects too, so a response is one statement and shows one state of
 * the database. Everything is looked up by its key, one object after the other, without joins: there is only one plan,
 * whatever the size and the statistics of the tables. `listTables` is the faster form for one list.
 */

/** The other end of a membership, from each side. */
const ends = {
  user: { id: 'user_id', otherId: 'group_id', otherCreatedAt: 'group_created_at' },
  group: { id: 'group_id', otherId: 'user_id', otherCreatedAt: 'user_created_at' },
} as const

const tables = { user: 'users', group: 'groups' } as const

const MOST = limits.expandedObjects

type Field = { name: string; kind: SqlRendered; tree: ExpandTree }

function fieldsOf(kind: ObjectKind, tree: ExpandTree): Field[] {
  const kinds = expandable[kind] as Record<string, SqlRendered>
  return [...tree].map(([name, subtree]) => ({ name, kind: kinds[name] as SqlRendered, tree: subtree }))
}

/** The JSON text of each expanded field of an object; `alias` is that of the row with its ids, and `$1` the environment. */
export function expandedFields(kind: ObjectKind, tree: ExpandTree, alias: string): Record<string, string> {
  return Object.fromEntries(fieldsOf(kind, tree).map((field) => [field.name, fieldText(kind, field, alias)]))
}

function fieldText(parent: ObjectKind, field: Field, alias: string): string {
  if (parent === 'group_membership' || parent === 'event')
    return `coalesce(${oneText(field, alias, `${alias}.${field.name}_id`)}, 'null')`
  return listText(itemsOf(parent, field, alias))
}

const itemText = ({ kind, tree }: Field, row: string) => sqlOf(kind, row, expandedFields(kind, tree, row))

function oneText(field: Field, alias: string, id: string): string {
  const row = `${alias}_${field.name}`
  return `(select ${itemText(field, row)} from ${tables[field.kind as keyof typeof tables]} as ${row} where ${row}.environment_id = $1::int and ${row}.id = ${id})`
}

const listText = (items: string) => `'[' || array_to_string(${items}, ',') || ']'`

/** The rendered objects of a list, as an array. */
function itemsOf(parent: 'user' | 'group', field: Field, alias: string): string {
  const link = `${alias}_link`
  const { id, otherId, otherCreatedAt } = ends[parent]
  return `array(
    select ${field.kind === 'group_membership' ? itemText(field, link) : oneText(field, alias, `${link}.${otherId}`)}
      from ${liveMemberships()} as ${link}
     where ${link}.environment_id = $1::int and ${link}.${id} = ${alias}.id
     order by ${link}.${otherCreatedAt}, ${link}.${otherId})`
}

/** The only list of an expansion, read for all objects of `page` at once. */
export interface ListTables {
  /** For the `with` of the statement, after `page`. They are empty when there are too many links. */
  tables: string[]
  /** Joins the lists to the row of an object. */
  join: string
  /** The expanded field of that object. */
  fields: Record<string, string>
  /** The number of links, counted up to one more than `mostLinks`. */
  linked: string
  /** The bytes of what is expanded. */
  bytes: string
  mostLinks: number
}

/**
 * Undefined for a tree with no list, with several, or with one in another. A group of several users is read and rendered
 * once. Measured for a page of 100 users with 300 memberships and their groups: 3.5 ms of PostgreSQL, against 4.7 with a
 * look-up for each user and each membership.
 */
export function listTables(kind: ObjectKind, tree: ExpandTree, alias: string): ListTables | undefined {
  const [field, ...others] = fieldsOf(kind, tree)
  if ((kind !== 'user' && kind !== 'group') || !field || others.length > 0) return undefined
  const below = fieldsOf(field.kind, field.tree)
  const isMembership = field.kind === 'group_membership'
  if (below.some(({ tree }) => tree.size > 0) || (!isMembership && below.length > 0)) return undefined
  const { id, otherId, otherCreatedAt } = ends[kind]
  const mostLinks = Math.floor(MOST / (1 + below.length))
  const fits = `(select linked <= ${mostLinks} from counted)`
  const objects = isMembership ? below.map((each) => each.kind as ObjectEnd) : [field.kind as ObjectEnd]
  const texts = Object.fromEntries(below.map(({ name }) => [name, `coalesce(${name}_objects.item, 'null')`]))
  const item = isMembership ? sqlOf('group_membership', 'links', texts) : `${field.kind}_objects.item`
  const links = `links as materialized (
    select * from ${liveMemberships()} as membership
     where environment_id = $1::int and ${id} = any(array(select id from page)) limit ${mostLinks + 1})`
  const sizes = isMembership ? `sum(${mostBytes('attributes')})` : '0'
  const counted = `counted as materialized (
    select count(*)::int as linked, coalesce(${sizes}, 0)::float8 as bytes from links)`
  // A left join would give the same rows, since every object has a link. But PostgreSQL would run it as a nested loop for an
  // environment that it expects to have one link. It has no nested loop for a full join.
  const joins = objects.map((each) => `full join ${each}_objects on ${each}_objects.id = links.${each}_id`)
  const sized = sizedTable(objects, joins, isMembership)
  const lists = `lists as (
    select links.${id} as owner_id, string_agg(${item}, ',' order by links.${otherCreatedAt}, links.${otherId}) as items
      from links ${joins.join(' ')}
     where ${fits} and (select bytes <= ${limits.expandedBytes} from sized) group by links.${id})`
  return {
    tables: [links, counted, ...objects.map((each) => objectsTable(each, fits)), sized, lists],
    join: `left join lists on lists.owner_id = ${alias}.id`,
    fields: { [field.name]: `'[' || coalesce(lists.items, '') || ']'` },
    linked: '(select linked from counted)',
    bytes: '(select bytes from sized)',
    mostLinks,
  }
}

type ObjectEnd = keyof typeof tables

/**
 * The bytes of what is expanded, or 0 when there cannot be too many: with each object as long as the longest one. The exact
 * number takes a second join, and the text of each membership once more: 0.5 of the 4.3 ms of such a page.
 */
function sizedTable(objects: readonly ObjectEnd[], joins: readonly string[], isMembership: boolean): string {
  const longest = objects.map(
    (each) => `linked * (select coalesce(max(octet_length(item)), 0)::float8 from ${each}_objects)`,
  )
  const sizes = objects.map((each) => `coalesce(octet_length(${each}_objects.item), 0)`)
  if (isMembership) sizes.push('octet_length(links.attributes::text)')
  return `sized as materialized (
    select case when ${['bytes', ...longest].join(' + ')} < ${limits.expandedBytes} then 0
                else (select coalesce(sum(${sizes.join(' + ')}), 0)::float8 from links ${joins.join(' ')}) end as bytes
      from counted)`
}

/**
 * No jsonb is longer as text, unless it is compressed: then it counts as too long. A number has up to 21 characters for each
 * byte (1e-250), a string up to 6 (control characters).
 */
export const mostBytes = (attributes: string) =>
  `case when pg_column_compression(${attributes}) is null then 32 * pg_column_size(${attributes}) else ${limits.expandedBytes} end`

/** The objects at one end of the links. `offset 0` renders each once, and not once for each of its links. */
function objectsTable(kind: ObjectEnd, fits: string): string {
  return `${kind}_objects as materialized (
    select id, ${sqlOf(kind, 'linked')} as item from ${tables[kind]} as linked
     where environment_id = $1::int and id = any(array(select ${kind}_id from links where ${fits})) offset 0)`
}

/** The number of objects of an expansion: a column for each list, and the paths in their order. */
export interface Counts {
  memberships: string
  columns: string[]
  /** The bytes of the attributes at the end of each path, each time that they are shown. */
  bytes: string[]
  /** `owner` is the kind of object whose list the path ends with or passes. */
  paths: { path: string; column: number; owner: 'user' | 'group' | undefined }[]
}

/** Where the objects of a path are read from. `column` is their count when the path is a list. */
interface CountedPath {
  from: string
  ids: { user: string; group: string }
  path: string
  column: number
  owner: 'user' | 'group' | undefined
}

/**
 * `from` is the objects to expand, with the alias `root`; `memberships` is where their memberships are. None is counted
 * much further than the limit.
 */
export function countsOf(kind: ObjectKind, tree: ExpandTree, from: string, memberships = liveMemberships()): Counts {
  const counts: Counts = { memberships, columns: [], bytes: [], paths: [] }
  const ids =
    kind === 'event' ? { user: 'root.user_id', group: 'root.group_id' } : { user: 'root.id', group: 'root.id' }
  countBelow(counts, kind, tree, { from, ids, path: '', owner: undefined, column: counts.columns.push('1') - 1 })
  return counts
}

function countBelow(counts: Counts, parent: ObjectKind, tree: ExpandTree, parentPath: CountedPath): void {
  for (const field of fieldsOf(parent, tree)) {
    const path = parentPath.path === '' ? field.name : `${parentPath.path}.${field.name}`
    // A membership has one user and one group, so these are as many as the memberships.
    const below =
      parent === 'group_membership' || parent === 'event'
        ? { ...parentPath, path }
        : { ...linked(counts, parent, parentPath), path }
    counts.paths.push({ path, column: below.column, owner: below.owner })
    counts.bytes.push(bytesAt(field.kind, below))
    countBelow(counts, field.kind, field.tree, below)
  }
}

function bytesAt(kind: SqlRendered, { from, ids }: CountedPath): string {
  const [table, key] =
    kind === 'user' || kind === 'group'
      ? [tables[kind], `sized.id = ${ids[kind]}`]
      : ['group_memberships', `sized.user_id = ${ids.user} and sized.group_id = ${ids.group}`]
  // Looked up one by one, as everything here: as a join it could become a loop over all links for each object.
  return `(select coalesce(sum((
             select octet_length(sized.attributes::text) from ${table} as sized
              where sized.environment_id = $1::int and ${key})), 0)::float8 from ${from})`
}

function linked(counts: Counts, parent: 'user' | 'group', { from, ids }: CountedPath): Omit<CountedPath, 'path'> {
  const link = `link_${counts.columns.length}`
  const links = `${from} cross join lateral (
    select user_id, group_id from ${counts.memberships} as membership
     where environment_id = $1::int and ${ends[parent].id} = ${ids[parent]} limit ${MOST + 1}) as ${link}`
  const column =
    counts.columns.push(`(select count(*)::int from (select from ${links} limit ${MOST + 1}) as objects)`) - 1
  return { from: links, ids: { user: `${link}.user_id`, group: `${link}.group_id` }, column, owner: parent }
}
