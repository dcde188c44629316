import type { EnvironmentId, Queryable, Transaction } from '../../database/database.ts'
import type { Writer } from '../../definitions/queries.ts'
import { isNotDeleted } from '../../deletions/pending.ts'
import type { TimelineEventRow } from '../objects/timeline-queries.ts'

export interface DefinitionRow {
  id: string
  name: string
  display_name: string
  description: string
  created_at: string
  last_seen_at: string | null
}

export interface EventDefinitionRow extends DefinitionRow {
  event_count: number
}

export interface AttributeDefinitionRow extends DefinitionRow {
  scope: 'user' | 'group' | 'event' | 'group_membership'
  data_type: string
  type_conflicts: number
  written_by: Writer
  shown_unverified: boolean
}

const SHARED = 'id, name, display_name, description, created_at, last_seen_at'
const ATTRIBUTE = `${SHARED}, scope, data_type, written_by, shown_unverified, ${conflictsOf('attribute_definitions')} as type_conflicts`

/**
 * How many values were of another type. `$1` is the environment: by the one of the definition, a sharded PostgreSQL would ask
 * all workers.
 */
export function conflictsOf(definition: string): string {
  return `(select coalesce(sum(count), 0)::bigint from attribute_conflicts as conflict
            where conflict.environment_id = $1::int and conflict.scope = ${definition}.scope
              and conflict.name = ${definition}.name)`
}

export async function findEventDefinition(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
): Promise<EventDefinitionRow | undefined> {
  const [row] = await db.query<EventDefinitionRow>(
    `select ${SHARED}, event_count from event_definitions where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id],
  )
  return row
}

export async function findAttributeDefinition(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
): Promise<AttributeDefinitionRow | undefined> {
  const [row] = await db.query<AttributeDefinitionRow>(
    `select ${ATTRIBUTE} from attribute_definitions where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id],
  )
  return row
}

export interface Wording {
  display_name: string
  description: string
}

export type WordedTable = 'event_definitions' | 'attribute_definitions'

/** Of two changes at the same time the second finds what the first has written. Undefined when the environment is deleted. */
export async function lockWording(
  db: Transaction,
  environmentId: EnvironmentId,
  table: WordedTable,
  id: string,
): Promise<Wording | undefined> {
  const [row] = await db.query<Wording & Record<string, unknown>>(
    `select display_name, description from ${table}
      where environment_id = $1::int and id = $2::uuid for no key update`,
    [environmentId, id],
  )
  return row
}

export async function updateWording(
  db: Transaction,
  environmentId: EnvironmentId,
  table: WordedTable,
  id: string,
  { display_name, description }: Wording,
): Promise<void> {
  await db.query(
    `update ${table} set display_name = $3::text, description = $4::text
      where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id, display_name, description],
  )
}

/** The attributes that were seen on an event. */
export async function listAttributesOn(
  db: Queryable,
  environmentId: EnvironmentId,
  eventName: string,
): Promise<AttributeDefinitionRow[]> {
  return await db.query<AttributeDefinitionRow>(
    `select ${ATTRIBUTE}
       from attribute_definitions
      where environment_id = $1::int and scope = 'event'
        and name in (select attribute_name from event_attribute_uses
                      where environment_id = $1::int and event_name = $2::text
                      order by attribute_name limit 200)
      order by display_name, id`,
    [environmentId, eventName],
  )
}

/** The events that attributes were seen on, so many of each at most. */
export async function listUsesOf(
  db: Queryable,
  environmentId: EnvironmentId,
  attributeNames: readonly string[],
  limit: number,
): Promise<{ attribute_name: string; event_name: string }[]> {
  return await db.query<{ attribute_name: string; event_name: string }>(
    `select used.attribute_name, used.event_name
       from unnest($2::text[]) as wanted (name)
      cross join lateral (
        select attribute_name, event_name
          from event_attribute_uses
         where environment_id = $1::int and attribute_name = wanted.name
         order by event_name
         limit $3::int) as used`,
    [environmentId, attributeNames, limit],
  )
}

export async function findEventDefinitionsByName(
  db: Queryable,
  environmentId: EnvironmentId,
  names: readonly string[],
): Promise<EventDefinitionRow[]> {
  return await db.query<EventDefinitionRow>(
    `select ${SHARED}, event_count from event_definitions
      where environment_id = $1::int and name = any($2::text[])
      order by display_name, id`,
    [environmentId, names],
  )
}

export interface ConflictRow {
  data_type: 'string' | 'boolean' | 'number' | 'datetime'
  count: number
  example: string
  object_id: string | null
  request_id: string | null
  at: string
}

export async function listConflicts(
  db: Queryable,
  environmentId: EnvironmentId,
  scope: string,
  name: string,
): Promise<ConflictRow[]> {
  return await db.query<ConflictRow>(
    `select data_type, count, example, object_id, request_id, last_seen_at as at
       from attribute_conflicts
      where environment_id = $1::int and scope = $2::text and name = $3::text
      order by count desc`,
    [environmentId, scope, name],
  )
}

/** The newest events of a name, from an index. */
export async function listNewestOf(
  db: Queryable,
  environmentId: EnvironmentId,
  name: string,
  limit: number,
): Promise<TimelineEventRow[]> {
  return await db.query<TimelineEventRow>(
    `select id, name, time, created_at, user_id, group_id, attributes as "attributesJson"
       from events
      where environment_id = $1::int and name = $2::text and ${isNotDeleted('events')}
      order by time desc, id desc
      limit $3::int`,
    [environmentId, name, limit],
  )
}
