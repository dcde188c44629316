import type { EnvironmentId, Queryable } from '../database/database.ts'

/** Copies display names and descriptions to the definitions that both environments have. Returns how many changed. */
export async function copyDescriptions(
  db: Queryable,
  from: EnvironmentId,
  to: EnvironmentId,
): Promise<{ events: number; attributes: number }> {
  const events = await copyEventDescriptions(db, from, to)
  const attributes = await copyAttributeDescriptions(db, from, to)
  return { events, attributes }
}

/** The only statements that name two environments. Both belong to the account of the member. */
async function copyEventDescriptions(db: Queryable, from: EnvironmentId, to: EnvironmentId): Promise<number> {
  const rows = await db.query(
    `update event_definitions as target
        set display_name = source.display_name, description = source.description
       from event_definitions as source
      where target.environment_id = $2::int and source.environment_id = $1::int and source.name = target.name
        and (target.display_name, target.description) is distinct from (source.display_name, source.description)
     returning 1`,
    [from, to],
  )
  return rows.length
}

async function copyAttributeDescriptions(db: Queryable, from: EnvironmentId, to: EnvironmentId): Promise<number> {
  const rows = await db.query(
    `update attribute_definitions as target
        set display_name = source.display_name, description = source.description
       from attribute_definitions as source
      where target.environment_id = $2::int and source.environment_id = $1::int
        and source.scope = target.scope and source.name = target.name
        and (target.display_name, target.description) is distinct from (source.display_name, source.description)
     returning 1`,
    [from, to],
  )
  return rows.length
}
