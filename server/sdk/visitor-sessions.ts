import type { ContentDocument } from '../../contract/content/document.ts'
import type { Claim, ProgressAnswer, RenewAnswer, Report } from '../../contract/sdk/protocol.ts'
import type { ClaimBody, ProgressBody, ReleaseBody, RenewBody, StartBody } from '../../contract/sdk/requests.ts'
import { errors } from '../errors.ts'
import { isHeldBy } from '../history/held.ts'
import { storedId } from '../ids.ts'
import { ledTo } from '../sessions/hand-out.ts'
import { lookAt } from '../sessions/look.ts'
import type { ClaimRequest } from '../sessions/sessions.ts'
import type { VisitorCaller } from './admission.ts'
import { bytesOf } from './allowances.ts'
import { decideOneFor } from './decision.ts'
import type { PublicParts } from './parts.ts'
import { shownTo } from './shown-attributes.ts'

/**
 * Claims what the decision of this moment lets the visitor see, or resumes one of its sessions. Any other content gets the
 * answer of one that does not exist.
 */
export async function claim(
  parts: PublicParts,
  caller: VisitorCaller,
  { content: name, version_id, session }: ClaimBody,
  requestId: string,
): Promise<Claim> {
  const { side, visitor } = caller
  const sessionId = session == null ? undefined : storedId(session)
  const { decided, sessions } = await decideOneFor(parts, side, visitor, name)
  const active = sessions.find(({ id, contentId }) =>
    sessionId === undefined ? contentId === decided?.content.id : id === sessionId,
  )
  if (sessionId !== undefined && !active) throw errors.notFound('Content session', sessionId)
  const shownId = decided?.receipt.outcome === 'show' ? decided.content.id : undefined
  const contentId = active?.contentId ?? shownId
  if (contentId === undefined) throw errors.notFound('Content', name)
  return await claimContent(parts, caller, {
    content: contentId,
    versionId: version_id == null ? undefined : storedId(version_id),
    sessionId,
    reason: 'auto',
    requestId,
    led: decided?.content.id === contentId ? ledTo(decided) : undefined,
  })
}

/** Starts content that pages may start, or that content of this page starts. */
export async function start(
  parts: PublicParts,
  caller: VisitorCaller,
  { content: name, once, from_session }: StartBody,
  requestId: string,
): Promise<Claim> {
  const { side, visitor } = caller
  const { versions } = parts.sessions
  const found = await versions.content(side.environmentId, name)
  const versionId = found?.publishedVersionId ?? undefined
  const version = versionId === undefined ? undefined : await versions.version(side.environmentId, versionId)
  const isRefused = side.identity === 'required' && !visitor.isVerified
  const mayStart =
    version !== undefined &&
    !isRefused &&
    (version.document.startable === true ||
      (await isStartedBy(parts, caller, version.document, from_session && storedId(from_session))))
  if (!found || !mayStart) throw errors.notFound('Content', name)
  return await claimContent(parts, caller, {
    content: found.id,
    once: once ?? false,
    reason: 'manual',
    requestId,
  })
}

/** Whether a session that this browser holds has an action that starts the content. */
async function isStartedBy(
  { services, sessions }: PublicParts,
  { side: { environmentId }, visitor }: VisitorCaller,
  { key }: ContentDocument,
  sessionId: string | null | undefined,
): Promise<boolean> {
  const run = sessionId ? await sessions.runs.find(environmentId, sessionId) : undefined
  if (!sessionId || run?.userId !== visitor.userId) return false
  const version = await sessions.versions.version(environmentId, run.versionId)
  if (!version || !startsIn(version.document).has(key)) return false
  return await isHeldBy(services.database, environmentId, sessionId, visitor.browserId)
}

/** The keys of the content that the actions of a document start. */
function startsIn(document: ContentDocument): ReadonlySet<string> {
  const keys = new Set<string>()
  JSON.stringify(document, (name, value: unknown) => {
    const action = value as { start?: unknown } | null
    if (typeof action === 'object' && action !== null && typeof action.start === 'string') keys.add(action.start)
    return name === 'blocks' ? undefined : value
  })
  return keys
}

async function claimContent(
  { sessions, services }: PublicParts,
  { side, visitor }: VisitorCaller,
  request: Pick<ClaimRequest, 'content' | 'versionId' | 'sessionId' | 'reason' | 'once' | 'requestId' | 'led'>,
): Promise<Claim> {
  const { environmentId } = side
  const { userId, userCreatedAt, browserId, groupId } = visitor
  const shown = await shownTo(services.database, environmentId, visitor)
  const of = { userId, userCreatedAt, holder: browserId, groupId, isPage: true }
  return await sessions.claim(environmentId, { ...request, ...of }, shown)
}

export async function renew(
  { sessions }: PublicParts,
  caller: VisitorCaller,
  { id, epoch }: RenewBody,
  requestId: string,
): Promise<RenewAnswer> {
  return await sessions.renew(caller.side.environmentId, { id: storedId(id), epoch, ...holderOf(caller), requestId })
}

export async function release(
  { sessions }: PublicParts,
  caller: VisitorCaller,
  { id, epoch }: ReleaseBody,
  requestId: string,
): Promise<{ released: true }> {
  await sessions.release(caller.side.environmentId, { id: storedId(id), epoch, ...holderOf(caller), requestId })
  return { released: true }
}

export async function progress(
  parts: PublicParts,
  caller: VisitorCaller,
  { id, epoch, reports, page }: ProgressBody,
  requestId: string,
): Promise<ProgressAnswer> {
  const { environmentId } = caller.side
  parts.limits.takeAddress(caller.address, Math.max(0, reports.length - 1))
  parts.allowances.takeReports(environmentId, reports.length, bytesOf(reports))
  const { holder, ...user } = holderOf(caller)
  const request = { id: storedId(id), epoch, reports, page: page ?? undefined, holder, ...user, requestId }
  const { answer, session } = await parts.sessions.progress(environmentId, request)
  parts.services.metrics.guidance.reported(reports)
  const isShown = session?.type === 'checklist' && session.endedAt === null && reports.some(isBeginning)
  if (!isShown) return answer
  const looked = await lookAt(parts, environmentId, session, { ...user, requestId })
  return { ...answer, state: looked.session.state }
}

/** A checklist that begins has tasks that may be done already. */
const isBeginning = ({ type }: Report) => type === 'shown'

function holderOf({ visitor: { userId, userCreatedAt, browserId } }: VisitorCaller) {
  return { userId, userCreatedAt, holder: browserId }
}
