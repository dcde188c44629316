import type { Rows } from '../batches/rows.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { sortedUnique } from '../database/lock-order.ts'
import { type Part, partsOf } from '../database/parts.ts'
import { findAnswers, findClaims, findEndedSessions, findOpenSessions, findStates } from './find.ts'
import { findGuidance, type GuidanceRow, readClock } from './guidance.ts'
import { holdPublished } from './published-lock.ts'
import type { AnswerRow, ClaimRow, SessionRow } from './rows.ts'
import {
  beginSessions,
  deleteClaims,
  insertClaims,
  insertSessions,
  insertStates,
  storeAnswers,
  storeClaims,
  storeSessions,
  storeStates,
} from './store.ts'
import { answerKey, UserHistory } from './user-history.ts'

/** What the jobs of a batch have read of the histories of one environment. */
export class Histories {
  /** By the id of the user. */
  readonly users = new Map<string, UserHistory>()
  /** By the id of the content. */
  readonly guidance = new Map<string, GuidanceRow>()
  /** By the clock of the database, in milliseconds. */
  now = 0
  /** The clock of the database was set back to before the last sum of results. */
  sumsAreAhead = false

  of(userId: string): UserHistory {
    const known = this.users.get(userId)
    if (known) return known
    const history = new UserHistory(userId)
    this.users.set(userId, history)
    return history
  }
}

/** What a job is about: its session is read even if it has ended, and whether its content may start. */
export interface HistoryKeys {
  readonly userId: string
  readonly sessionId?: string | undefined
  readonly contentId?: string | undefined
  /** It may change answers of its session: they are read. */
  readonly hasAnswers?: boolean | undefined
  /** It may start content: no other version is published between its reads and its commit. */
  readonly starts?: boolean | undefined
}

export interface HistoryPart extends Part<HistoryKeys> {
  readonly histories: Histories
}

/**
 * Reads the histories of users whose rows are locked. The statements are sent together, after those that lock, and the clock
 * is read last.
 */
export async function loadHistories(transaction: OpenTransaction, parts: readonly HistoryPart[]): Promise<void> {
  const users = parts.map(({ items }) => sortedUnique(items.map(({ userId }) => userId)))
  const sessions = parts.map(({ items }) => sortedUnique(items.flatMap(({ sessionId }) => sessionId ?? [])))
  const answered = parts.map(({ items }) =>
    sortedUnique(items.flatMap(({ sessionId, hasAnswers }) => (hasAnswers && sessionId) || [])),
  )
  const contents = parts.map(({ items }) => sortedUnique(items.flatMap(({ contentId }) => contentId ?? [])))
  const each = <Row>(keys: readonly string[][], find: Find<Row>, load: (histories: Histories, row: Row) => void) =>
    loadRows(transaction, parts, keys, find, load)
  const starting = parts.filter(({ items }) => items.some(({ starts }) => starts))
  const [, , , , , , , now] = await Promise.all([
    starting.length > 0 && holdPublished(transaction, starting),
    each(users, findClaims, (histories, row) => histories.of(row.userId).claims.load(row.id, row)),
    each(users, findOpenSessions, (histories, row) => histories.of(row.userId).sessions.load(row.id, row)),
    each(sessions, findEndedSessions, (histories, row) => histories.of(row.userId).sessions.load(row.id, row)),
    each(users, findStates, (histories, { userId, ...row }) => histories.of(userId).states.load(row.contentId, row)),
    each(answered, findAnswers, (histories, row) =>
      histories.of(row.userId).answers.load(answerKey(row.sessionId, row.question), row),
    ),
    each(contents, findGuidance, ({ guidance }, row) => guidance.set(row.contentId, row)),
    readClock(transaction),
  ])
  for (const { histories } of parts) histories.now = now
}

type Find<Row> = (db: OpenTransaction, keys: readonly Part<string>[]) => Promise<Row[][]>

async function loadRows<Row>(
  transaction: OpenTransaction,
  parts: readonly HistoryPart[],
  keys: readonly string[][],
  find: Find<Row>,
  load: (histories: Histories, row: Row) => void,
): Promise<void> {
  const affected = parts.filter((_, index) => (keys[index] ?? []).length > 0)
  if (affected.length === 0) return
  const found = await find(
    transaction,
    partsOf(parts, (_, index) => keys[index] ?? []),
  )
  for (const [index, { histories }] of affected.entries()) for (const row of found[index] ?? []) load(histories, row)
}

