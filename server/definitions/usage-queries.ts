import type { EnvironmentId, Transaction } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import { itemsOf, type Part } from '../database/parts.ts'
import { isAfterDeletion, type Owner } from '../deletions/pending.ts'
import { LEAST_ID } from '../ids.ts'
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
type OwnedValue = Pick<Conflict, 'scope' | 'objectId' | 'createdAt' | 'groupId' | 'groupCreatedAt' | 'eventId'>

/** The user or group of a value. That of an event may be nobody that was ever written. */
interface ValueOwner {
  of: Owner
  id: string
  createdAt: string | undefined
  eventId: string | undefined
}

/** A value of an event or a membership is of its user and of its group. */
function ownersOf({ scope, objectId, createdAt, groupId, groupCreatedAt, eventId }: OwnedValue): ValueOwner[] {
  const of = scope === 'group' ? 'group' : 'user'
  return [
    ...(objectId === null ? [] : [{ of, id: objectId, createdAt, eventId } as const]),
    ...(groupId == null ? [] : [{ of: 'group', id: groupId, createdAt: groupCreatedAt, eventId } as const]),
  ]
}

/** Of these values, those whose owners are there, and were when the value was written. They stay until the end of the transaction. */
export async function keepOwners<Value extends OwnedValue>(
  db: Transaction,
  environmentId: EnvironmentId,
  values: readonly Value[],
): Promise<Value[]> {
  const owners = values.map(ownersOf)
  const kept = await Promise.all(
    (['user', 'group'] as const).map(async (of) => {
      const all = owners.flat().filter((owner) => owner.of === of)
      const { objects, events } = Object.groupBy(all, ({ eventId }) => (eventId ? 'events' : 'objects'))
      return [
        ...(objects ? await keepObjects(db, environmentId, of, objects) : []),
        ...(events ? await keepFirstEvents(db, environmentId, of, events) : []),
      ]
    }),
  )
  const stays = new Set(kept.flat())
  return values.filter((_, index) => owners[index]?.every((owner) => stays.has(owner)))
}

/** One with a later time was deleted and created again since. */
async function keepObjects(
  db: Transaction,
  environmentId: EnvironmentId,
  of: Owner,
  owners: readonly ValueOwner[],
): Promise<ValueOwner[]> {
  const rows = await db.query<{ id: string; created_at: string }>(
    `select id, created_at from ${of}s where environment_id = $1::int and id = any($2::text[]) order by id for key share`,
    [environmentId, [...new Set(owners.map(({ id }) => id))]],
  )
  const creations = new Map(rows.map(({ id, created_at }) => [id, created_at]))
  return owners.filter(({ id, createdAt }) => {
    const found = creations.get(id)
    return found !== undefined && (createdAt === undefined || found <= createdAt)
  })
}

/**
 * Events that a deletion has still to remove do not count. The first of the others, up to the event of the value, is locked: a
 * deletion deletes it in its own transaction, and so waits.
 */
async function keepFirstEvents(
  db: Transaction,
  environmentId: EnvironmentId,
  of: Owner,
  owners: readonly ValueOwner[],
): Promise<ValueOwner[]> {
  const rows = await db.query<{ number: number }>(
    `select given.number::int as number
       from unnest($2::text[], $3::uuid[]) with ordinality as given (id, event_id, number)
      cross join lateral (
        select from events
         where environment_id = $1::int and ${of}_id is not null
           and (${of}_id, id) > (given.id, '${LEAST_ID}'::uuid)
           and (${of}_id, id) <= (given.id, given.event_id)
           and ${isAfterDeletion('events.id', of, 'given.id')}
         order by ${of}_id, id limit 1
           for key share) as first`,
    [environmentId, owners.map(({ id }) => id), owners.map(({ eventId }) => eventId)],
  )
  return rows.map(({ number }) => owners[number - 1] as ValueOwner)
}

export async function addConflicts(
  db: Transaction,
  environmentId: EnvironmentId,
  conflicts: readonly Conflict[],
): Promise<void> {
  await db.query(
    `insert into attribute_conflicts (environment_id, scope, name, data_type, count, example, last_seen_at, object_id,
                                      request_id, group_id)
     select $1::int, scope, name, data_type, count, example, at, object_id, request_id, group_id
       from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::jsonb[], $7::timestamptz[], $8::text[],
                   $9::text[], $10::text[])
         as given (scope, name, data_type, count, example, at, object_id, request_id, group_id)
      order by scope, name, data_type
     on conflict (environment_id, scope, name, data_type) do update
        set count = attribute_conflicts.count + excluded.count, example = excluded.example,
            object_id = excluded.object_id, request_id = excluded.request_id, group_id = excluded.group_id,
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
      conflicts.map(({ groupId }) => groupId),
    ],
  )
}
