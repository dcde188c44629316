import type { AnyDataType } from '../../contract/attributes.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { Scope } from './new-definitions.ts'

export interface SeenAttribute {
  scope: Scope
  name: string
  data_type: AnyDataType
  has_conflicts: boolean
}

export async function listSeenAttributes(db: Database, environmentId: EnvironmentId): Promise<SeenAttribute[]> {
  return await db.query<SeenAttribute>(
    `select scope, name, data_type, type_conflicts > 0 as has_conflicts
       from attribute_definitions
      where environment_id = $1::int
      order by scope, name`,
    [environmentId],
  )
}

export interface SeenEvent {
  name: string
  attributes: string[]
}

export async function listSeenEvents(db: Database, environmentId: EnvironmentId): Promise<SeenEvent[]> {
  return await db.query<SeenEvent>(
    `select name,
            array(select attribute_name
                    from event_attribute_uses
                   where environment_id = $1::int and event_name = name
                   order by attribute_name) as attributes
       from event_definitions
      where environment_id = $1::int
      order by name`,
    [environmentId],
  )
}
