import type { PageDecision } from '../../contract/sdk/protocol.ts'
import type { PublicSide } from './directory.ts'
import type { PublicParts } from './parts.ts'
import type { Visitor } from './visitor.ts'

/** What a visitor may see now. */
export async function decideFor(
  { decisions }: PublicParts,
  { environmentId, identity }: PublicSide,
  { userId, groupId, isVerified, format, browserId }: Visitor,
): Promise<PageDecision> {
  const page = { lacksProof: identity === 'required' && !isVerified, format, browserId }
  const { content } = await decisions.decide(environmentId, { userId, groupId: groupId ?? undefined, page })
  return { object: 'decision', content, sessions: [], stream: false }
}
