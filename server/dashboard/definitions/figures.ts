import type { AttributeDefinition, EventDefinition } from '../../../contract/dashboard/definitions.ts'
import type { Series } from '../../../contract/dashboard/fields.ts'
import { readDaysOf } from '../../counters/read.ts'
import { seriesOf, spanOf, sum } from '../../counters/series.ts'
import type { CounterKind } from '../../counters/steps.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { type AttributeDefinitionRow, type DefinitionRow, type EventDefinitionRow, listUsesOf } from './queries.ts'

const DAYS = 14
/** Events named in a list. One more is read to see whether there are more. */
const MOST_EVENTS = 5
const MOST_COUNTED = 100

/** The counts of names in the last days. */
async function countedNames(
  database: Database,
  id: EnvironmentId,
  kind: CounterKind,
  names: readonly string[],
): Promise<(name: string) => Series> {
  const span = spanOf(86_400, DAYS)
  const since = new Date(span.from).toISOString()
  const days = await readDaysOf(database, id, kind, names, since)
  const byName = Map.groupBy(days, ({ name }) => name)
  return (name) => seriesOf(span, byName.get(name) ?? [])
}

export async function eventOutputs(
  database: Database,
  id: EnvironmentId,
  rows: readonly EventDefinitionRow[],
): Promise<EventDefinition[]> {
  const names = rows.map(({ name }) => name)
  const counted = await countedNames(database, id, 'event_name', names)
  return rows.map((row) => {
    const days = counted(row.name)
    return { ...wordsOf(row), days, total_14_days: sum(days.values), received: row.event_count }
  })
}

/** The fields that both kinds of definitions have. */
function wordsOf({ id, name, display_name, description, created_at, last_seen_at }: DefinitionRow) {
  return { id, name, display_name, description, created_at, last_seen_at }
}

export async function attributeOutputs(
  database: Database,
  id: EnvironmentId,
  rows: readonly AttributeDefinitionRow[],
): Promise<AttributeDefinition[]> {
  const scopes = [...new Set(rows.map(({ scope }) => scope))]
  const namesOf = (scope: string) => rows.filter((row) => row.scope === scope).map(({ name }) => name)
  const counted = new Map(
    await Promise.all(
      scopes.map(
        async (scope) => [scope, await countedNames(database, id, `attribute_${scope}`, namesOf(scope))] as const,
      ),
    ),
  )
  const uses = Map.groupBy(
    await listUsesOf(database, id, namesOf('event'), MOST_COUNTED),
    ({ attribute_name }) => attribute_name,
  )
  return rows.map((row) => {
    const events = row.scope === 'event' ? (uses.get(row.name) ?? []).map(({ event_name }) => event_name) : []
    return {
      ...wordsOf(row),
      days: counted.get(row.scope)?.(row.name) as Series,
      scope: row.scope,
      data_type: row.data_type,
      conflicts: row.type_conflicts,
      events: events.slice(0, MOST_EVENTS),
      event_count: events.length,
      written_by: row.written_by,
      shown_unverified: row.shown_unverified,
    }
  })
}
