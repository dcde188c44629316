import type { EndReason, PageInfo } from '../../contract/sdk/protocol.ts'
import type { SessionRow, StateRow } from '../history/rows.ts'
import { sessionAfter } from '../history/states.ts'
import { type Change, timeOf } from '../history/user-history.ts'
import { completedEvents, endedEvents, internalEvent } from './internal-events.ts'

/** What a user does to end it. Every other end happens to the user. */
const dismissals: ReadonlySet<EndReason> = new Set(['close_button', 'backdrop', 'escape', 'button', 'advance'])

/**
 * Ends a session and its claim. After this nothing of it changes. Only what a page reports is activity.
 */
export function endSession(change: Change, session: SessionRow, reason: EndReason, page?: PageInfo): SessionRow {
  const { history, now } = change
  const at = timeOf(change, session)
  const state = sessionAfter(session.state, dismissals.has(reason) ? 'dismiss' : 'stop')
  const ended: SessionRow = { ...session, state, endedAt: at, endReason: reason }
  history.sessions.set(session.id, ended)
  history.claims.set(session.id, undefined)
  changeState(change, session, (before) => ({
    ...before,
    ...inactive(before, session),
    lastEndedAt: quietSince(before, session, reason, now),
    dismissedAt: state === 'dismissed' ? at : before.dismissedAt,
  }))
  const values = session.type === 'flow' ? { flow_end_reason: reason } : {}
  change.emit(internalEvent(endedEvents[session.type], ended, values, page))
  return ended
}

/**
 * When the last quiet period begins. An end by its publisher begins none. One without activity was over for its user when they
 * left it, long before it ends.
 */
function quietSince(before: StateRow, session: SessionRow, reason: EndReason, now: number): number | null {
  if (session.overBecause) return before.lastEndedAt
  return reason === 'expired' ? session.lastActivityAt : now
}

/** A completed session may still be on the screen, and is not resumed when it has left it. */
export function completeSession(change: Change, session: SessionRow, page?: PageInfo): SessionRow {
  if (session.completedAt !== null) return session
  const completedAt = timeOf(change, session)
  const completed: SessionRow = { ...session, state: sessionAfter(session.state, 'complete'), completedAt }
  change.history.sessions.set(session.id, completed)
  changeState(change, session, (before) => ({ ...before, ...inactive(before, session), completedAt }))
  const name = completedEvents[session.type]
  if (name) change.emit(internalEvent(name, completed, {}, page))
  return completed
}

function inactive({ activeSessionId }: StateRow, { id }: SessionRow): Pick<StateRow, 'activeSessionId'> {
  return { activeSessionId: activeSessionId === id ? null : activeSessionId }
}

/** A session that stopped counting has no state any more. */
function changeState({ history }: Change, { contentId }: SessionRow, next: (before: StateRow) => StateRow): void {
  const before = history.states.get(contentId)
  if (before) history.states.set(contentId, next(before))
}
