import type { EnvironmentId, Transaction } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import { itemsOf, type Part } from '../database/parts.ts'
import { isAfterDeletion } from '../deletions/pending.ts'
import type { Scope } from './new-definitions.ts'
import type { Conflict, Seen } from './tally.ts'

/**
 * Rows are locked in the order of their environments and names, so that concurrent nodes cannot deadlock. In the form for
 * many each row is found by itself (`offset 0`): a plan for few definitions would read all of them when there are many.
 */
const ADD_EVENT_SIGHTINGS: Forms = {
  one: `
  with locked as (
    select id, name from event_definitions
     where environment_id = $1::int and name = any($2::text[])
     order by name
       for no key update)
  update event_definitions as definition
     set event_count = event_count + given.count, last_seen_at = greatest(last_seen_at, given.at)
    from locked join unnest($2::text[], $3::bigint[], $4::timestamptz[]) as given (name, count, at) using (name)
   where definition.environment_id = $1::int and definition.id = locked.id`,
  many: `
  with locked as materialized (
    select found.environment_id, found.id, given.count, given.at
      from (select * from unnest($1::int[], $2::text[], $3::bigint[], $4::timestamptz[])
              as given (environment_id, name, count, at)
             order by environment_id, name) as given
     cross join lateral (
       select environment_id, id from event_definitions
        where environment_id = given.environment_id and name = given.name
       offset 0
          for no key update) as found)
  update event_definitions as definition
     set event_count = event_count + locked.count, last_seen_at = greatest(last_seen_at, locked.at)
    from locked
   where definition.environment_id = locked.environment_id and definition.id = locked.id`,
}

export async function addEventSightings(
  db: Transaction,
  parts: readonly Part<readonly [name: string, Seen]>[],
): Promise<void> {
  const events = itemsOf(parts)
  if (events.length === 0) return
  await queryParts(db, ADD_EVENT_SIGHTINGS, parts, [
    events.map(([name]) => name),
    events.map(([, { count }]) => count),
    events.map(([, { at }]) => at),
  ])
}

const ADD_ATTRIBUTE_SIGHTINGS: Forms = {
  one: `
  with given as (
    select * from unnest($2::text[], $3::text[], $4::timestamptz[]) as given (scope, name, at)),
  locked as (
    select definition.id, given.at
      from attribute_definitions as definition join given using (scope, name)
     where definition.environment_id = $1::int
     order by definition.scope, definition.name
       for no key update of definition)
  update attribute_definitions as definition
     set last_seen_at = greatest(last_seen_at, locked.at)
    from locked
   where definition.environment_id = $1::int and definition.id = locked.id`,
  many: `
  with locked as materialized (
    select found.environment_id, found.id, given.at
      from (select * from unnest($1::int[], $2::text[], $3::text[], $4::timestamptz[])
              as given (environment_id, scope, name, at)
             order by environment_id, scope, name) as given
     cross join lateral (
       select environment_id, id from attribute_definitions
        where environment_id = given.environment_id and scope = given.scope and name = given.name
       offset 0
          for no key update) as found)
  update attribute_definitions as definition
     set last_seen_at = greatest(last_seen_at, locked.at)
    from locked
   where definition.environment_id = locked.environment_id and definition.id = locked.id`,
}

export interface AttributeSighting extends Seen {
  scope: Scope
  name: string
}

export async function addAttributeSightings(db: Transaction, parts: readonly Part<AttributeSighting>[]): Promise<void> {
  const attributes = itemsOf(parts)
  if (attributes.length === 0) return
  await queryParts(db, ADD_ATTRIBUTE_SIGHTINGS, parts, [
    attributes.map(({ scope }) => scope),
    attributes.map(({ name }) => name),
    attributes.map(({ at }) => at),
  ])
}

/** The rows of the definitions are locked already, in the order of their names. */
export async function countConflicts(
  db: Transaction,
  environmentId: EnvironmentId,
  conflicts: readonly Conflict[],
): Promise<void> {
  await db.query(
    `update attribute_definitions as definition
        set type_conflicts = type_conflicts + added.count
       from (select scope, name, sum(count)::bigint as count
               from unnest($2::text[], $3::text[], $4::bigint[]) as given (scope, name, count)
              group by scope, name) as added
      where definition.environment_id = $1::int and definition.scope = added.scope and definition.name = added.name`,
    [
      environmentId,
      conflicts.map(({ scope }) => scope),
      conflicts.map(({ name }) => name),
      conflicts.map(({ count }) => count),
    ],
  )
}

