import type { PageInfo, ProgressAnswer, Report } from '../../contract/sdk/protocol.ts'
import { DAY_MS } from '../../contract/units.ts'
import { type ApiError, errors } from '../errors.ts'
import type { ClaimRow, SessionRow } from '../history/rows.ts'
import { answerKey, type Change, isLive, timeOf, type UserHistory } from '../history/user-history.ts'
import { applyReport, isNewAnswer, keepAnswer, missingEvent, type Reported } from './report-effects.ts'
import { reportProblems, startsSession } from './reports.ts'
import type { VersionShape } from './shape.ts'
import { hasSlot } from './slots.ts'
import { emptyState, startSession } from './start.ts'

export interface ProgressCall {
  readonly id: string
  readonly holder: string
  /** Without it, that of the holder. */
  readonly epoch?: number | undefined
  readonly reports: readonly Report[]
  readonly page?: PageInfo | undefined
}

/** A claim that is not a session yet, or the session. */
interface Run {
  readonly claim: ClaimRow | undefined
  readonly session: SessionRow | undefined
}

/** Applies what a page has seen since its last progress. A call that is refused changes nothing. */
export function applyProgress(change: Change, call: ProgressCall, shape: VersionShape): ProgressAnswer | ApiError {
  const run = findRun(change, call.id)
  if (!run) return errors.notFound('Content session', call.id)
  if (run.session?.endedAt != null) return answerOf(change, call)
  const current = run.session?.epoch ?? (run.claim as ClaimRow).epoch
  if (call.epoch !== undefined && call.epoch > current)
    return errors.invalidParams([`epoch: is ${call.epoch}, and the epoch of this session is ${current}`])
  const to = { change, shape, page: call.page }
  if (!isCurrent(run, call, current)) return applyLateAnswers(to, call, run.session) ?? answerOf(change, call)
  return applyInOrder(to, call, run) ?? answerOf(change, call)
}

/** A claim that was never shown ends with its lease. */
function findRun({ history, now }: Change, id: string): Run | undefined {
  const [claim, session] = [history.claims.get(id), history.sessions.get(id)]
  return session || (claim && isLive(claim, now)) ? { claim, session } : undefined
}

/** Whether the page is the last that held it. The epoch decides: when nobody else claimed it since, its reports are the newest. */
function isCurrent({ claim }: Run, { holder, epoch }: ProgressCall, current: number): boolean {
  if (claim && claim.holder !== holder) return false
  return epoch === undefined ? claim !== undefined : epoch === current
}

/** Of a page that was replaced only answers count, where there is no newer one. */
function applyLateAnswers(to: Reported, call: ProgressCall, session: SessionRow | undefined): ApiError | undefined {
  const answers = call.reports.filter((report) => report.type === 'answered')
  const problems = reportProblems(answers, to.shape, session !== undefined)
  if (problems.length > 0) return errors.invalidParams(problems)
  if (!session) return undefined
  for (const { question, value, sequence } of answers)
    keepAnswer(to, session, { question, value, sequence, epoch: call.epoch ?? 0 })
  return undefined
}

function applyInOrder(to: Reported, call: ProgressCall, run: Run): ApiError | undefined {
  const stored = run.session?.sequence ?? (run.claim as ClaimRow).sequence
  const { history } = to.change
  const reports = withoutRepeats(call.reports).filter(
    (one) => one.sequence > stored || isMissed(history, run.session, one),
  )
  const gap = reports
    .filter(({ sequence }) => sequence > stored)
    .findIndex(({ sequence }, index) => sequence !== stored + index + 1)
  if (gap >= 0) return errors.sequenceGap(stored, stored + gap + 1)
  const problems = reportProblems(reports, to.shape, run.session !== undefined)
  if (problems.length > 0) return errors.invalidParams(problems)
  for (const report of reports) if (!applyNext(to, call.id, report)) break
  return undefined
}

/** Of reports with one sequence in one call, the first counts. */
function withoutRepeats(reports: readonly Report[]): readonly Report[] {
  const sequences = new Set(reports.map(({ sequence }) => sequence))
  if (sequences.size === reports.length) return reports
  return reports.filter(({ sequence }) => sequences.delete(sequence))
}

/**
 * Whether a report is no repeat, although its sequence is stored: a tab before in the same browser, whose last report arrived
 * late, has used it. What the report would have left tells.
 */
function isMissed({ answers }: UserHistory, session: SessionRow | undefined, report: Report): boolean {
  if (!session) return false
  switch (report.type) {
    case 'answered':
      return isNewAnswer(answers.get(answerKey(session.id, report.question)), { ...report, epoch: session.epoch })
    case 'task_completed':
      return !session.tasks.includes(report.task)
    case 'activated':
      return !session.launcherActivated
    case 'completed':
      return session.completedAt === null
    // Of an open session.
    case 'ended':
      return true
    default:
      return false
  }
}

/** False when nothing can follow: it has ended. */
function applyNext(to: Reported, id: string, report: Report): boolean {
  const { history } = to.change
  const session = history.sessions.get(id)
  const after = session ? applyReport(to, session, report) : begin(to, history.claims.get(id) as ClaimRow, report)
  if (!after) return history.claims.get(id) !== undefined
  const sequence = Math.max(report.sequence, after.sequence)
  history.sessions.set(id, { ...after, sequence, lastActivityAt: timeOf(to.change, after) })
  return after.endedAt === null
}

/** The session, if this report makes one of a claim. The events of a start tell already that it is shown. */
function begin(to: Reported, claim: ClaimRow, report: Report): SessionRow | undefined {
  const { change, shape, page } = to
  if (startsSession(report, shape)) {
    const session = startSession(change, claim, shape, page)
    return shape.type === 'flow' ? applyReport(to, session, report) : session
  }
  if (report.type === 'target_missing') reportMissing(to, claim, report.step)
  change.history.claims.set(claim.id, report.type === 'ended' ? undefined : { ...claim, sequence: report.sequence })
  return undefined
}

/** A first target that is missing is told once per user, version and day. */
function reportMissing(to: Reported, claim: ClaimRow, step: string): void {
  const { history, now } = to.change
  const state = history.states.get(claim.contentId) ?? emptyState(claim)
  const isKnown = state.missingVersionId === claim.versionId && Math.abs(now - (state.missingAt ?? 0)) < DAY_MS
  if (isKnown) return
  history.states.set(claim.contentId, { ...state, missingAt: now, missingVersionId: claim.versionId })
  const { contentName, versionNumber } = to.shape
  to.change.emit(missingEvent(to, { ...claim, contentName, versionNumber }, step))
}

/** A page of an older epoch does not hold it, also when it is in the browser that holds it again. */
function answerOf({ history, now }: Change, { id, holder, epoch }: ProgressCall): ProgressAnswer {
  const [claim, session] = [history.claims.get(id), history.sessions.get(id)]
  const isOwn = claim !== undefined && claim.holder === holder && (epoch ?? claim.epoch) === claim.epoch
  const isHolder = isOwn && isLive(claim, now)
  return {
    holder: isHolder,
    slot: isHolder && hasSlot(claim, now),
    sequence: session?.sequence ?? claim?.sequence ?? 0,
    state: session?.state ?? (claim ? 'active' : 'ended'),
  }
}
