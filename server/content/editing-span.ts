import { findLastEntry } from '../audit/queries.ts'
import type { Change } from './change.ts'

/** How long one entry in the audit log stands for what a member edits in a content. */
const SPAN_MS = 30 * 60_000

/**
 * Whether the log has an entry for this edit already. The editor saves while a member types: their first save begins a span, and
 * the others belong to it, until something else happens to the content or the span is over. Keys and commands save on purpose.
 */
export async function isInSpan({ db, origin: { actor }, at }: Change, contentId: string): Promise<boolean> {
  if (actor.kind !== 'member') return false
  const last = await findLastEntry(db, actor.accountId, contentId)
  return (
    last?.action === 'content.saved' && last.actor_id === actor.id && Date.parse(at) - Date.parse(last.at) < SPAN_MS
  )
}
