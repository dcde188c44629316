import { orderable } from '../../contract/queries.ts'
import type { ApiHandlers } from '../api.ts'
import type { EnvironmentId } from '../database/database.ts'
import { takeHorizon, upToHorizon } from '../lists/horizon.ts'
import { listPage } from '../lists/list.ts'
import { type PageQuery, parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { renderList } from '../lists/response.ts'
import type { ListSource } from '../lists/source.ts'
import type { Services } from '../services.ts'

interface DefinitionRow {
  id: string
  created_at: string
  last_seen_at: string
  description: string
  display_name: string
  name: string
}

interface EventDefinitionRow extends DefinitionRow {
  event_count: number
}

interface AttributeDefinitionRow extends DefinitionRow {
  data_type: string
  scope: string
  written_by: string
  shown_unverified: boolean
  /** JSON text. */
  conflicts: string
}

const shared =
  'coalesce(definition.last_seen_at, definition.created_at) as last_seen_at, definition.id, definition.created_at, definition.description, definition.display_name, definition.name'

export const eventDefinitions: ListSource = {
  from: 'event_definitions as definition',
  where: ['definition.environment_id = $1::int'],
  values: [],
  select: `${shared}, definition.event_count`,
  id: 'definition.id',
  idType: 'uuid',
  columns: {
    created_at: { expression: 'definition.created_at', type: 'timestamptz' },
    display_name: { expression: 'definition.display_name', type: 'text' },
    name: { expression: 'definition.name', type: 'text' },
  },
  filtered: false,
}

export const attributeDefinitions: ListSource = {
  ...eventDefinitions,
  from: 'attribute_definitions as definition',
  select: `${shared}, definition.data_type, definition.scope, definition.written_by, definition.shown_unverified, (
    select coalesce(jsonb_agg(jsonb_build_object('data_type', data_type, 'count', count, 'example', example) order by data_type), '[]')
      from attribute_conflicts as conflict
     where conflict.environment_id = $1::int
       and conflict.scope = definition.scope and conflict.name = definition.name) as conflicts`,
}

export function definitionHandlers({ listReader, commits }: Services) {
  async function list<Row extends DefinitionRow>(
    environmentId: EnvironmentId,
    sources: { unfiltered: ListSource; source: ListSource },
    kind: string,
    query: PageQuery,
    address: string,
    render: (row: Row) => string,
  ): Promise<string> {
    const request = parsePage(query, orderable.definitions)
    const source = upToHorizon(sources.source, 'definition.created_at', request, takeHorizon(commits, environmentId))
    const page = await listReader.read(async (db) => {
      const after = await findPosition(db, environmentId, sources.unfiltered, request, kind)
      return await listPage<Row>(db, environmentId, source, request, after)
    })
    return renderList(address, query, page, page.rows.map(render))
  }

  return {
    listAttributeDefinitions: async ({ grant, query, address }) => {
      const source = filtered(query.scope, query.event_name)
      return await list(
        grant.environmentId,
        { unfiltered: attributeDefinitions, source },
        'Attribute definition',
        query,
        address(),
        renderAttributeDefinition,
      )
    },

    listEventDefinitions: async ({ grant, query, address }) =>
      await list(
        grant.environmentId,
        { unfiltered: eventDefinitions, source: eventDefinitions },
        'Event definition',
        query,
        address(),
        renderEventDefinition,
      ),
  } satisfies Partial<ApiHandlers>
}

/** Definitions of groups and memberships are listed only when their scope is requested. */
function filtered(scope: string | undefined, eventNames: readonly string[] | undefined): ListSource {
  const where = [...attributeDefinitions.where, 'definition.scope = any($2::text[])']
  const values: unknown[] = [scope === undefined ? ['user', 'event'] : [scope]]
  if (eventNames !== undefined) {
    values.push(eventNames)
    where.push(`definition.scope = 'event' and exists (
        select from event_attribute_uses as used
         where used.environment_id = $1::int
           and used.event_name = any($3::text[])
           and used.attribute_name = definition.name)`)
  }
  return { ...attributeDefinitions, where, values, filtered: true }
}

function renderAttributeDefinition(row: AttributeDefinitionRow): string {
  const { id, created_at, data_type, description, display_name, name, scope, conflicts } = row
  const type_conflicts: unknown = JSON.parse(conflicts)
  const object = 'attribute_definition'
  const seen = { first_seen_at: created_at, last_seen_at: row.last_seen_at, type_conflicts }
  const { written_by, shown_unverified } = row
  const pages = { written_by, shown_unverified }
  return JSON.stringify({
    id,
    object,
    created_at,
    data_type,
    description,
    display_name,
    name,
    scope,
    ...seen,
    ...pages,
  })
}

function renderEventDefinition(row: EventDefinitionRow): string {
  const { id, created_at, description, display_name, name, event_count } = row
  const seen = { first_seen_at: created_at, last_seen_at: row.last_seen_at, event_count }
  return JSON.stringify({ id, object: 'event_definition', created_at, description, display_name, name, ...seen })
}
