import { type AnyDataType, internalAttributes } from '../../contract/attributes.ts'
import { humanise } from '../../contract/names.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { newId } from '../ids.ts'
import { type Scope, splitKey } from './new-definitions.ts'

interface Named {
  scope: Scope
  name: string
}

/** Whose values count: pages cannot change what the back end writes. */
export type Writer = 'anyone' | 'back_end'

export interface AttributeRow extends Named {
  data_type: AnyDataType
  written_by: Writer
  /** By a member, so that no write changes it. */
  written_by_chosen: boolean
}

export async function insertAttributeDefinitions(
  db: Transaction,
  environmentId: EnvironmentId,
  definitions: readonly (Named & { dataType: AnyDataType; writtenBy: Writer })[],
  at: string,
): Promise<void> {
  await db.query(
    `insert into attribute_definitions
       (environment_id, id, scope, name, data_type, display_name, description, type_conflicts, created_at, written_by)
     select $1::int, id, scope, name, data_type, display_name, '', 0, $7::timestamptz, written_by
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $8::text[])
         as given (id, scope, name, data_type, display_name, written_by)
     on conflict do nothing`,
    [
      environmentId,
      definitions.map(() => newId()),
      scopes(definitions),
      names(definitions),
      definitions.map(({ dataType }) => dataType),
      names(definitions).map(humanise),
      at,
      definitions.map(({ writtenBy }) => writtenBy),
    ],
  )
}

/**
 * Lists the attributes that the service itself writes, from the first content of an environment on. An attribute of this name
 * that the environment had before stays its own.
 */
export async function insertInternalDefinitions(
  db: Transaction,
  environmentId: EnvironmentId,
  at: string,
): Promise<void> {
  const definitions = Object.entries(internalAttributes).map(([name, dataType]) => ({
    ...({ scope: 'event', name, dataType, writtenBy: 'back_end' } as const),
  }))
  await insertAttributeDefinitions(db, environmentId, definitions, at)
}

export async function findAttributes(
  db: Transaction,
  environmentId: EnvironmentId,
  wanted: readonly Named[],
): Promise<AttributeRow[]> {
  return await db.query<AttributeRow & Record<string, unknown>>(
    `select scope, name, data_type, written_by, written_by_chosen
       from attribute_definitions
       join unnest($2::text[], $3::text[]) as wanted (wanted_scope, wanted_name) on scope = wanted_scope and name = wanted_name
      where environment_id = $1::int`,
    [environmentId, scopes(wanted), names(wanted)],
  )
}

/** The back end has written names that anyone could write. What a member has chosen meanwhile stays. */
export async function claimAttributes(
  db: Transaction,
  environmentId: EnvironmentId,
  claimed: readonly Named[],
): Promise<void> {
  await db.query(
    `update attribute_definitions set written_by = 'back_end'
      where environment_id = $1::int and not written_by_chosen and id = any(array(
        select id from attribute_definitions
          join unnest($2::text[], $3::text[]) as claimed (claimed_scope, claimed_name)
            on scope = claimed_scope and name = claimed_name
         where environment_id = $1::int
         order by scope, name
           for no key update of attribute_definitions))`,
    [environmentId, scopes(claimed), names(claimed)],
  )
}

export async function insertEventDefinitions(
  db: Transaction,
  environmentId: EnvironmentId,
  eventNames: readonly string[],
  at: string,
): Promise<void> {
  await db.query(
    `insert into event_definitions (environment_id, id, name, display_name, description, created_at)
     select $1::int, id, name, display_name, '', $5::timestamptz
       from unnest($2::uuid[], $3::text[], $4::text[]) as given (id, name, display_name)
     on conflict do nothing`,
    [environmentId, eventNames.map(() => newId()), eventNames, eventNames.map(humanise), at],
  )
}

/** Each use is an event name and an attribute name, separated by a NUL. */
export async function insertUses(
  db: Transaction,
  environmentId: EnvironmentId,
  uses: readonly string[],
): Promise<void> {
  const pairs = uses.map((use) => splitKey(use))
  await db.query(
    `insert into event_attribute_uses (environment_id, event_name, attribute_name)
     select $1::int, * from unnest($2::text[], $3::text[])
     on conflict do nothing`,
    [environmentId, pairs.map(([eventName]) => eventName), pairs.map(([, attributeName]) => attributeName)],
  )
}

const scopes = (definitions: readonly Named[]) => definitions.map(({ scope }) => scope)
const names = (definitions: readonly Named[]) => definitions.map(({ name }) => name)
