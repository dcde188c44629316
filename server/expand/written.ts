import type { Written } from '../commit/jobs.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { type EventFields, renderEvent, renderGroup, renderUser } from '../render.ts'
import { expandOne } from './expand.ts'
import type { ExpandTree } from './paths.ts'

/** The response of a write: the object as it was written, with what is expanded below it as it is now. */

export async function renderWritten(
  database: Database,
  environmentId: EnvironmentId,
  kind: 'user' | 'group',
  written: Written,
  tree: ExpandTree,
): Promise<string> {
  if (tree.size === 0) return written.json
  const row = { id: written.id, attributes: written.attributes, created_at: written.createdAt }
  const found = await expandOne(database, environmentId, kind, tree, 'select $2::text as id', [row.id])
  return (kind === 'user' ? renderUser : renderGroup)(row, found?.expanded)
}

export async function renderWrittenEvent(
  database: Database,
  environmentId: EnvironmentId,
  event: EventFields,
  tree: ExpandTree,
): Promise<string> {
  const root = 'select $2::text as user_id, $3::text as group_id'
  const found = await expandOne(database, environmentId, 'event', tree, root, [event.user_id, event.group_id])
  return renderEvent(event, found?.expanded)
}
