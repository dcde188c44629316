import type { Transaction } from '../database/database.ts'
import { checkStored, type Forms, type InsertForm, insertForms, mapForms, queryParts } from '../database/forms.ts'
import { whereForms } from '../database/key-forms.ts'
import { itemsOf, type Part } from '../database/parts.ts'
import { givenRows, insertOfRows, namesOf, type SentColumn, sentRows, storedValues } from '../database/sent-rows.ts'
import type { AnswerRow, ClaimRow, SessionRow, StateRow } from './rows.ts'

/** The rows of a user whose row is locked: no other transaction writes them. */

interface Column<Row> extends SentColumn<Row> {
  /** It never changes. */
  isFixed?: boolean
  /** What it becomes when the row exists already: the given value, unless this says otherwise. */
  changed?: string
}

function column<Row>(
  name: string,
  type: SentColumn<Row>['type'],
  value: (row: Row) => unknown,
  isFixed = false,
): Column<Row> {
  return { name, type, value: (row) => textOf(value(row)), isFixed }
}

/** With what a column mostly has, which is left out of the document: each field of a row takes PostgreSQL a µs. */
function withUsual<Row>(usual: Readonly<Record<string, string>>, columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((each) => {
    const most = usual[each.name]
    if (most === undefined) return each
    const value = (row: Row) => {
      const own = each.value(row)
      return own === most ? null : own
    }
    return { ...each, value, stored: `coalesce(${each.name}, '${most}')` }
  })
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Inserts rows. */
function insertRowForms<Row>(table: string, columns: readonly Column<Row>[], onConflict = ''): Forms {
  return insertForms(
    (form) => `${insertOfRows(table, columns, form)} ${onConflict} ${form.from === '' ? '' : 'returning 1'}`,
  )
}

/** Inserts rows, and changes those that exist by their key. */
function upsertForms<Row>(table: string, key: string, columns: readonly Column<Row>[]): Forms {
  const changed = columns
    .filter(({ isFixed }) => !isFixed)
    .map(({ name, changed = `excluded.${name}` }) => `${name} = ${changed}`)
  return insertRowForms(table, columns, `on conflict (environment_id, ${key}) do update set ${changed.join(', ')}`)
}

function storing<Row>(forms: Forms, columns: readonly Column<Row>[]) {
  return async (db: Transaction, rows: readonly Part<Row>[]): Promise<void> => {
    checkStored(db, rows, await queryParts(db, forms, rows, sentRows(columns, rows)))
  }
}

const claimColumns: readonly Column<ClaimRow>[] = [
  column('id', 'uuid', ({ id }) => id, true),
  column('user_id', 'text', ({ userId }) => userId, true),
  column('content_id', 'uuid', ({ contentId }) => contentId, true),
  column('version_id', 'uuid', ({ versionId }) => versionId, true),
  column('type', 'text', ({ type }) => type, true),
  column('group_id', 'text', ({ groupId }) => groupId, true),
  column('holder', 'text', ({ holder }) => holder),
  column('epoch', 'int', ({ epoch }) => epoch),
  column('sequence', 'int', ({ sequence }) => sequence),
  column('state', 'text', ({ state }) => state),
  column('reason', 'text', ({ reason }) => reason, true),
  column('lease_until', 'time', ({ leaseUntil }) => leaseUntil),
  column('hidden_at', 'time', ({ hiddenAt }) => hiddenAt),
  // It moves to the session.
  {
    ...column('receipt', 'jsonb', ({ receiptJson }: ClaimRow) => receiptJson),
    isLong: true,
    changed: `case when excluded.state = 'claimed' then content_claims.receipt end`,
  },
  column('created_at', 'time', ({ createdAt }) => createdAt, true),
]

/** Claims with ids that were never stored. That nothing has to be looked for saves a sixth of the time of the statement. */
export const insertClaims = storing(insertRowForms('content_claims', claimColumns), claimColumns)

export const storeClaims = storing(upsertForms('content_claims', 'id', claimColumns), claimColumns)

const BY_ID = whereForms('content_claims', { id: 'uuid' })

const SHOW = "update content_claims set state = 'shown', hidden_at = null, receipt = null"
const SHOW_CLAIMS = mapForms(BY_ID, (where) => `${SHOW} where ${where}`)

async function showClaims(db: Transaction, ids: readonly Part<string>[]): Promise<void> {
  await queryParts(db, SHOW_CLAIMS, ids, [itemsOf(ids)])
}

const DELETE_CLAIMS = mapForms(BY_ID, (where) => `delete from content_claims where ${where}`)

export async function deleteClaims(db: Transaction, ids: readonly Part<string>[]): Promise<void> {
  await queryParts(db, DELETE_CLAIMS, ids, [itemsOf(ids)])
}

const USUAL_SESSION = { state: 'active', tasks: '[]', epoch: '1', launcher_activated: 'false', counts: 'true' }

const sessionColumns: readonly Column<SessionRow>[] = withUsual(USUAL_SESSION, [
  column('id', 'uuid', ({ id }) => id, true),
  column('content_id', 'uuid', ({ contentId }) => contentId, true),
  column('version_id', 'uuid', ({ versionId }) => versionId, true),
  column('type', 'text', ({ type }) => type, true),
  column('user_id', 'text', ({ userId }) => userId, true),
  column('group_id', 'text', ({ groupId }) => groupId, true),
  column('state', 'text', ({ state }) => state),
  column('reason', 'text', ({ reason }) => reason, true),
  column('step', 'text', ({ step }) => step),
  column('steps', 'jsonb', ({ steps }) => steps),
  column('progress', 'text', ({ progress }) => progress),
  column('tasks', 'jsonb', ({ tasks }) => tasks),
  column('epoch', 'int', ({ epoch }) => epoch),
  column('sequence', 'int', ({ sequence }) => sequence),
  column('launcher_activated', 'boolean', ({ launcherActivated }) => launcherActivated),
  column('counts', 'boolean', ({ counts }) => counts),
  column('created_at', 'time', ({ createdAt }) => createdAt, true),
  column('last_activity_at', 'time', ({ lastActivityAt }) => lastActivityAt),
  column('completed_at', 'time', ({ completedAt }) => completedAt),
  column('ended_at', 'time', ({ endedAt }) => endedAt),
  column('end_reason', 'text', ({ endReason }) => endReason),
])

/**
 * The claim of a session, which has its receipt until then. With `offset 0` it is one look-up for each session; Citus cannot
 * send an insert with it on to the worker.
 */
const claimOf = ({ environmentId, from }: InsertForm, columns: readonly string[] = []) => `
  left join lateral (
    select ${['ctid as row_id', 'receipt as moved', ...columns].join(', ')} from content_claims as stored
     where stored.environment_id = ${environmentId} and stored.id = given.id
    ${from === '' ? 'offset 0' : ''}) as claim on true`

const newSessionColumns: readonly Column<SessionRow>[] = [
  ...sessionColumns,
  {
    ...column('receipt', 'jsonb', ({ receiptJson }: SessionRow) => receiptJson),
    isLong: true,
    stored: 'coalesce(receipt::jsonb, moved)',
  },
]

/** As `insertClaims`. Before their claims are changed, which have the receipts. */
export const insertSessions = storing(
  insertForms((form) => {
    const insert = insertOfRows('content_sessions', newSessionColumns, form, { more: claimOf(form) })
    return `${insert} ${form.from === '' ? '' : 'returning 1'}`
  }),
  newSessionColumns,
)

/** What a session has of its claim. */
const CLAIMED = ['content_id', 'version_id', 'type', 'user_id', 'group_id', 'reason', 'epoch']

/** What it has of its own. Divides by zero without a claim: it was removed since it was read, so the batch is run again. */
const begunColumns = sessionColumns
  .filter(({ name }) => !CLAIMED.includes(name))
  .map((each) => (each.name === 'sequence' ? { ...each, stored: 'sequence / (row_id is not null)::int' } : each))

const { one, many } = insertForms(
  (form) => `
    with begun as materialized (
      select * from ${givenRows(begunColumns, form)} ${claimOf(form, CLAIMED)} where ${form.where}),
    shown as (
      ${SHOW}
       where ${form.form === 'one' ? 'environment_id + 0 = $1::int and' : ''} ctid = any(array(select row_id from begun)))
    insert into content_sessions (environment_id, ${CLAIMED.join(', ')}, ${namesOf(begunColumns)}, receipt)
    select ${form.form === 'one' ? '$1::int' : 'environment_id'}, ${CLAIMED.join(', ')}, ${storedValues(begunColumns)}, moved
      from begun`,
)
const BEGIN: Forms = { one, many }

/**
 * Sessions whose claims become shown and change in nothing else, which are most that are new. The receipt moves inside of
 * PostgreSQL: read with the claim and written with the session it took 28 µs more, of 132 for the three statements. Citus
 * would copy the rows of a modifying CTE to every worker.
 */
export async function beginSessions(db: Transaction, sessions: readonly Part<SessionRow>[]): Promise<void> {
  if (!db.isDistributed) {
    await queryParts(db, BEGIN, sessions, sentRows(begunColumns, sessions))
    return
  }
  const claims = sessions.map(({ environmentId, items }) => ({ environmentId, items: items.map(({ id }) => id) }))
  await Promise.all([insertSessions(db, sessions), showClaims(db, claims)])
}

export const storeSessions = storing(upsertForms('content_sessions', 'id', sessionColumns), sessionColumns)

export type StorableState = StateRow & { readonly userId: string }

const stateColumns: readonly Column<StorableState>[] = [
  column('user_id', 'text', ({ userId }) => userId, true),
  column('content_id', 'uuid', ({ contentId }) => contentId, true),
  column('started', 'int', ({ started }) => started),
  column('first_started_at', 'time', ({ firstStartedAt }) => firstStartedAt),
  column('last_started_at', 'time', ({ lastStartedAt }) => lastStartedAt),
  column('previous_started_at', 'time', ({ previousStartedAt }) => previousStartedAt),
  column('completed_at', 'time', ({ completedAt }) => completedAt),
  column('dismissed_at', 'time', ({ dismissedAt }) => dismissedAt),
  column('last_ended_at', 'time', ({ lastEndedAt }) => lastEndedAt),
  column('active_session_id', 'uuid', ({ activeSessionId }) => activeSessionId),
  column('missing_at', 'time', ({ missingAt }) => missingAt),
  column('missing_version_id', 'uuid', ({ missingVersionId }) => missingVersionId),
]

/** As `insertClaims`: the states of a user were read under the lock of the user. */
export const insertStates = storing(insertRowForms('content_states', stateColumns), stateColumns)

export const storeStates = storing(upsertForms('content_states', 'user_id, content_id', stateColumns), stateColumns)

export type StorableAnswer = AnswerRow & { readonly userId: string }

const answerColumns: readonly Column<StorableAnswer>[] = [
  column('session_id', 'uuid', ({ sessionId }) => sessionId, true),
  column('question', 'text', ({ question }) => question, true),
  column('id', 'uuid', ({ id }) => id, true),
  column('user_id', 'text', ({ userId }) => userId, true),
  column('content_id', 'uuid', ({ contentId }) => contentId, true),
  column('version_id', 'uuid', ({ versionId }) => versionId, true),
  column('name', 'text', ({ name }) => name),
  column('number_answer', 'float8', ({ value }) => (typeof value === 'number' ? value : null)),
  column('text_answer', 'text', ({ value }) => (typeof value === 'string' ? value : null)),
  column('list_answer', 'jsonb', ({ value }) => (typeof value === 'object' ? value : null)),
  column('epoch', 'int', ({ epoch }) => epoch),
  column('sequence', 'int', ({ sequence }) => sequence),
  column('created_at', 'time', ({ createdAt }) => createdAt),
]

export const storeAnswers = storing(
  upsertForms('content_answers', 'session_id, question', answerColumns),
  answerColumns,
)
