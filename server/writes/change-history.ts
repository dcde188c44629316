import type { Rows } from '../batches/rows.ts'
import type { EnvironmentId } from '../database/database.ts'
import { sortedUnique } from '../database/lock-order.ts'
import { partsOf } from '../database/parts.ts'
import { errors } from '../errors.ts'
import { lateRuns, loadHistories, storeHistories } from '../history/histories.ts'
import type { Change, HistoryEvent, HistoryFacts } from '../history/user-history.ts'
import { type KeptGroup, keepGroups } from '../memberships/keep-groups.ts'
import { addLateRuns, findSumsAhead, type LateRuns, takeBackLateRuns } from '../results/late-runs.ts'
import type { Summed } from '../results/lock-sums.ts'
import { type BatchState, membershipKey } from './batch-state.ts'
import type { ChangeHistoryJob } from './jobs.ts'
import type { JobKind, KindPart } from './kind.ts'
import { trackOwnEvent } from './track-event.ts'

/**
 * Changes what is remembered of a user: claims, progress and their like (server/sessions). Sessions, states, answers, events
 * and notifications are one transaction.
 */
export const changeHistoryKind: JobKind<ChangeHistoryJob, unknown> = {
  about: ({ userId, groupId }) => (groupId ? [`user ${userId}`, `group ${groupId}`] : [`user ${userId}`]),
  touch: ({ userId, groupId }, touched) => {
    touched.lockUser(userId)
    if (!groupId) return
    touched.joinGroup(groupId)
    touched.readMembership({ userId, groupId })
  },
  load: async (transaction, parts) => {
    const histories = parts.map(({ environmentId, items, state }) => ({
      environmentId,
      items,
      histories: state.histories,
    }))
    const [, ahead] = await Promise.all([loadHistories(transaction, histories), findSumsAhead(transaction, parts)])
    for (const { environmentId, histories: of } of histories) of.sumsAreAhead = ahead.has(environmentId)
  },
  apply: (state, _draft, job) => {
    const user = state.users.get(job.userId)
    if (job.userCreatedAt !== undefined && user?.createdAt !== job.userCreatedAt) return errors.visitorExpired()
    const events: HistoryEvent[] = []
    const result = job.change(changeOf(state, job, events), factsOf(state, job))
    const { requestId, notify = true } = job
    for (const event of events) trackOwnEvent(state, event, { timeMs: state.histories.now, requestId, notify })
    return result
  },
  store: async (transaction, parts) => {
    const late: { part: LatePart; summed: Summed }[] = []
    for (const part of lateParts(parts))
      late.push({ part, summed: await takeBackLateRuns(transaction, part.environmentId, part.runs) })
    const groups = partsOf(parts, ({ state }) => namedGroups(state))
    const stored = Promise.all([
      groups.length > 0 && keepGroups(transaction, groups),
      storeHistories(
        transaction,
        parts.map(({ environmentId, state: { histories } }) => ({ environmentId, histories })),
      ),
    ])
    if (groups.length === 0 && areLocked(parts)) transaction.deferLocked(stored)
    else transaction.defer(stored)
    // Whether a sharded PostgreSQL has stored all rows is known only when it has answered.
    if (transaction.isDistributed) await stored
    for (const { part, summed } of late) await addLateRuns(transaction, part.environmentId, part.runs, summed)
  },
}

interface LatePart {
  readonly environmentId: EnvironmentId
  readonly runs: LateRuns
}

/** The environments with runs that the sums of results may have already. */
function lateParts(parts: readonly KindPart<ChangeHistoryJob>[]): LatePart[] {
  return parts
    .map(({ environmentId, state }) => ({ environmentId, runs: lateRuns(state.histories) }))
    .filter(({ runs }) => runs.changed.length + runs.over.length > 0)
}

/** Whether all users have rows, which were locked when they were read: then nobody else writes what is remembered of them. */
function areLocked(parts: readonly KindPart<ChangeHistoryJob>[]): boolean {
  return parts.every(({ items, state: { users } }) => items.every(({ userId }) => users.before(userId) !== undefined))
}

function changeOf(state: BatchState, { userId }: ChangeHistoryJob, events: HistoryEvent[]): Change {
  const { stamp, histories } = state
  return {
    history: histories.of(userId),
    now: histories.now,
    createdAt: stamp.ms,
    newId: () => stamp.newId(),
    emit: (event) => void events.push(event),
  }
}

function factsOf(state: BatchState, { userId, contentId, groupId }: ChangeHistoryJob): HistoryFacts {
  const user = state.users.get(userId)
  const group = groupId ? state.groups.get(groupId) : undefined
  return {
    guidance: contentId === undefined ? undefined : state.histories.guidance.get(contentId),
    user: user?.attributes,
    group: group?.attributes,
    createdAt: { user: user?.createdAt, group: group?.createdAt },
    isMember: !groupId || state.memberships.get(membershipKey(userId, groupId)) !== undefined,
  }
}

/**
 * The groups of new claims and sessions. None of them is deleted before the commit: a deletion that waits for it finds the
 * session, and one that came before has deleted the claim that the session is made of.
 */
function namedGroups({ groups, histories }: KindPart<ChangeHistoryJob>['state']): KeptGroup[] {
  const ofUsers = [...histories.users.values()]
  const claimed = ofUsers.flatMap(({ claims }) => groupsOf(claims)).filter((id) => groups.get(id) !== undefined)
  const begun = ofUsers.flatMap(({ sessions }) => groupsOf(sessions))
  return sortedUnique([...claimed, ...begun]).map((id) => ({ id, createdAt: groups.get(id)?.createdAt }))
}

/** Those of new rows. */
function groupsOf(rows: Rows<{ readonly id: string; readonly groupId: string | null }>): string[] {
  return [...rows.values()].flatMap(({ id, groupId }) => (rows.before(id) ? [] : (groupId ?? [])))
}
