import type { ContentType } from '../../contract/content/document.ts'
import type { AnswerValue } from '../../contract/sdk/protocol.ts'
import type { Queryable } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import { type Indexed, itemsOf, type Part, rowsByPart } from '../database/parts.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'
import { contentOf, countedColumns, countsNow, isOverClaim, overBecause, versionOf } from './counted.ts'
import type { AnswerRow, ClaimRow, SessionRow, StateRow } from './rows.ts'

/** Milliseconds since 1970, to the microsecond. `extract` would calculate in `numeric`, which takes 2 µs more for each time. */
export const ms = (time: string) => `(round(date_part('epoch', ${time}) * 1e6) / 1e3)`

interface Wanted {
  from: (environmentId: string) => string
  columns: string | ((environmentIs: string) => string)
  /** The column of the environment, and the one that is looked up, with its type. */
  environment: string
  key: string
  type?: 'text' | 'uuid'
  where?: (environmentIs: string) => string
}

/** A look-up of all rows of each key, one after the other: see `findForms`. */
function findAllForms({ from, columns, environment, key, type = 'text', where }: Wanted): Forms {
  const find = (environmentId: string, environmentIs: string) => `
    cross join lateral (
      select ${typeof columns === 'string' ? columns : columns(environmentIs)} from ${from(environmentId)}
       where ${environment} = ${environmentId} and ${key} = wanted.key ${where ? `and ${where(environmentIs)}` : ''}
      offset 0) as found`
  return {
    one: `select found.* from unnest($2::${type}[]) as wanted (key) ${find('$1::int', '= $1::int')}`,
    many: `
      select key_number::int, found.*
        from unnest($1::int[], $2::${type}[]) with ordinality as wanted (environment_id, key, key_number)
        ${find('wanted.environment_id', '= any($1::int[])')}`,
  }
}

async function findAll<Row extends object>(
  db: Queryable,
  forms: Forms,
  keys: readonly Part<string>[],
): Promise<Row[][]> {
  return rowsByPart(keys, await queryParts<Row & Indexed & Record<string, unknown>>(db, forms, keys, [itemsOf(keys)]))
}

/** A claim of deleted content has no slot any more. A receipt is long, and is not read. */
const CLAIMS = findAllForms({
  from: (environmentId) => `content_claims as claim ${contentOf('claim', environmentId)}`,
  environment: 'claim.environment_id',
  key: 'claim.user_id',
  columns: `claim.id, claim.user_id as "userId", claim.content_id as "contentId", claim.version_id as "versionId", claim.type,
    claim.group_id as "groupId", claim.holder, claim.epoch, claim.sequence, claim.state, claim.reason,
    ${ms('claim.lease_until')} as "leaseUntil", ${ms('claim.hidden_at')} as "hiddenAt",
    null as "receiptJson",
    ${ms('claim.created_at')} as "createdAt", ${isOverClaim('claim', 'content')} as "isOver"`,
})

/** The claims of these users. */
export async function findClaims(db: Queryable, userIds: readonly Part<string>[]): Promise<ClaimRow[][]> {
  return await findAll<ClaimRow>(db, CLAIMS, userIds)
}

/** The name of a content is that of its draft. The document of another version is read for its own. */
const versionName = `case when version.id = content.draft_version_id then content.name else version.document::json ->> 'name' end`

/** The group of a session that is being deleted is gone already. */
const sessionColumns = (environmentIs: string) => `
  session.id, session.user_id as "userId", session.content_id as "contentId", session.version_id as "versionId", session.type,
  case when session.group_id is not null and ${isNotDeletedBy('session', 'group', environmentIs)} then session.group_id end as "groupId",
  session.state, session.reason, session.step, session.progress, session.tasks::text as tasks,
  session.steps::text as steps,
  session.epoch, session.sequence, session.launcher_activated as "launcherActivated",
  ${countsNow('session', 'content')} as counts,
  ${ms('session.created_at')} as "createdAt", ${ms('session.last_activity_at')} as "lastActivityAt",
  ${ms('session.completed_at')} as "completedAt", ${ms('session.ended_at')} as "endedAt", session.end_reason as "endReason",
  null as "receiptJson", ${overBecause('session', 'content')} as "overBecause",
  ${versionName} as "contentName", version.number as "versionNumber"`