/** Writes the difference. */
export async function storeHistories(
  transaction: OpenTransaction,
  parts: readonly { environmentId: EnvironmentId; histories: Histories }[],
): Promise<void> {
  const changes = parts.map(({ environmentId, histories }) => ({ environmentId, ...changesOf(histories) }))
  const newClaims = partsOf(changes, (change) => change.newClaims)
  const claims = partsOf(changes, (change) => change.claims)
  const begun = partsOf(changes, (change) => change.begun)
  const gone = partsOf(changes, (change) => change.gone)
  const newSessions = partsOf(changes, (change) => change.newSessions)
  const sessions = partsOf(changes, (change) => change.sessions)
  const newStates = partsOf(changes, (change) => change.newStates)
  const states = partsOf(changes, (change) => change.states)
  const answers = partsOf(changes, (change) => change.answers)
  await Promise.all([
    // Before the claims, which have their receipts.
    begun.length > 0 && beginSessions(transaction, begun),
    newSessions.length > 0 && insertSessions(transaction, newSessions),
    newClaims.length > 0 && insertClaims(transaction, newClaims),
    claims.length > 0 && storeClaims(transaction, claims),
    gone.length > 0 && deleteClaims(transaction, gone),
    sessions.length > 0 && storeSessions(transaction, sessions),
    newStates.length > 0 && insertStates(transaction, newStates),
    states.length > 0 && storeStates(transaction, states),
    answers.length > 0 && storeAnswers(transaction, answers),
  ])
}

/** Runs that were over before this batch and count otherwise since, and those that are over since while sums are ahead. */
export function lateRuns({ users, sumsAreAhead }: Histories) {
  const changed: string[] = []
  const over: string[] = []
  for (const { sessions, answers } of users.values())
    for (const after of sessions.values()) {
      const before = sessions.before(after.id)
      if (before && isOver(before)) {
        if (countsOtherwise(before, after) || isAnswered(answers, after.id)) changed.push(after.id)
      } else if (sumsAreAhead && isOver(after)) over.push(after.id)
    }
  return { changed, over }
}

const isOver = ({ completedAt, endedAt }: SessionRow) => completedAt !== null || endedAt !== null

const countsOtherwise = (before: SessionRow, after: SessionRow) =>
  before.step !== after.step || before.steps !== after.steps || before.tasks !== after.tasks

/** Whether the batch has changed an answer of this session. */
function isAnswered(answers: Rows<AnswerRow>, sessionId: string): boolean {
  const isNew = (row: AnswerRow) => answers.before(answerKey(sessionId, row.question)) !== row
  return [...answers.values()].some((row) => row.sessionId === sessionId && isNew(row))
}

function changesOf({ users }: Histories) {
  const histories = [...users.values()]
  const claims = histories.map(claimChanges)
  const sessions = histories.map(sessionChanges)
  const states = histories.map(({ userId, states }) => ({ userId, ...states.changes() }))
  const answers = histories.map(({ userId, answers }) => ({ userId, ...answers.changes() }))
  return {
    newClaims: claims.flatMap(({ created }) => rowsOf(created)),
    claims: claims.flatMap(({ changed }) => rowsOf(changed)),
    begun: sessions.flatMap(({ begun }) => rowsOf(begun)),
    gone: claims.flatMap(({ removed }) => removed.map(([id]) => id)),
    newSessions: sessions.flatMap(({ created }) => rowsOf(created)),
    sessions: sessions.flatMap(({ updated }) => rowsOf(updated)),
    newStates: states.flatMap(({ userId, created }) => storable(userId, created)),
    states: states.flatMap(({ userId, updated }) => storable(userId, updated)),
    answers: answers.flatMap(({ userId, created, updated }) => storable(userId, [...created, ...updated])),
  }
}

/** The changed claims, without those that only became shown: they are stored with their sessions. */
function claimChanges({ claims, sessions }: UserHistory) {
  const { created, updated, removed } = claims.changes()
  return { created, changed: updated.filter(([id]) => !(isNew(sessions, id) && hasOnlyBegun(claims, id))), removed }
}

/** Of the new sessions, those whose claims only became shown. */
function sessionChanges({ claims, sessions }: UserHistory) {
  const { created: all, updated } = sessions.changes()
  const { begun = [], created = [] } = Object.groupBy(all, ([id]) => (hasOnlyBegun(claims, id) ? 'begun' : 'created'))
  return { begun, created, updated }
}

function isNew(sessions: Rows<SessionRow>, id: string): boolean {
  return sessions.before(id) === undefined && sessions.get(id) !== undefined
}

/** Whether the claim became shown, and changed in nothing else. */
function hasOnlyBegun(claims: Rows<ClaimRow>, id: string): boolean {
  const [before, after] = [claims.before(id), claims.get(id)]
  if (before?.state !== 'claimed' || after?.state !== 'shown' || after.hiddenAt !== null) return false
  return (
    after.holder === before.holder &&
    after.epoch === before.epoch &&
    after.sequence === before.sequence &&
    after.leaseUntil === before.leaseUntil
  )
}

function storable<Row>(userId: string, changed: readonly [string, Row][]): (Row & { userId: string })[] {
  return changed.map(([, row]) => ({ ...row, userId }))
}

function rowsOf<Row>(changed: readonly [string, Row][]): Row[] {
  return changed.map(([, row]) => row)
}
