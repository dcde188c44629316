import type { Attributes } from '../../contract/attributes.ts'
import { limits } from '../../contract/limits.ts'
import { isoTime } from '../../server/clock.ts'
import type { Database, EnvironmentId } from '../../server/database/database.ts'
import { leastIdAt } from '../../server/ids.ts'

/** Users whose ids say what they have done, for tables of cases. Each kind of leaf has an environment of its own. */

export const NOW = Date.parse('2026-06-01T12:00:00Z')
const DAY = 86_400_000
/** When the users were created. */
const CREATED = NOW - 10 * DAY
const at = (ms: number) => isoTime(NOW + ms)

export const castOf = {
  event: 1 as EnvironmentId,
  content: 2 as EnvironmentId,
  answer: 3 as EnvironmentId,
  segment: 4 as EnvironmentId,
}

type Event = { ms: number; name?: string; attributes?: Attributes }

const happened = (...times: number[]): Event[] => times.map((ms) => ({ ms }))
const exported = (attributes: Attributes): Event[] => [{ ms: -DAY, name: 'exported', attributes }]

/** What each user did, by how many milliseconds from now. The name is `visited` unless it says otherwise. */
export const eventUsers: Record<string, Event[]> = {
  never: [],
  'another event': [{ ms: -DAY, name: 'left' }],
  once: happened(-DAY),
  twice: happened(-DAY, -2 * DAY),
  'thrice, one long ago': happened(-DAY, -2 * DAY, -30 * DAY),
  'just now': happened(0),
  'in the future': happened(1),
  '7 days ago': happened(-7 * DAY),
  'over 7 days ago': happened(-7 * DAY - 1),
  'when created': happened(-10 * DAY),
  'before created': happened(-10 * DAY - 1),
  'exported 5': exported({ pages: 5, format: 'pdf' }),
  'exported 6': exported({ pages: 6, format: 'csv' }),
  'exported "6"': exported({ pages: '6' }),
  'exported nothing said': exported({}),
  'exported too often': [],
  'being deleted': happened(-DAY),
  'in busy': [],
  'in idle': [],
  'in busy and idle': [],
}

const groupsOf: Record<string, string[]> = {
  'in busy': ['busy'],
  'in idle': ['idle'],
  'in busy and idle': ['busy', 'idle'],
}

type Run = Partial<Record<'started' | 'previous' | 'completed' | 'dismissed', number>> & {
  content?: string
  isActive?: boolean
}

/** What each user has seen: of `tour`, unless it says otherwise. */
export const contentUsers: Record<string, Run | undefined> = {
  'saw nothing': undefined,
  'saw another': { started: -DAY, content: 'other' },
  'runs now': { started: 0, isActive: true },
  'saw it 7 days ago': { started: -7 * DAY },
  'saw it over 7 days ago': { started: -7 * DAY - 1 },
  'completed it 7 days ago': { started: -8 * DAY, completed: -7 * DAY },
  'completed it over 7 days ago': { started: -8 * DAY, completed: -7 * DAY - 1 },
  'dismissed it 7 days ago': { started: -8 * DAY, dismissed: -7 * DAY },
  'dismissed it over 7 days ago': { started: -8 * DAY, dismissed: -7 * DAY - 1 },
  'runs what is not published': { started: -DAY, isActive: true, content: 'unpublished' },
  'saw what started anew': { started: -DAY, completed: -DAY, content: 'anew' },
}

type Answer = { number?: number; text?: string; list?: string[]; ms?: number; question?: string }

/** What each user answered to `ease` of `survey`, unless it says otherwise. */
export const answerUsers: Record<string, Answer[]> = {
  'no answer': [],
  'another question': [{ number: 9, question: 'other' }],
  'answered 0': [{ number: 0 }],
  'answered 9': [{ number: 9 }],
  'answered "9"': [{ text: '9' }],
  'answered Well': [{ text: 'Well' }],
  'answered 3 and then 9': [
    { number: 9, ms: -1 },
    { number: 3, ms: -2 },
  ],
  'chose a and b': [{ list: ['a', 'b'] }],
  'answered 2026-06-01': [{ text: '2026-06-01' }],
  'answers are being deleted': [{ number: 9 }],
}

/** Of segments: users by one attribute, and one whose events are too many to look at. */
export const segmentUsers: Record<string, Attributes> = {
  'on growth': { plan: 'growth' },
  'on none': {},
  'too many events': {},
}

export async function fillCast(database: Database): Promise<void> {
  await insertUsers(database, castOf.event, Object.keys(eventUsers))
  await insertGroups(database)
  await insertEvents(
    database,
    castOf.event,
    Object.entries(eventUsers).flatMap(([user, events]) => events.map((event) => ({ user, ...event }))),
  )
  await insertEvents(
    database,
    castOf.event,
    [-DAY, -2 * DAY].map((ms) => ({ group: 'busy', ms })),
  )
  await insertUsers(database, castOf.content, Object.keys(contentUsers))
  await insertContent(database, castOf.content, ['tour', 'other', 'anew', 'unpublished'])
  await insertStates(database)
  await insertUsers(database, castOf.answer, Object.keys(answerUsers))
  await insertContent(database, castOf.answer, ['survey'])
  await insertAnswers(database)
  await insertUsers(database, castOf.segment, Object.keys(segmentUsers), segmentUsers)
  await insertTooMany(database, castOf.event, 'exported too often')
  await insertTooMany(database, castOf.segment, 'too many events')
  await deleteUser(database, castOf.event, 'being deleted')
  await deleteUser(database, castOf.answer, 'answers are being deleted')
  await database.query('analyze', [])
}

