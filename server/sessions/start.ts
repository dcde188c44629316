import type { PageInfo } from '../../contract/sdk/protocol.ts'
import type { ClaimRow, SessionRow, StateRow } from '../history/rows.ts'
import { claimAfter } from '../history/states.ts'
import { type Change, isLive } from '../history/user-history.ts'
import { endSession } from './end.ts'
import { internalEvent, startedEvents } from './internal-events.ts'
import type { VersionShape } from './shape.ts'
import { isSameSlot } from './slots.ts'

/** Makes a session of a claim: from now on it counts. */
export function startSession(change: Change, claim: ClaimRow, shape: VersionShape, page?: PageInfo): SessionRow {
  const { history } = change
  endLeftOver(change, claim)
  const session = newSession(change, claim, shape)
  history.sessions.set(session.id, session)
  history.claims.set(claim.id, { ...claim, state: claimAfter(claim.state, 'see'), hiddenAt: null, receiptJson: null })
  // By the clock of the database, whatever that of the node says.
  const at = Math.max(change.now, claim.createdAt)
  history.states.set(claim.contentId, startedState(history.states.get(claim.contentId), claim, at))
  for (const name of startedEvents[shape.type]) {
    const reason = name === 'flow_started' ? { flow_start_reason: claim.reason } : {}
    change.emit(internalEvent(name, session, reason, page))
  }
  return session
}

/**
 * A completed session that nobody holds is on no screen, and is never resumed. Without this a user would have ever more open
 * sessions of a content that is shown always, which each of its jobs reads.
 */
function endLeftOver(change: Change, claim: ClaimRow): void {
  const { history, now } = change
  for (const session of [...history.sessions.values()]) {
    if (session.completedAt === null || session.endedAt !== null || !isSameSlot(session, claim)) continue
    const held = history.claims.get(session.id)
    if (!held || !isLive(held, now)) endSession(change, session, 'replaced')
  }
}

function newSession({ now, ...change }: Change, claim: ClaimRow, shape: VersionShape): SessionRow {
  const createdAt = Math.max(change.createdAt, claim.createdAt)
  const { id, userId, contentId, versionId, type, groupId, reason, epoch, sequence, receiptJson } = claim
  return {
    ...{ id, userId, contentId, versionId, type, groupId, reason, epoch, sequence, receiptJson, createdAt },
    state: 'active',
    step: null,
    progress: null,
    steps: [],
    tasks: [],
    launcherActivated: false,
    counts: true,
    lastActivityAt: Math.max(now, createdAt),
    completedAt: null,
    endedAt: null,
    endReason: null,
    overBecause: null,
    contentName: shape.contentName,
    versionNumber: shape.versionNumber,
  }
}

export function emptyState({ contentId, type }: Pick<ClaimRow, 'contentId' | 'type'>): StateRow {
  return {
    contentId,
    type,
    started: 0,
    firstStartedAt: null,
    lastStartedAt: null,
    previousStartedAt: null,
    completedAt: null,
    dismissedAt: null,
    lastEndedAt: null,
    activeSessionId: null,
    missingAt: null,
    missingVersionId: null,
  }
}

function startedState(before: StateRow | undefined, claim: ClaimRow, at: number): StateRow {
  const state = before ?? emptyState(claim)
  return {
    ...state,
    started: state.started + 1,
    firstStartedAt: state.firstStartedAt ?? at,
    lastStartedAt: at,
    previousStartedAt: state.lastStartedAt,
    activeSessionId: claim.id,
  }
}
