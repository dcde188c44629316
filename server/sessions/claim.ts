import type { Attributes } from '../../contract/attributes.ts'
import { LEASE_SECONDS } from '../../contract/sdk/protocol.ts'
import { type ApiError, errors } from '../errors.ts'
import type { ClaimRow, SessionRow, StartReason } from '../history/rows.ts'
import { claimAfter } from '../history/states.ts'
import { type Change, type CreationTimes, isLive } from '../history/user-history.ts'
import { endSession } from './end.ts'
import { type GuidanceFacts, publishedClosed, seenClosed, slotClosed, startClosed, versionClosed } from './gates.ts'
import type { VersionShape } from './shape.ts'
import { isSameSlot, slotHolder } from './slots.ts'

export interface ClaimCall {
  /** Of the version that is to be shown; of a session that is resumed, its own. */
  readonly shape: VersionShape
  readonly groupId: string | null
  readonly holder: string
  readonly reason: StartReason
  /** Of a start by hand: only if the user has never seen it. */
  readonly once: boolean
  /** Resume this session, and start nothing else. */
  readonly sessionId?: string | undefined
  /** The decision that led to it, and when the user and the group were created that it was made for. */
  readonly receiptJson: string | null
  readonly decidedFor?: CreationTimes | undefined
}

/** The claim, and the session when it is resumed. */
export interface Claimed {
  readonly claim: ClaimRow
  readonly session: SessionRow | undefined
  /** What the transaction has read of whom it is for. */
  readonly known?: KnownAttributes | undefined
}

/** The attributes of a user and its group. Undefined is not known. */
export interface KnownAttributes {
  readonly user: Attributes | undefined
  readonly group: Attributes | undefined
}

/** Gives the right to show a content to one browser, or says which gate is closed. */
export function applyClaim(change: Change, call: ClaimCall, facts: GuidanceFacts): Claimed | ApiError {
  const closed = publishedClosed(facts)
  if (closed) return closed
  const refused = refusal(change, call, facts)
  if (refused) return refused
  const active = activeSession(change, call)
  if (active && mayResume(change, call, active)) return resume(change, call, active)
  const own = ownClaim(change, call)
  if (own) return { claim: renewed(change, own), session: undefined }
  if (call.reason === 'manual') replaceOthers(change, call.shape)
  const outdated = outdatedClaim(change, call)
  if (outdated) change.history.claims.set(outdated.id, undefined)
  return { claim: newClaim(change, call, facts), session: undefined }
}

/** Asked before anything is changed. */
function refusal(change: Change, call: ClaimCall, facts: GuidanceFacts): ApiError | undefined {
  const { history, now } = change
  const { shape } = call
  const active = activeSession(change, call)
  if (call.sessionId !== undefined && !active) return errors.notFound('Content session', call.sessionId)
  if (active && mayResume(change, call, active)) return resumeRefusal(change, call, active)
  const version = versionClosed(facts, shape.versionId)
  if (version || ownClaim(change, call)) return version
  if (call.reason === 'manual') return call.once ? seenClosed(history, shape) : undefined
  return startClosed(history, shape, facts, now, outdatedClaim(change, call)?.id)
}

/** The session of the content that is under way. */
function activeSession({ history }: Change, { shape, sessionId }: ClaimCall): SessionRow | undefined {
  const id = sessionId ?? history.states.get(shape.contentId)?.activeSessionId
  const session = id ? history.sessions.get(id) : undefined
  return session?.state === 'active' && session.overBecause === null ? session : undefined
}

/** A start by hand begins anew, unless this very browser shows it already, or can show it again at once. */
function mayResume({ history, now }: Change, { reason, holder, sessionId }: ClaimCall, session: SessionRow): boolean {
  if (reason === 'auto' || sessionId !== undefined) return true
  const claim = history.claims.get(session.id)
  if (claim?.holder !== holder || !isLive(claim, now)) return false
  return slotHolder(history, session, now, session.id) === undefined
}

function resumeRefusal({ history, now }: Change, { holder }: ClaimCall, session: SessionRow): ApiError | undefined {
  const claim = history.claims.get(session.id)
  if (claim && claim.holder !== holder && isLive(claim, now))
    return errors.gateClosed('shown_elsewhere', `Another browser of the user shows this ${session.type}.`)
  return slotClosed(history, session, now, session.id)
}

