import type { Written } from '../commit/jobs.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { renderExpanded } from './expand.ts'
import type { ExpandTree } from './paths.ts'

/** The response of an upsert: the object as it was written, with what is expanded below it as it is now. */
export async function renderWritten(
  database: Database,
  environmentId: EnvironmentId,
  kind: 'user' | 'group',
  written: Written,
  tree: ExpandTree,
): Promise<string> {
  if (tree.size === 0) return written.json
  const row = { id: written.id, attributes: written.attributes, created_at: written.createdAt }
  const [json] = await database.snapshot((db) => renderExpanded(db, environmentId, kind, [row], tree))
  return json as string
}
