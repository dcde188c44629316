import type { DataType } from '../../contract/attributes.ts'
import type { Surroundings } from '../../contract/content/publishing.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { findSegments } from '../segments/queries.ts'
import { findContentKeys } from './queries.ts'
import { findThemes } from './theme-queries.ts'

/** What a document of this environment may refer to. */
export async function findSurroundings(db: Queryable, environmentId: EnvironmentId): Promise<Surroundings> {
  const [segments, content, themes, attributes, retentionDays] = await Promise.all([
    findSegments(db, environmentId),
    findContentKeys(db, environmentId),
    findThemes(db, environmentId),
    findAttributeTypes(db, environmentId),
    findRetentionDays(db, environmentId),
  ])
  return {
    segments: new Set(segments.map(({ key }) => key)),
    content: new Set(content),
    themes: new Map(themes.map(({ key, document }) => [key, JSON.parse(document)])),
    attributes: new Map(
      attributes.map(({ scope, name, data_type }) => [`${places[scope] ?? scope}.${name}`, data_type]),
    ),
    retentionDays,
  }
}

/** The scopes of definitions have the names of the contract, conditions say `membership`. */
const places: Readonly<Record<string, string>> = { group_membership: 'membership' }

async function findAttributeTypes(
  db: Queryable,
  environmentId: EnvironmentId,
): Promise<{ scope: string; name: string; data_type: DataType }[]> {
  return await db.query<{ scope: string; name: string; data_type: DataType }>(
    'select scope, name, data_type from attribute_definitions where environment_id = $1::int',
    [environmentId],
  )
}

async function findRetentionDays(db: Queryable, environmentId: EnvironmentId): Promise<number | undefined> {
  const [row] = await db.query<{ days: number | null }>(
    'select keep_events_days as days from environments where id = $1::int',
    [environmentId],
  )
  return row?.days ?? undefined
}
