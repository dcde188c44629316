import { readDateTime } from '../../contract/datetime.ts'
import { type ListContentSessionsQuery, orderable } from '../../contract/queries.ts'
import { inDocumentsTurn } from '../content/documents-turn.ts'
import type { EnvironmentId, Queryable, Reader } from '../database/database.ts'
import { isOfContent } from '../deletions/deleted-content.ts'
import { isAfterDeletion, isNotDeletedBy } from '../deletions/pending.ts'
import { type ExpandTree, parseExpand } from '../expand/paths.ts'
import { isUuid, LEAST_ID } from '../ids.ts'
import { type TakenHorizon, upToHorizon } from '../lists/horizon.ts'
import { listPage } from '../lists/list.ts'
import { parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { renderList } from '../lists/response.ts'
import type { ListSource } from '../lists/source.ts'
import { expandSessions } from './expand.ts'
import { type ExpandedTexts, renderSession, type ShownSession } from './render.ts'

const IN_ENVIRONMENT = 'object.environment_id = $1::int'

/** The group of a session that is being deleted is gone already. */
const COLUMNS = `
  object.id, object.content_id, object.version_id, object.user_id,
  case when ${isNotDeletedBy('object', 'group')} then object.group_id end as group_id,
  object.state, object.progress, object.launcher_activated, object.created_at, object.last_activity_at,
  object.completed_at, object.ended_at, object.end_reason`

/** The JSON text of a session. */
export async function readSession(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
  tree: ExpandTree,
): Promise<string | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.query<ShownSession & Record<string, unknown>>(
    `select ${COLUMNS} from content_sessions as object
      where ${IN_ENVIRONMENT} and object.id = $2::uuid and ${isNotDeletedBy('object', 'user')} and ${isOfContent('object')}`,
    [environmentId, id],
  )
  if (!row) return undefined
  const [expanded] = await expandSessions(db, environmentId, [row], tree)
  return renderSession(row, expanded as ExpandedTexts)
}

/** As the column of the table is calculated. */
const activitySlot = (time: string) => `date_bin('10 minutes', ${time}, timestamptz '2000-01-01 00:00:00+00')`

const allSessions: ListSource = {
  from: 'content_sessions as object',
  where: [IN_ENVIRONMENT, isNotDeletedBy('object', 'user'), isOfContent('object')],
  values: [],
  select: COLUMNS,
  id: 'object.id',
  idType: 'uuid',
  columns: {
    created_at: { expression: 'object.created_at', type: 'timestamptz' },
    last_activity_at: {
      expression: 'object.last_activity_at',
      type: 'timestamptz',
      slot: { expression: 'object.activity_slot', of: activitySlot },
    },
  },
  filtered: false,
}

const time = (sign: string) => (parameter: string) =>
  `object.created_at ${sign} to_timestamp(${parameter}::float8 / 1000)`

const filters = [
  ['content_id', (parameter: string) => `object.content_id = ${parameter}::uuid`],
  [
    'user_id',
    (parameter: string) => `object.user_id = ${parameter}::text and ${isAfterDeletion('object.id', 'user', parameter)}`,
  ],
  ['completed', (parameter: string) => `(object.completed_at is not null) = ${parameter}::boolean`],
  ['created_at[gte]', time('>=')],
  ['created_at[lt]', time('<')],
] as const

/** Planned for its values: a content with three sessions needs another plan than one with a million. */
function sessionSource(query: ListContentSessionsQuery): ListSource {
  const where = [...allSessions.where]
  const values: unknown[] = []
  for (const [name, condition] of filters) {
    const value = query[name]
    if (value === undefined) continue
    values.push(name.startsWith('created_at') ? readDateTime(value)?.milliseconds : value)
    where.push(condition(`$${values.length + 1}`))
  }
  return { ...allSessions, where, values, filtered: values.length > 0 }
}

/** A content that has no valid id has no sessions. */
const NOTHING: Pick<ListContentSessionsQuery, 'content_id'> = { content_id: LEAST_ID }

export async function listSessions(
  db: Reader,
  environmentId: EnvironmentId,
  query: ListContentSessionsQuery,
  address: string,
  horizon: TakenHorizon,
): Promise<string> {
  const tree = parseExpand('content_session', query.expand)
  const request = parsePage(query, orderable.sessions)
  const after = await findPosition(db, environmentId, allSessions, request, 'Content session')
  const isNowhere = query.content_id !== undefined && !isUuid(query.content_id)
  const source = sessionSource(isNowhere ? { ...query, ...NOTHING } : query)
  const shown = upToHorizon(source, 'object.created_at', request, horizon)
  const { rows, ...page } = await listPage<ShownSession>(db, environmentId, shown, request, after)
  return await inDocumentsTurn(environmentId, tree, async () => {
    const expanded = await expandSessions(db, environmentId, rows, tree)
    return renderList(
      address,
      query,
      page,
      rows.map((row, index) => renderSession(row, expanded[index] as ExpandedTexts)),
    )
  })
}
