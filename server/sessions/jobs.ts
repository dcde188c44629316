import type { ProgressAnswer, RenewAnswer } from '../../contract/sdk/protocol.ts'
import { ApiError, errors } from '../errors.ts'
import type { OverdueSession } from '../history/overdue.ts'
import type { ClaimRow, SessionRow } from '../history/rows.ts'
import { type Change, type CreationTimes, type HistoryFacts, timeOf } from '../history/user-history.ts'
import { notAMember } from '../memberships/current-groups.ts'
import type { ChangeHistoryJob } from '../writes/jobs.ts'
import { applyClaim, type ClaimCall, type Claimed, tidy } from './claim.ts'
import { endSession } from './end.ts'
import { applyProgress, type ProgressCall } from './progress.ts'
import { type HeldCall, NOT_HELD, releaseClaim, renewLease } from './release.ts'
import { completeTask } from './report-effects.ts'
import { startsSession } from './reports.ts'
import type { VersionShape } from './shape.ts'
import { triedTargets } from './tried-targets.ts'

/** Whose job it is, and what it has of its request. */
export type JobOf = Pick<ChangeHistoryJob, 'userId' | 'userCreatedAt' | 'requestId' | 'notify'>

/** Before every change, what is over is put in order. */
function job<Result>(
  of: Omit<ChangeHistoryJob, 'kind' | 'change'>,
  change: (change: Change, facts: HistoryFacts) => Result | ApiError,
): ChangeHistoryJob<Result> {
  return {
    ...of,
    kind: 'history',
    change: (to, facts) => {
      tidy(to)
      return change(to, facts)
    },
  }
}

export function claimJob(of: JobOf, call: ClaimCall): ChangeHistoryJob<Claimed> {
  const { groupId, shape, sessionId } = call
  return job({ ...of, groupId, sessionId, contentId: shape.contentId, starts: true }, (change, facts) => {
    if (!facts.user)
      return errors.gateClosed('user_unknown', `The user ${of.userId} is not known. Create it with POST /users first.`)
    if (!facts.isMember) return errors.invalidParams([`group_id: ${notAMember(groupId)}`])
    if (!facts.guidance) return errors.notFound('Content', shape.contentId)
    const receiptJson = isDecidedFor(call.decidedFor, facts.createdAt) ? call.receiptJson : null
    const claimed = applyClaim(change, { ...call, receiptJson }, facts.guidance)
    if (claimed instanceof ApiError) return claimed
    // A session that is resumed has the group that it was started with.
    const group = claimed.claim.groupId === groupId ? facts.group : undefined
    return { ...claimed, known: { user: facts.user, group } }
  })
}

/** Of one that was deleted and created again since the decision, the receipt would have values that are deleted. */
function isDecidedFor(decided: CreationTimes | undefined, now: CreationTimes): boolean {
  const isSame = (of: keyof CreationTimes) => decided?.[of] === undefined || decided[of] === now[of]
  return isSame('user') && isSame('group')
}

export interface Progressed {
  readonly answer: ProgressAnswer
  readonly session: SessionRow | undefined
  /** Before the reports. It may not be a session yet, or be given up by them. */
  readonly claim: ClaimRow | undefined
  /** What the reports that were stored say of targets. */
  readonly tried: readonly string[]
}

export function progressJob(of: JobOf, call: ProgressCall, shape: VersionShape): ChangeHistoryJob<Progressed> {
  const starts = call.reports.some((report) => startsSession(report, shape))
  const hasAnswers = call.reports.some(({ type }) => type === 'answered')
  return job({ ...of, sessionId: call.id, starts, hasAnswers }, (change) => {
    const { claims, sessions } = change.history
    const claim = claims.get(call.id)
    const before = sessions.get(call.id)?.sequence ?? claim?.sequence ?? 0
    const answer = applyProgress(change, call, shape)
    if (answer instanceof ApiError) return answer
    const stored = call.reports.filter(({ sequence }) => sequence > before && sequence <= answer.sequence)
    return { answer, claim, session: sessions.get(call.id), tried: triedTargets(stored, shape) }
  })
}

/** Nobody holds what is switched off. When it is on again, the session is claimed again. */
export function renewJob(of: JobOf, call: HeldCall, contentId: string | undefined): ChangeHistoryJob<RenewAnswer> {
  return job({ ...of, contentId }, (change, { guidance }) => (guidance?.isOff ? NOT_HELD : renewLease(change, call)))
}

export function releaseJob(of: JobOf, call: HeldCall): ChangeHistoryJob<true> {
  return job(of, (change) => {
    releaseClaim(change, call)
    return true
  })
}

/** An end by the API. A session that has ended stays as it is. */
export function endJob(of: JobOf, id: string): ChangeHistoryJob<SessionRow> {
  return job({ ...of, sessionId: id }, (change) => {
    const session = change.history.sessions.get(id)
    if (!session) return errors.notFound('Content session', id)
    return session.endedAt === null ? endSession(change, session, 'api') : session
  })
}

/** Completes tasks of an open session, each once. Undefined when the session has ended meanwhile. */
export function completeTasksJob(
  of: JobOf,
  id: string,
  tasks: readonly string[],
  shape: VersionShape,
): ChangeHistoryJob<SessionRow | undefined> {
  return job({ ...of, sessionId: id }, (change) => {
    const before = change.history.sessions.get(id)
    if (before?.endedAt !== null) return undefined
    const to = { change, shape, page: undefined }
    const after = tasks.reduce((session, task) => completeTask(to, session, task), before)
    if (after !== before) change.history.sessions.set(id, { ...after, lastActivityAt: timeOf(change, after) })
    return after
  })
}

/** Ends a session of which nothing was reported since `idle`. What its publisher let end is ended before every change. */
export function expireJob({ id, userId }: OverdueSession, idle: number): ChangeHistoryJob<true> {
  return job({ userId, sessionId: id }, (change) => {
    const session = change.history.sessions.get(id)
    if (session?.endedAt === null && session.lastActivityAt < idle) endSession(change, session, 'expired')
    return true
  })
}
