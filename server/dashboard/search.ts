import type { Attributes } from '../../contract/attributes.ts'
import type { SearchResult } from '../../contract/dashboard/search.ts'
import { orderable } from '../../contract/queries.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { Live } from '../live/live.ts'
import { groups, type ObjectTable, users } from '../objects/tables.ts'
import { eventDefinitions } from '../reads/definitions.ts'
import type { DashboardHandlers } from './call.ts'
import type { AttributeDefinitionRow, EventDefinitionRow } from './definitions/queries.ts'
import { attributeDefinitionSource, attributesUnfiltered, eventDefinitionSource } from './definitions/sources.ts'
import { keysetPage } from './keyset.ts'
import { environmentsShownWith } from './live/environments.ts'
import { searchScan } from './objects/search.ts'
import { findByPartOfName } from './objects/search-queries.ts'
import type { DashboardParts } from './parts.ts'
import { findById } from './search-by-id.ts'
import { searchContent, searchWhy } from './search-content.ts'
import { listEndpointRows } from './webhooks/health-queries.ts'

const MOST = 8
/** A part of a name: fewer letters are in nearly every name. */
const SHORTEST_PART = 3
const MOST_NAMES_READ = 100_000
const REQUEST_ID = /^req_[\w-]{4,100}$/

/** The results of the command palette: up to eight of each kind. */
export function searchHandlers({ services }: DashboardParts): Pick<DashboardHandlers, 'search'> {
  const { database, live } = services
  return {
    search: async ({ environment: { id }, query }) => {
      const q = query.q.trim()
      const [foundUsers, foundGroups, events, attributes, endpoints, request_id, byId, guided, why] = await Promise.all(
        [
          objects(database, id, users, q),
          objects(database, id, groups, q),
          definitions<EventDefinitionRow>(database, id, {
            source: eventDefinitionSource(q),
            unfiltered: eventDefinitions,
          }),
          definitions<AttributeDefinitionRow>(database, id, {
            source: attributeDefinitionSource(q, undefined),
            unfiltered: attributesUnfiltered,
          }),
          listEndpointRows(database, id),
          requestId(database, live, id, q),
          findById(database, id, q),
          searchContent(database, id, q),
          searchWhy(database, id, q, (text) => objects(database, id, users, text)),
        ],
      )
      return {
        users: foundUsers,
        groups: foundGroups.map(({ email, ...group }) => group),
        events: events.map(({ id: definitionId, name, display_name }) => ({ id: definitionId, name, display_name })),
        attributes: attributes.map(({ id: definitionId, name, display_name, scope }) => ({
          id: definitionId,
          name,
          display_name,
          scope,
        })),
        endpoints: endpoints
          .filter(({ id: endpointId, url }) => isEndpoint(endpointId, url, q))
          .slice(0, MOST)
          .map(({ id: endpointId, url }) => ({ id: endpointId, url })),
        request_id,
        ...byId,
        ...guided,
        why,
      }
    },
  }
}

async function objects(
  database: Database,
  id: EnvironmentId,
  table: ObjectTable,
  q: string,
): Promise<SearchResult['users']> {
  const { rows } = await searchScan(database, id, table, q)(undefined, MOST)
  const isEnough = rows.length >= MOST || q.length < SHORTEST_PART
  const others = isEnough ? [] : await findByPartOfName(database, id, table, q, MOST_NAMES_READ, MOST)
  const known = new Set(rows.map((row) => row.id))
  return [...rows, ...others.filter((row) => !known.has(row.id))].slice(0, MOST).map((row) => {
    const { name, email } = JSON.parse(row.attributesJson) as Attributes
    return { id: row.id, name: textOrNull(name), email: textOrNull(email) }
  })
}

async function definitions<Row extends { id: string }>(
  database: Database,
  id: EnvironmentId,
  sources: Pick<Parameters<typeof keysetPage>[2], 'source' | 'unfiltered'>,
): Promise<Row[]> {
  const list = { ...sources, kind: 'Definition', orderable: orderable.definitions, orderBy: 'display_name' }
  return (await keysetPage<Row>(database, id, list, undefined, MOST)).rows
}

async function requestId(database: Database, live: Live, id: EnvironmentId, q: string): Promise<string | null> {
  if (!REQUEST_ID.test(q)) return null
  return (await live.find(await environmentsShownWith(database, id), q)) ? q : null
}

function isEndpoint(id: string, url: string, q: string): boolean {
  return id === q || hostAndPath(url).startsWith(q.toLowerCase()) || url.startsWith(q)
}

function hostAndPath(url: string): string {
  return url.replace(/^https?:\/\//, '').toLowerCase()
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
