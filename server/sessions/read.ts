import { readDateTime } from '../../contract/datetime.ts'
import { type ListContentSessionsQuery, orderable } from '../../contract/queries.ts'
import type { EnvironmentId, Queryable, Reader } from '../database/database.ts'
import { isOfContent } from '../deletions/deleted-content.ts'
import { isAfterDeletion, isNotDeletedBy } from '../deletions/pending.ts'
import { isUuid } from '../ids.ts'
import { type TakenHorizon, upToHorizon } from '../lists/horizon.ts'
import { listPage } from '../lists/list.ts'
import { parsePage } from '../lists/page.ts'
import { findPosition } from '../lists/position.ts'
import { renderList } from '../lists/response.ts'
import type { ListSource } from '../lists/source.ts'
import { sqlOf } from '../objects/render-sql.ts'
import { parseSessionExpand, renderSession, type SessionExpansion, type ShownSession } from './render.ts'

const IN_ENVIRONMENT = 'object.environment_id = $1::int'

/** The group of a session that is being deleted is gone already. */
const COLUMNS = `
  object.id, object.content_id, object.version_id, object.user_id,
  case when ${isNotDeletedBy('object', 'group')} then object.group_id end as group_id,
  object.state, object.progress, object.launcher_activated, object.created_at, object.last_activity_at,
  object.completed_at, object.ended_at, object.end_reason`

const one = (kind: 'user' | 'group') => `(
  select ${sqlOf(kind, 'other')} from ${kind}s as other where other.environment_id = $1::int and other.id = object.${kind}_id)`

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const ANSWERS = `(
  select coalesce(json_agg(json_build_object(
           'id', answer.id, 'object', 'content_session_answer',
           'answer_type', case when answer.number_answer is not null then 'number'
                               when answer.text_answer is not null then 'text' else 'list' end,
           'answer_value', coalesce(answer.number_answer::text, answer.text_answer, answer.list_answer::text),
           'created_at', ${iso('answer.created_at')},
           'question_cvid', answer.question, 'question_name', answer.name)
           order by answer.created_at, answer.question), '[]')::text
    from content_answers as answer
   where answer.environment_id = $1::int and answer.session_id = object.id)`

const CONTENT = `(
  select json_build_object(
           'id', content.id, 'object', 'content', 'created_at', ${iso('content.created_at')}, 'draft_version', null,
           'draft_version_id', content.draft_version_id, 'key', content.key, 'name', content.name, 'published_version', null,
           'published_version_id', content.published_version_id, 'type', content.type)::text
    from content where content.environment_id = $1::int and content.id = object.content_id)`

const VERSION = `(
  select json_build_object(
           'id', version.id, 'object', 'content_version', 'content', null, 'content_id', version.content_id,
           'created_at', ${iso('version.created_at')}, 'description', version.description, 'document', null,
           'edited_at', ${iso('version.edited_at')}, 'number', version.number,
           'published_at', ${iso('version.published_at')}, 'questions', null,
           'revision', version.number || '.' || version.revision, 'tasks', null)::text
    from content_versions as version where version.environment_id = $1::int and version.id = object.version_id)`

/** The SQL of the JSON text of each expansion. */
const expansions: Record<SessionExpansion, string> = {
  answers: ANSWERS,
  content: CONTENT,
  group: `case when ${isNotDeletedBy('object', 'group')} then ${one('group')} end`,
  receipt: `case when ${isNotDeletedBy('object', 'group')} then object.receipt::text end`,
  user: one('user'),
  version: VERSION,
}

const selected = (expanded: readonly SessionExpansion[]) =>
  [COLUMNS, ...expanded.map((name) => `${expansions[name]} as expanded_${name}`)].join(', ')

type Row = ShownSession & Record<`expanded_${SessionExpansion}`, string | null>

function rendered(row: Row, expanded: readonly SessionExpansion[]): string {
  return renderSession(row, Object.fromEntries(expanded.map((name) => [name, row[`expanded_${name}`]])))
}

/** The JSON text of a session. */
export async function readSession(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
  expanded: readonly SessionExpansion[] = [],
): Promise<string | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.query<Row & Record<string, unknown>>(
    `select ${selected(expanded)} from content_sessions as object
      where ${IN_ENVIRONMENT} and object.id = $2::uuid and ${isNotDeletedBy('object', 'user')} and ${isOfContent('object')}`,
    [environmentId, id],
  )
  return row && rendered(row, expanded)
}

const allSessions: ListSource = {
  from: 'content_sessions as object',
  where: [IN_ENVIRONMENT, isNotDeletedBy('object', 'user'), isOfContent('object')],
  values: [],
  select: COLUMNS,
  id: 'object.id',
  idType: 'uuid',
  columns: {
    created_at: { expression: 'object.created_at', type: 'timestamptz' },
    last_activity_at: { expression: 'object.last_activity_at', type: 'timestamptz' },
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
const NOTHING: Pick<ListContentSessionsQuery, 'content_id'> = { content_id: '00000000-0000-0000-0000-000000000000' }

export async function listSessions(
  db: Reader,
  environmentId: EnvironmentId,
  query: ListContentSessionsQuery,
  address: string,
  horizon: TakenHorizon,
): Promise<string> {
  const expanded = parseSessionExpand(query.expand)
  const request = parsePage(query, orderable.sessions)
  const after = await findPosition(db, environmentId, allSessions, request, 'Content session')
  const isNowhere = query.content_id !== undefined && !isUuid(query.content_id)
  const source = { ...sessionSource(isNowhere ? { ...query, ...NOTHING } : query), select: selected(expanded) }
  const shown = upToHorizon(source, 'object.created_at', request, horizon)
  const { rows, ...page } = await listPage<Row>(db, environmentId, shown, request, after)
  return renderList(
    address,
    query,
    page,
    rows.map((row) => rendered(row, expanded)),
  )
}