/** A value, and what it is of. */
type OwnedValue = Pick<Conflict, 'scope' | 'objectId' | 'createdAt' | 'eventId'>

/**
 * Of values of users, groups and events, those whose owner is there, and was when the value was written. It stays until the
 * end of the transaction.
 */
export async function keepOwners<Value extends OwnedValue>(
  db: Transaction,
  environmentId: EnvironmentId,
  values: readonly Value[],
): Promise<Value[]> {
  const isOfGroup = ({ scope }: Value) => scope === 'group'
  const isOfEvent = ({ scope }: Value) => scope === 'event'
  const kept = await Promise.all([
    keepObjects(
      db,
      environmentId,
      'users',
      values.filter((value) => !isOfGroup(value) && !isOfEvent(value)),
    ),
    keepObjects(db, environmentId, 'groups', values.filter(isOfGroup)),
    keepFirstEvents(db, environmentId, values.filter(isOfEvent)),
  ])
  return kept.flat()
}

/** One with a later time was deleted and created again since. */
async function keepObjects<Value extends OwnedValue>(
  db: Transaction,
  environmentId: EnvironmentId,
  table: 'users' | 'groups',
  values: readonly Value[],
): Promise<Value[]> {
  if (values.length === 0) return []
  const rows = await db.query<{ id: string; created_at: string }>(
    `select id, created_at from ${table} where environment_id = $1::int and id = any($2::text[]) order by id for key share`,
    [environmentId, [...new Set(values.map(({ objectId }) => objectId))]],
  )
  const creations = new Map(rows.map(({ id, created_at }) => [id, created_at]))
  return values.filter(({ objectId, createdAt }) => {
    const found = creations.get(objectId as string)
    return found !== undefined && (createdAt === undefined || found <= createdAt)
  })
}

/**
 * The user of an event may be nobody that was ever written. What is left over from a deletion is no event of a user, nor is
 * there an earlier event than those after it. The first event is locked: a deletion deletes it in its own transaction, and so
 * waits.
 */
async function keepFirstEvents<Value extends OwnedValue>(
  db: Transaction,
  environmentId: EnvironmentId,
  values: readonly Value[],
): Promise<Value[]> {
  if (values.length === 0) return []
  const rows = await db.query<{ number: number }>(
    `select given.number::int as number
       from unnest($2::text[], $3::uuid[]) with ordinality as given (id, event_id, number)
      cross join lateral (
        select from events
         where environment_id = $1::int and user_id is not null
           and (user_id, id) > (given.id, '00000000-0000-0000-0000-000000000000'::uuid)
           and (user_id, id) <= (given.id, given.event_id)
           and ${isAfterDeletion('events.id', 'user', 'given.id')}
         order by user_id, id limit 1
           for key share) as first`,
    [environmentId, values.map(({ objectId }) => objectId), values.map(({ eventId }) => eventId)],
  )
  return rows.map(({ number }) => values[number - 1] as Value)
}

export async function addConflicts(
  db: Transaction,
  environmentId: EnvironmentId,
  conflicts: readonly Conflict[],
): Promise<void> {
  await db.query(
    `insert into attribute_conflicts (environment_id, scope, name, data_type, count, example, last_seen_at, object_id,
                                      request_id)
     select $1::int, scope, name, data_type, count, example, at, object_id, request_id
       from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::jsonb[], $7::timestamptz[], $8::text[],
                   $9::text[])
         as given (scope, name, data_type, count, example, at, object_id, request_id)
      order by scope, name, data_type
     on conflict (environment_id, scope, name, data_type) do update
        set count = attribute_conflicts.count + excluded.count, example = excluded.example,
            object_id = excluded.object_id, request_id = excluded.request_id,
            last_seen_at = greatest(attribute_conflicts.last_seen_at, excluded.last_seen_at)`,
    [
      environmentId,
      conflicts.map(({ scope }) => scope),
      conflicts.map(({ name }) => name),
      conflicts.map(({ dataType }) => dataType),
      conflicts.map(({ count }) => count),
      conflicts.map(({ example }) => JSON.stringify(example)),
      conflicts.map(({ at }) => at),
      conflicts.map(({ objectId }) => objectId),
      conflicts.map(({ requestId }) => requestId),
    ],
  )
}
