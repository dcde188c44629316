import { findContents } from '../content/queries.ts'
import { findVersions } from '../content/version-queries.ts'
import { contentObjects, showsDocument, versionObjects } from '../content/views.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'
import { guardOf } from '../expand/expand.ts'
import type { ExpandTree } from '../expand/paths.ts'
import { expandedFields } from '../expand/sql.ts'
import { answerText, timeText } from '../history/session-json.ts'
import { type ExpandedTexts, expandText, NOTHING_EXPANDED, type ShownSession } from './render.ts'

/** What a session is expanded by. */
export type SessionIds = Pick<ShownSession, 'id' | 'content_id' | 'version_id' | 'user_id' | 'group_id'>

/** The JSON text of everything that is expanded of each session. Each level is one statement for all of them. */
export async function expandSessions(
  db: Queryable,
  environmentId: EnvironmentId,
  sessions: readonly SessionIds[],
  tree: ExpandTree,
): Promise<ExpandedTexts[]> {
  if (tree.size === 0 || sessions.length === 0) return sessions.map(() => NOTHING_EXPANDED)
  const people = await peopleOf(db, environmentId, sessions, tree)
  people.check()
  return await withTheRest(db, environmentId, sessions, tree, people.texts)
}

/** The answer of a write with its expansion, made of the answer without it. People over the limit are left out. */
export async function expandWritten(
  db: Queryable,
  environmentId: EnvironmentId,
  written: string,
  tree: ExpandTree,
): Promise<string> {
  if (tree.size === 0) return written
  const sessions = [JSON.parse(written) as SessionIds]
  const people = await peopleOf(db, environmentId, sessions, tree)
  const [expanded] = await withTheRest(db, environmentId, sessions, tree, people.texts)
  return expandText(written, expanded as ExpandedTexts)
}

async function withTheRest(
  db: Queryable,
  environmentId: EnvironmentId,
  sessions: readonly SessionIds[],
  tree: ExpandTree,
  people: readonly ExpandedTexts[],
): Promise<ExpandedTexts[]> {
  const parts = await partsOf(db, environmentId, sessions, tree)
  const [ofContent, ofVersion] = [tree.get('content'), tree.get('version')]
  const contents =
    ofContent &&
    (await textsById(
      sessions.map(({ content_id }) => content_id),
      (ids) => findContents(db, environmentId, ids),
      (rows) => contentObjects(db, environmentId, rows, ofContent),
    ))
  const versions =
    ofVersion &&
    (await textsById(
      sessions.map(({ version_id }) => version_id),
      (ids) => findVersions(db, environmentId, ids, showsDocument(ofVersion)),
      (rows) => versionObjects(db, environmentId, rows, ofVersion),
    ))
  return sessions.map(({ content_id, version_id }, index) => ({
    ...people[index],
    ...parts[index],
    content: contents?.get(content_id) ?? null,
    version: versions?.get(version_id) ?? null,
  }))
}

/** A session has one user and one group, as an event has, and both are expanded as those of events are. */
async function peopleOf(
  db: Queryable,
  environmentId: EnvironmentId,
  sessions: readonly SessionIds[],
  tree: ExpandTree,
): Promise<{ texts: ExpandedTexts[]; check: () => void }> {
  const below: ExpandTree = new Map([...tree].filter(([name]) => name === 'user' || name === 'group'))
  if (below.size === 0) return { texts: [], check: () => undefined }
  const guard = guardOf('event', below, 'root')
  const fields = Object.entries(expandedFields('event', below, 'root'))
  const columns = fields.map(([name, sql]) => `case when ${guard.fits} then ${sql} end as "expanded_${name}"`)
  const rows = await db.query<Record<string, string | null>>(
    `with root as materialized (
            select * from unnest($2::text[], $3::text[]) with ordinality as root (user_id, group_id, place)),
          ${guard.cte}
     select counts.*, ${columns.join(', ')} from root cross join counts order by root.place`,
    [environmentId, sessions.map(({ user_id }) => user_id), sessions.map(({ group_id }) => group_id)],
  )
  return {
    texts: rows.map((row) => Object.fromEntries(fields.map(([name]) => [name, row[`expanded_${name}`]]))),
    check: () => guard.check(rows[0] ?? {}),
  }
}

/** The SQL of what a session has of its own. */
const parts = {
  answers: `(
    select coalesce(json_agg(json_build_object(
             'id', answer.id, 'object', 'content_session_answer',
             'answer_type', case when answer.number_answer is not null then 'number'
                                 when answer.text_answer is not null then 'text' else 'list' end,
             'answer_value', ${answerText},
             'created_at', ${timeText('answer.created_at')},
             'question_cvid', answer.question, 'question_name', answer.name)
             order by answer.created_at, answer.question), '[]')::text
      from content_answers as answer
     where answer.environment_id = $1::int and answer.session_id = root.id)`,
  receipt: `(
    select case when ${isNotDeletedBy('object', 'group')} then object.receipt::text end
      from content_sessions as object
     where object.environment_id = $1::int and object.id = root.id)`,
} as const

async function partsOf(
  db: Queryable,
  environmentId: EnvironmentId,
  sessions: readonly SessionIds[],
  tree: ExpandTree,
): Promise<ExpandedTexts[]> {
  const names = (Object.keys(parts) as (keyof typeof parts)[]).filter((name) => tree.has(name))
  if (names.length === 0) return []
  return await db.query<ExpandedTexts & Record<string, string | null>>(
    `select ${names.map((name) => `${parts[name]} as ${name}`).join(', ')}
       from unnest($2::uuid[]) with ordinality as root (id, place)
      order by root.place`,
    [environmentId, sessions.map(({ id }) => id)],
  )
}

/** The text of each content or version, by its id. Many sessions have the same. */
async function textsById<Row extends { id: string }>(
  ids: readonly string[],
  find: (ids: string[]) => Promise<Row[]>,
  show: (rows: Row[]) => Promise<object[]>,
): Promise<Map<string, string>> {
  const rows = await find([...new Set(ids)])
  const objects = await show(rows)
  return new Map(rows.map(({ id }, index) => [id, JSON.stringify(objects[index])]))
}
