import type { AnyDataType } from '../../contract/attributes.ts'
import type { Condition } from '../../contract/conditions/condition.ts'
import type { Surroundings } from '../../contract/content/publishing.ts'
import { findKeptDays } from '../conditions/kept-days.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { findSegments } from '../segments/queries.ts'
import { findContentKeys } from './queries.ts'
import { findThemes } from './theme-queries.ts'

/** What a document of this environment may refer to. */
export async function findSurroundings(db: Queryable, environmentId: EnvironmentId): Promise<Surroundings> {
  const [segments, content, themes, attributes, keptDays] = await Promise.all([
    findSegments(db, environmentId),
    findContentKeys(db, environmentId),
    findThemes(db, environmentId),
    findAttributes(db, environmentId),
    findKeptDays(db, environmentId),
  ])
  return {
    segments: new Map(segments.map(({ key, condition }) => [key, JSON.parse(condition) as Condition])),
    content: new Set(content),
    themes: new Map(themes.map(({ key, document }) => [key, JSON.parse(document)])),
    attributes: new Map(
      attributes.map(({ scope, name, data_type }) => [`${places[scope] ?? scope}.${name}`, data_type]),
    ),
    ofBackEnd: new Set(
      attributes
        .filter(({ scope, written_by }) => scope === 'user' && written_by === 'back_end')
        .map(({ name }) => name),
    ),
    keptDays,
  }
}

/** The scopes of definitions have the names of the contract, conditions say `membership`. */
const places: Readonly<Record<string, string>> = { group_membership: 'membership' }

interface AttributeRow {
  scope: string
  name: string
  data_type: AnyDataType
  written_by: string
}

async function findAttributes(db: Queryable, environmentId: EnvironmentId): Promise<AttributeRow[]> {
  return await db.query<AttributeRow>(
    'select scope, name, data_type, written_by from attribute_definitions where environment_id = $1::int',
    [environmentId],
  )
}
