import type { EnvironmentId, Queryable } from '../database/database.ts'

interface Descriptions {
  table: 'event_definitions' | 'attribute_definitions'
  /** Two definitions with the same values in these columns are the same in both environments. */
  key: readonly string[]
}

const EVENTS: Descriptions = { table: 'event_definitions', key: ['name'] }
const ATTRIBUTES: Descriptions = { table: 'attribute_definitions', key: ['scope', 'name'] }

/** Copies display names and descriptions to the definitions that both environments have. Returns how many changed. */
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

async function findDescriptions(db: Queryable, { table, key }: Descriptions, from: EnvironmentId): Promise<object[]> {
  return await db.query<Record<string, string | null>>(
    `select ${key.join(', ')}, display_name, description from ${table} where environment_id = $1::int`,
    [from],
  )
}

async function updateDescriptions(
  db: Queryable,
  { table, key }: Descriptions,
  to: EnvironmentId,
  found: readonly object[],
): Promise<number> {
  const columns = [...key, 'display_name', 'description'].map((column) => `${column} text`)
  const rows = await db.query(
    `update ${table} as target
        set display_name = source.display_name, description = source.description
       from json_to_recordset($2::json) as source (${columns.join(', ')})
      where target.environment_id = $1::int and ${key.map((column) => `source.${column} = target.${column}`).join(' and ')}
        and (target.display_name, target.description) is distinct from (source.display_name, source.description)
     returning 1`,
    [to, JSON.stringify(found)],
  )
  return rows.length
}