const sessionsFrom = (environmentId: string) =>
  `content_sessions as session ${contentOf('session', environmentId)} ${versionOf('session', environmentId)}`

const shown = (environmentIs: string) => isNotDeletedBy('session', 'user', environmentIs)

const OPEN_SESSIONS = findAllForms({
  from: sessionsFrom,
  environment: 'session.environment_id',
  key: 'session.user_id',
  columns: sessionColumns,
  where: (environmentIs) => `session.ended_at is null and ${shown(environmentIs)}`,
})

const ENDED_SESSIONS = findAllForms({
  from: sessionsFrom,
  environment: 'session.environment_id',
  key: 'session.id',
  type: 'uuid',
  columns: sessionColumns,
  where: (environmentIs) => `session.ended_at is not null and ${shown(environmentIs)}`,
})

type ReadSession = Omit<SessionRow, 'tasks' | 'steps'> & { tasks: string; steps: string }

const withTasks = (rows: readonly ReadSession[]): SessionRow[] =>
  rows.map(({ tasks, steps, ...row }) => ({ ...row, tasks: JSON.parse(tasks), steps: JSON.parse(steps) }))

/** The open sessions of these users. */
export async function findOpenSessions(db: Queryable, userIds: readonly Part<string>[]): Promise<SessionRow[][]> {
  return (await findAll<ReadSession>(db, OPEN_SESSIONS, userIds)).map(withTasks)
}

/** Of these sessions, those that have ended. */
export async function findEndedSessions(db: Queryable, ids: readonly Part<string>[]): Promise<SessionRow[][]> {
  return (await findAll<ReadSession>(db, ENDED_SESSIONS, ids)).map(withTasks)
}

const counted = Object.entries(countedColumns).map(([name, expression]) => {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return `${name.endsWith('_at') ? ms(expression) : expression} as "${camel}"`
})

const STATES = findAllForms({
  from: (environmentId) => `content_states as state ${contentOf('state', environmentId)}`,
  environment: 'state.environment_id',
  key: 'state.user_id',
  columns: `state.user_id as "userId", state.content_id as "contentId", content.type, ${counted.join(', ')},
    ${ms('state.missing_at')} as "missingAt", state.missing_version_id as "missingVersionId"`,
})

/** The states of these users, as they count now. */
export async function findStates(
  db: Queryable,
  userIds: readonly Part<string>[],
): Promise<(StateRow & { userId: string; type: ContentType })[][]> {
  return await findAll(db, STATES, userIds)
}

const ANSWERS = findAllForms({
  from: () => 'content_answers as answer',
  environment: 'answer.environment_id',
  key: 'answer.session_id',
  type: 'uuid',
  columns: `answer.id, answer.user_id as "userId", answer.session_id as "sessionId", answer.content_id as "contentId", answer.version_id as "versionId",
    answer.question, answer.name, answer.number_answer as "numberAnswer", answer.text_answer as "textAnswer",
    answer.list_answer::text as "listJson", answer.epoch, answer.sequence, ${ms('answer.created_at')} as "createdAt"`,
})

type FoundAnswer = AnswerRow & { userId: string }
type ReadAnswer = Omit<FoundAnswer, 'value'> & StoredAnswerValue

export interface StoredAnswerValue {
  numberAnswer: number | null
  textAnswer: string | null
  listJson: string | null
}

function answerValue({ numberAnswer, textAnswer, listJson }: StoredAnswerValue): AnswerValue {
  return numberAnswer ?? textAnswer ?? (JSON.parse(listJson as string) as string[])
}

/** The answers of these sessions. */
export async function findAnswers(db: Queryable, sessionIds: readonly Part<string>[]): Promise<FoundAnswer[][]> {
  const found = await findAll<ReadAnswer>(db, ANSWERS, sessionIds)
  return found.map((rows) =>
    rows.map(({ numberAnswer, textAnswer, listJson, ...row }) => ({
      ...row,
      value: answerValue({ numberAnswer, textAnswer, listJson }),
    })),
  )
}
