import type { PageDecision } from '../../contract/sdk/protocol.ts'
import type { PublicSide } from './directory.ts'
import type { PublicParts } from './parts.ts'
import type { Visitor } from './visitor.ts'

/** What a visitor may see now. */
export async function decideFor(_parts: PublicParts, _side: PublicSide, _visitor: Visitor): Promise<PageDecision> {
  return { object: 'decision', content: [], sessions: [], stream: false }
}