/** The epoch rises with each change of the holder: reports of the one before count no more. */
function resume(change: Change, { holder }: ClaimCall, session: SessionRow): Claimed {
  const { history, now } = change
  const before = history.claims.get(session.id)
  const epoch = before?.holder === holder ? session.epoch : session.epoch + 1
  const claim: ClaimRow = {
    ...claimOf(session),
    ...{ holder, epoch, createdAt: before?.createdAt ?? change.createdAt },
    state: claimAfter(before?.state ?? 'released', 'resume'),
    leaseUntil: leaseEnd(now),
  }
  const resumed = { ...session, epoch }
  history.claims.set(claim.id, claim)
  if (epoch !== session.epoch) history.sessions.set(session.id, resumed)
  return { claim, session: resumed }
}

function claimOf({ id, userId, contentId, versionId, type, groupId, sequence, reason }: SessionRow) {
  return {
    id,
    userId,
    contentId,
    versionId,
    type,
    groupId,
    sequence,
    reason,
    hiddenAt: null,
    receiptJson: null,
    isOver: false,
  }
}

/** A claim that this browser has and has not shown yet: the answer to it may have been lost. */
function ownClaim(change: Change, call: ClaimCall): ClaimRow | undefined {
  return unseenClaim(change, call, (claim) => isCurrent(claim, call) && claim.reason === call.reason)
}

/** The same of a version before, or for another group. It must not keep this browser from what is decided now. */
function outdatedClaim(change: Change, call: ClaimCall): ClaimRow | undefined {
  return unseenClaim(change, call, (claim) => claim.contentId === call.shape.contentId && !isCurrent(claim, call))
}

/** Only a session keeps its version and its group. */
function isCurrent({ versionId, groupId }: ClaimRow, call: ClaimCall): boolean {
  return versionId === call.shape.versionId && groupId === call.groupId
}

function unseenClaim(
  { history, now }: Change,
  { holder }: ClaimCall,
  isMeant: (claim: ClaimRow) => boolean,
): ClaimRow | undefined {
  return [...history.claims.values()].find(
    (claim) => claim.state === 'claimed' && claim.holder === holder && isLive(claim, now) && isMeant(claim),
  )
}

function renewed({ history, now }: Change, claim: ClaimRow): ClaimRow {
  const next = { ...claim, leaseUntil: leaseEnd(now) }
  history.claims.set(claim.id, next)
  return next
}

/** Removes claims that ended with their lease, and ends what its publisher let end. Done before every job. */
export function tidy(change: Change): void {
  const { history, now } = change
  for (const claim of [...history.claims.values()])
    if (claim.state === 'claimed' && (claim.isOver || !isLive(claim, now))) history.claims.set(claim.id, undefined)
  for (const session of [...history.sessions.values()])
    if (session.overBecause && session.endedAt === null) endSession(change, session, session.overBecause)
}

/** A start by hand ends what runs in its slot. */
function replaceOthers(change: Change, shape: VersionShape): void {
  const { history } = change
  for (const session of [...history.sessions.values()])
    if (session.endedAt === null && isSameSlot(session, shape)) endSession(change, session, 'replaced')
  for (const claim of [...history.claims.values()])
    if (claim.state === 'claimed' && isSameSlot(claim, shape)) history.claims.set(claim.id, undefined)
}

/** Its time is by the clock of the database, as is that of a publication, and not before the one that it follows. */
function newClaim(change: Change, call: ClaimCall, { endsBefore }: GuidanceFacts): ClaimRow {
  const { shape, groupId, holder, reason, receiptJson } = call
  const { history, now } = change
  const { contentId, versionId, type } = shape
  const claim: ClaimRow = {
    ...{ id: change.newId(), userId: history.userId, contentId, versionId, type, groupId, holder, reason },
    epoch: 1,
    sequence: 0,
    state: 'claimed',
    leaseUntil: leaseEnd(now),
    hiddenAt: null,
    receiptJson,
    createdAt: Math.max(now, endsBefore ?? 0),
    isOver: false,
  }
  history.claims.set(claim.id, claim)
  return claim
}

export const leaseEnd = (now: number) => now + LEASE_SECONDS * 1000