const insert = (database: Database, environmentId: EnvironmentId, text: string, rows: readonly object[]) =>
  database.query(text, [environmentId, JSON.stringify(rows)])

async function insertUsers(
  database: Database,
  environmentId: EnvironmentId,
  ids: readonly string[],
  attributes: Record<string, Attributes> = {},
): Promise<void> {
  await insert(
    database,
    environmentId,
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     select $1::int, id, attributes, '${isoTime(CREATED)}', '', '', '' from json_to_recordset($2::json) as given (id text, attributes jsonb)`,
    ids.map((id) => ({ id, attributes: attributes[id] ?? {} })),
  )
}

async function insertGroups(database: Database): Promise<void> {
  await insert(
    database,
    castOf.event,
    `insert into groups (environment_id, id, attributes, created_at, name_key)
     select $1::int, id, '{}', '${isoTime(CREATED)}', '' from json_to_recordset($2::json) as given (id text)`,
    [{ id: 'busy' }, { id: 'idle' }],
  )
  await insert(
    database,
    castOf.event,
    `insert into group_memberships (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
     select $1::int, "user", "group", gen_random_uuid(), '{}', now(), '${isoTime(CREATED)}', '${isoTime(CREATED)}'
       from json_to_recordset($2::json) as given ("user" text, "group" text)`,
    Object.entries(groupsOf).flatMap(([user, groups]) => groups.map((group) => ({ user, group }))),
  )
}

let lastId = 0
function nextId(): string {
  lastId += 1
  return leastIdAt(lastId)
}

async function insertEvents(
  database: Database,
  environmentId: EnvironmentId,
  events: readonly (Event & { user?: string; group?: string })[],
): Promise<void> {
  await insert(
    database,
    environmentId,
    `insert into events (environment_id, id, name, user_id, group_id, attributes, time, created_at)
     select $1::int, id, name, "user", "group", attributes, time, now()
       from json_to_recordset($2::json) as given (id uuid, name text, "user" text, "group" text, attributes jsonb, time timestamptz)`,
    events.map(({ user, group, ms, name = 'visited', attributes = {} }) => ({
      id: nextId(),
      name,
      user,
      group,
      attributes,
      time: at(ms),
    })),
  )
}

/** One more than a `where` looks at. The newest has 7 pages. */
async function insertTooMany(database: Database, environmentId: EnvironmentId, userId: string): Promise<void> {
  await database.query(
    `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
     select $1::int, gen_random_uuid(), 'exported', $2::text, case when n = 0 then '{"pages": 7}'::jsonb else '{"pages": 1}' end,
            $3::timestamptz - n * interval '1 second', now()
       from generate_series(0, $4::int) as n`,
    [environmentId, userId, at(-DAY), limits.eventsLookedAt],
  )
}

async function insertContent(database: Database, environmentId: EnvironmentId, keys: readonly string[]): Promise<void> {
  await insert(
    database,
    environmentId,
    `insert into content (environment_id, id, key, type, name, draft_version_id, published_version_id, published_at, counts_from, created_at)
     select $1::int, id, key, 'flow', key, id, published, now(), counts_from, now()
       from json_to_recordset($2::json) as given (id uuid, key text, published uuid, counts_from timestamptz)`,
    keys.map((key) => ({
      id: contentId(key),
      key,
      published: key === 'unpublished' ? null : contentId(key),
      counts_from: key === 'anew' ? at(0) : null,
    })),
  )
}

const contentIds = new Map<string, string>()
function contentId(key: string): string {
  const known = contentIds.get(key) ?? nextId()
  contentIds.set(key, known)
  return known
}

async function insertStates(database: Database): Promise<void> {
  const time = (ms: number | undefined) => (ms === undefined ? null : at(ms))
  await insert(
    database,
    castOf.content,
    `insert into content_states (environment_id, user_id, content_id, started, first_started_at, last_started_at, completed_at, dismissed_at, active_session_id)
     select $1::int, "user", content, 1, started, started, completed, dismissed, active
       from json_to_recordset($2::json) as given ("user" text, content uuid, started timestamptz, completed timestamptz, dismissed timestamptz, active uuid)`,
    Object.entries(contentUsers).flatMap(([user, run]) =>
      run
        ? [
            {
              user,
              content: contentId(run.content ?? 'tour'),
              started: time(run.started),
              completed: time(run.completed),
              dismissed: time(run.dismissed),
              active: run.isActive ? nextId() : null,
            },
          ]
        : [],
    ),
  )
}

async function insertAnswers(database: Database): Promise<void> {
  await insert(
    database,
    castOf.answer,
    `insert into content_answers (environment_id, session_id, question, id, user_id, content_id, version_id, name, number_answer, text_answer, list_answer, epoch, sequence, created_at)
     select $1::int, id, question, id, "user", '${contentId('survey')}', id, '', number, text, list, 1, 1, time
       from json_to_recordset($2::json) as given (id uuid, question text, "user" text, number float8, text text, list jsonb, time timestamptz)`,
    Object.entries(answerUsers).flatMap(([user, answers]) =>
      answers.map(({ ms = -DAY, question = 'ease', ...value }) => ({
        id: nextId(),
        user,
        question,
        time: at(ms),
        ...value,
      })),
    ),
  )
}

/** A user was deleted, and is there again: what came before is still stored. */
async function deleteUser(database: Database, environmentId: EnvironmentId, userId: string): Promise<void> {
  await database.query(
    `insert into pending_deletions (environment_id, owner, owner_id, boundary, requested_at, object_created_at)
     values ($1::int, 'user', $2::text, $3::uuid, now(), '2020-01-01')`,
    [environmentId, userId, nextId()],
  )
}
