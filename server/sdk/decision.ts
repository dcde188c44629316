import type { DecideAnswer, PageDecision, PageSession } from '../../contract/sdk/protocol.ts'
import { ofOne } from '../database/parts.ts'
import { decide } from '../decisions/decide.ts'
import type { DecidedPublished } from '../decisions/decisions.ts'
import type { Standing } from '../decisions/states.ts'
import { errors } from '../errors.ts'
import { findOpenSessions } from '../history/find.ts'
import type { SessionRow } from '../history/rows.ts'
import { lookAt } from '../sessions/look.ts'
import type { VisitorCaller } from './admission.ts'
import type { PublicSide } from './directory.ts'
import type { PublicParts } from './parts.ts'
import { isDueForRenewal, signVisitor, type Visitor } from './visitor.ts'

/** What a visitor may see now. A page learns nothing of what it may not see. */
export async function decideFor(parts: PublicParts, side: PublicSide, visitor: Visitor): Promise<PageDecision> {
  const situation = await parts.decisions.situation(side.environmentId, callOf(side, visitor))
  if (situation.facts.user?.createdAt !== visitor.userCreatedAt) throw errors.visitorExpired()
  const { content } = decide(situation, false)
  parts.services.metrics.guidance.decided(content.length > 0)
  const sessions = await openSessions(parts, side, visitor, situation.standing)
  return { object: 'decision', content, sessions, stream: situation.environment.content.length > 0 }
}

function callOf({ identity }: PublicSide, { userId, groupId, browserId, isVerified, format }: Visitor) {
  const page = { lacksProof: identity === 'required' && !isVerified, format, browserId }
  return { userId, groupId: groupId ?? undefined, page }
}

/** What a claim has to know of one content: whether the visitor may see it now, and which sessions are under way. */
export interface OneDecision {
  readonly decided: DecidedPublished | undefined
  readonly sessions: readonly { id: string; contentId: string }[]
}

/** Decides about one published content, by its key or its id: it reads less than a decision about all. */
export async function decideOneFor(
  { decisions, services }: PublicParts,
  side: PublicSide,
  visitor: Visitor,
  content: string,
): Promise<OneDecision> {
  const { facts, standing, decided } = await decisions.decidePublished(
    side.environmentId,
    callOf(side, visitor),
    content,
  )
  if (facts.user?.createdAt !== visitor.userCreatedAt) throw errors.visitorExpired()
  services.metrics.guidance.decided(decided?.receipt.outcome === 'show')
  const active = standing.isOff ? [] : standing.states
  return {
    decided,
    sessions: active.flatMap(({ activeSessionId: id, contentId }) => (id === null ? [] : { id, contentId })),
  }
}

/** Answers a page that asks again. A page that stays open gets a new token in time. */
export async function decideAgain(parts: PublicParts, { side, visitor }: VisitorCaller): Promise<DecideAnswer> {
  const decision = await decideFor(parts, side, visitor)
  const now = parts.services.now()
  if (!isDueForRenewal(visitor, now)) return decision
  return { ...decision, visitor: signVisitor(side.visitorKey, side.environmentId, visitor, now) }
}

/** The sessions that the page may resume, or must not show because another browser does. None while content is switched off. */
async function openSessions(
  parts: PublicParts,
  { environmentId }: PublicSide,
  { userId, userCreatedAt, browserId }: Visitor,
  standing: Standing,
): Promise<PageSession[]> {
  const active = standing.states.filter(({ activeSessionId }) => activeSessionId !== null)
  if (standing.isOff || active.length === 0) return []
  const holders = new Map(active.map(({ activeSessionId, holder }) => [activeSessionId, holder]))
  const [rows = []] = await findOpenSessions(parts.services.database, ofOne(environmentId, [userId]))
  const open = rows.filter(({ id, overBecause }) => holders.has(id) && overBecause === null)
  const of = { userId, userCreatedAt }
  const looked = await Promise.all(open.map((session) => lookAt(parts, environmentId, session, of, standing)))
  return looked.map(({ session, outcomes }) => ({
    ...shownSession(session, holders.get(session.id) ?? null, browserId),
    outcomes: [...outcomes],
  }))
}

function shownSession(
  { id, contentId, versionId, type, tasks }: SessionRow,
  holder: string | null,
  browserId: string,
): Omit<PageSession, 'outcomes'> {
  const held = holder === null ? 'free' : holder === browserId ? 'here' : 'elsewhere'
  return { id, content_id: contentId, version_id: versionId, slot: type, held, tasks: [...tasks] }
}
