import type { ListSource } from '../../lists/source.ts'
import { attributeDefinitions, eventDefinitions } from '../../reads/definitions.ts'
import { conflictsOf } from './queries.ts'

const eventFields =
  'definition.id, definition.name, definition.display_name, definition.description, definition.created_at, definition.last_seen_at'

const withConflicts: ListSource = {
  ...attributeDefinitions,
  select: `${eventFields}, definition.data_type, definition.scope, definition.written_by, definition.shown_unverified, ${conflictsOf('definition')} as type_conflicts`,
}

/** Event definitions whose name or display name begins with the text. */
export function eventDefinitionSource(q: string | undefined): ListSource {
  return beginning(eventDefinitions, q)
}

export function attributeDefinitionSource(q: string | undefined, scope: string | undefined): ListSource {
  const source = beginning(withConflicts, q)
  if (scope === undefined) return source
  const values = [...source.values, scope]
  return {
    ...source,
    where: [...source.where, `definition.scope = $${values.length + 1}::text`],
    values,
    filtered: true,
  }
}

export { withConflicts as attributesUnfiltered }

function beginning(source: ListSource, q: string | undefined): ListSource {
  if (q === undefined || q.trim() === '') return source
  const starts = (column: string) => `starts_with(lower(definition.${column}), $2::text)`
  return {
    ...source,
    where: [...source.where, `(${starts('name')} or ${starts('display_name')})`],
    values: [q.trim().toLowerCase()],
    filtered: true,
  }
}
