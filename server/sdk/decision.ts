import type { PageDecision } from '../../contract/sdk/protocol.ts'
import { decide } from '../decisions/decide.ts'
import { errors } from '../errors.ts'
import type { PublicSide } from './directory.ts'
import type { PublicParts } from './parts.ts'
import type { Visitor } from './visitor.ts'

/** What a visitor may see now. A page learns nothing of what it may not see. */
export async function decideFor(
  { decisions }: PublicParts,
  { environmentId, identity }: PublicSide,
  { userId, userCreatedAt, groupId, browserId, isVerified, format }: Visitor,
): Promise<PageDecision> {
  const page = { lacksProof: identity === 'required' && !isVerified, format, browserId }
  const call = { userId, groupId: groupId ?? undefined, page }
  const situation = await decisions.situation(environmentId, call)
  if (situation.facts.user?.createdAt !== userCreatedAt) throw errors.visitorExpired()
  const { content } = decide(situation, false)
  return { object: 'decision', content, sessions: [], stream: situation.environment.content.length > 0 }
}
