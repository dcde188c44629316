import type { PageDecision, PageSession } from '../../contract/sdk/protocol.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { decide } from '../decisions/decide.ts'
import type { ContentState } from '../decisions/states.ts'
import { errors } from '../errors.ts'
import { findOpenSessions } from '../history/find.ts'
import type { PublicSide } from './directory.ts'
import type { PublicParts } from './parts.ts'
import type { Visitor } from './visitor.ts'

/** What a visitor may see now. A page learns nothing of what it may not see. */
export async function decideFor(
  { decisions, services }: PublicParts,
  { environmentId, identity }: PublicSide,
  visitor: Visitor,
): Promise<PageDecision> {
  const { userId, userCreatedAt, groupId, browserId, isVerified, format } = visitor
  const page = { lacksProof: identity === 'required' && !isVerified, format, browserId }
  const call = { userId, groupId: groupId ?? undefined, page }
  const situation = await decisions.situation(environmentId, call)
  if (situation.facts.user?.createdAt !== userCreatedAt) throw errors.visitorExpired()
  const { content } = decide(situation, false)
  const active = situation.standing.states.filter(({ activeSessionId }) => activeSessionId !== null)
  const sessions = active.length === 0 ? [] : await openSessions(services.database, environmentId, visitor, active)
  return { object: 'decision', content, sessions, stream: situation.environment.content.length > 0 }
}

/** The sessions that the page may resume, or must not show because another browser does. */
async function openSessions(
  database: Database,
  environmentId: EnvironmentId,
  { userId, browserId }: Visitor,
  active: readonly ContentState[],
): Promise<PageSession[]> {
  const holders = new Map(active.map(({ activeSessionId, holder }) => [activeSessionId, holder]))
  const [rows = []] = await findOpenSessions(database, ofOne(environmentId, [userId]))
  return rows
    .filter(({ id, overBecause }) => holders.has(id) && overBecause === null)
    .map(({ id, contentId, versionId, type, tasks }) => {
      const holder = holders.get(id) ?? null
      const held = holder === null ? 'free' : holder === browserId ? 'here' : 'elsewhere'
      return { id, content_id: contentId, version_id: versionId, slot: type, held, outcomes: [], tasks: [...tasks] }
    })
}
