import type { EnvironmentId, Queryable } from '../database/database.ts'

interface Descriptions {
  table: 'event_definitions' | 'attribute_definitions'
  /** Two definitions with the same values in these columns are the same in both environments. */
  key: readonly string[]
  /** What is copied: by column, its type, and its value from `source` and `target`. */
  columns: Readonly<Record<string, { type: 'text' | 'boolean'; value: string }>>
}

const wording = {
  display_name: { type: 'text', value: 'source.display_name' },
  description: { type: 'text', value: 'source.description' },
} as const

const EVENTS: Descriptions = { table: 'event_definitions', key: ['name'], columns: wording }
const ATTRIBUTES: Descriptions = {
  table: 'attribute_definitions',
  key: ['scope', 'name'],
  columns: {
    ...wording,
    // Who writes it is copied when a member has chosen it: otherwise the back end of each environment claims names by writing.
    written_by: {
      type: 'text',
      value: 'case when source.written_by_chosen then source.written_by else target.written_by end',
    },
    written_by_chosen: { type: 'boolean', value: 'source.written_by_chosen or target.written_by_chosen' },
    shown_unverified: { type: 'boolean', value: 'source.shown_unverified' },
  },
}

/**
 * Copies display names, descriptions and what pages may do to the definitions that both environments have. Returns how many
 * changed.
 */
export async function copyDescriptions(
  db: Queryable,
  from: EnvironmentId,
  to: EnvironmentId,
): Promise<{ events: number; attributes: number }> {
  const events = await copy(db, EVENTS, from, to)
  const attributes = await copy(db, ATTRIBUTES, from, to)
  return { events, attributes }
}

/** Reads, then writes: on a cluster a statement cannot name two environments. */
async function copy(
  db: Queryable,
  descriptions: Descriptions,
  from: EnvironmentId,
  to: EnvironmentId,
): Promise<number> {
  const found = await findDescriptions(db, descriptions, from)
  return found.length === 0 ? 0 : await updateDescriptions(db, descriptions, to, found)
}

async function findDescriptions(
  db: Queryable,
  { table, key, columns }: Descriptions,
  from: EnvironmentId,
): Promise<object[]> {
  const names = [...key, ...Object.keys(columns)]
  return await db.query<Record<string, string | boolean | null>>(
    `select ${names.join(', ')} from ${table} where environment_id = $1::int`,
    [from],
  )
}

/** Locks them in the order of their keys, as whatever else changes several definitions: none waits for another that waits for it. */
async function updateDescriptions(
  db: Queryable,
  { table, key, columns }: Descriptions,
  to: EnvironmentId,
  found: readonly object[],
): Promise<number> {
  const names = Object.keys(columns)
  const values = Object.values(columns).map(({ value }) => value)
  const given = [...key.map((name) => `${name} text`), ...names.map((name) => `${name} ${columns[name]?.type}`)]
  const rows = await db.query(
    `with locked as (
       select target.id, ${names.map((name, index) => `${values[index]} as ${name}`).join(', ')}
         from ${table} as target
         join json_to_recordset($2::json) as source (${given.join(', ')}) using (${key.join(', ')})
        where target.environment_id = $1::int
          and (${names.map((name) => `target.${name}`).join(', ')}) is distinct from (${values.join(', ')})
        order by ${key.map((name) => `target.${name}`).join(', ')}
          for no key update of target)
     update ${table} as definition
        set ${names.map((name) => `${name} = locked.${name}`).join(', ')}
       from locked
      where definition.environment_id = $1::int and definition.id = locked.id
     returning 1`,
    [to, JSON.stringify(found)],
  )
  return rows.length
}
