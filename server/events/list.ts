import { readDateTime } from '../../contract/datetime.ts'
import { EVENTS_ORDER, type ListEventsQuery, orderable } from '../../contract/queries.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { isAfterDeletion, isNotDeleted, type Owner } from '../deletions/pending.ts'
import { parseExpand } from '../expand/paths.ts'
import { takeHorizon, upToHorizon } from '../lists/horizon.ts'
import { type PageQuery, parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { listPageText } from '../lists/rendered-page.ts'
import { type AskedList, renderList } from '../lists/response.ts'
import type { ListSource } from '../lists/source.ts'
import { statementOf } from '../lists/statements.ts'
import type { Services } from '../services.ts'

const IN_ENVIRONMENT = 'object.environment_id = $1::int'

/**
 * Every event that can be read. Ids are made in the order in which events are stored, so they have the order of
 * `created_at`, and their indexes serve it.
 */
const allEvents: ListSource = {
  from: 'events as object',
  where: [IN_ENVIRONMENT, isNotDeleted('object')],
  values: [],
  select:
    'object.id, object.name, object.user_id, object.group_id, object.attributes, object.time, object.time_text, object.created_at',
  id: 'object.id',
  idType: 'uuid',
  columns: {
    time: { expression: 'object.time', type: 'instant' },
    created_at: { expression: 'object.id', type: 'uuid' },
  },
  filtered: false,
}

const filters = [
  ['user_id', (parameter: string) => ofOwner('user', parameter)],
  ['group_id', (parameter: string) => ofOwner('group', parameter)],
  ['name', (parameter: string) => `object.name = ${parameter}::text`],
  ['time[gte]', (parameter: string) => `object.time >= to_timestamp(${parameter}::float8 / 1000)`],
  ['time[gt]', (parameter: string) => `object.time > to_timestamp(${parameter}::float8 / 1000)`],
  ['time[lte]', (parameter: string) => `object.time <= to_timestamp(${parameter}::float8 / 1000)`],
  ['time[lt]', (parameter: string) => `object.time < to_timestamp(${parameter}::float8 / 1000)`],
] as const

/**
 * The index of the owner has the id, so what a deletion of it left over is passed without reading the table. What
 * deletions of others left over is compared by `isNotDeleted`.
 */
function ofOwner(owner: Owner, parameter: string): string {
  return `object.${owner}_id = ${parameter}::text and ${isAfterDeletion('object.id', owner, parameter)}`
}

/** Planned for its values: a user with three events needs another plan than one with a million. */
export function eventSource(query: ListEventsQuery): ListSource {
  const others = owners.filter((owner) => query[`${owner}_id`] === undefined)
  const where = [IN_ENVIRONMENT, ...(others.length > 0 ? [isNotDeleted('object', '$1::int', others)] : [])]
  const values: unknown[] = []
  for (const [name, condition] of filters) {
    const value = query[name]
    if (value === undefined) continue
    values.push(name.startsWith('time') ? readDateTime(value)?.milliseconds : value)
    where.push(condition(`$${values.length + 1}`))
  }
  return { ...allEvents, where, values, filtered: values.length > 0 }
}

const owners = ['user', 'group'] as const

type EventPageQuery = PageQuery & { expand?: string[] }

/** The response of a list of events, shared with other requests for the same list at the same time. */
export async function answerEvents(
  { listReader, commits, sharedReads }: Services,
  environmentId: EnvironmentId,
  source: ListSource,
  query: EventPageQuery,
  address: string,
): Promise<string> {
  const tree = parseExpand('event', query.expand)
  return await sharedReads.read(environmentId, `${address} ${JSON.stringify(query)}`, () => {
    const horizon = takeHorizon(commits, environmentId)
    return listReader.read((db) => listEvents(db, environmentId, source, { query, tree, address, horizon }))
  })
}

async function listEvents(
  db: Reader,
  environmentId: EnvironmentId,
  source: ListSource,
  { query, tree, address, horizon }: AskedList,
): Promise<string> {
  const request = parsePage(query, orderable.events, EVENTS_ORDER)
  const after = await findPosition(db, environmentId, allEvents, request, 'Event')
  const shown = upToHorizon(source, 'object.created_at', request, horizon)
  const statement = statementOf(shown, request, after, 'event', tree)
  const { items, ...page } = await listPageText(db, environmentId, shown, request, after, statement)
  return renderList(address, query, page, [items])
}
