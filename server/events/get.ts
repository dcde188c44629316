import type { Database, EnvironmentId } from '../database/database.ts'
import { isNotDeletedByKey } from '../deletions/pending.ts'
import { errors } from '../errors.ts'
import { expandOne } from '../expand/expand.ts'
import type { ExpandTree } from '../expand/paths.ts'
import { isUuid } from '../ids.ts'
import { type EventFields, type Expanded, renderEvent } from '../objects/render.ts'

type EventRow = EventFields & { time_text: string | null }

/** The response of a GET by id. */
export async function getEvent(
  database: Database,
  environmentId: EnvironmentId,
  id: string,
  tree: ExpandTree,
): Promise<string> {
  const row = isUuid(id) ? await findEvent(database, environmentId, id, tree) : undefined
  if (!row) throw errors.notFound('Event', id)
  return renderEvent({ ...row, time: row.time_text ?? row.time }, row.expanded)
}

const ROW = `
  select object.id, object.name, object.user_id, object.group_id, object.attributes as "attributesJson", object.time,
         object.time_text, object.created_at
    from events as object
   where object.environment_id = $1::int and object.id = $2::uuid and ${isNotDeletedByKey('object')}`

async function findEvent(
  database: Database,
  environmentId: EnvironmentId,
  id: string,
  tree: ExpandTree,
): Promise<(EventRow & { expanded?: Expanded }) | undefined> {
  if (tree.size > 0) return await expandOne<EventRow>(database, environmentId, 'event', tree, ROW, [id])
  const [row] = await database.query<EventRow>(ROW, [environmentId, id])
  return row
}
