import type { ContentType } from '../../../contract/content/document.ts'
import type { DecidedContent } from '../../../contract/content/rendered.ts'
import type { PageSession } from '../../../contract/sdk/protocol.ts'
import type { Run } from './stage.ts'

/** What is asked for: a session to go on with, or a content to begin. */
export type Wish = { slot: ContentType; place: string } & (
  | { kind: 'return'; run: Run }
  | { kind: 'resume'; session: PageSession }
  | { kind: 'begin'; content: DecidedContent }
)

/** What holds one thing: a slot, or each launcher. */
export function placeOf(slot: ContentType, contentId: string): string {
  return slot === 'launcher' ? `launcher ${contentId}` : slot
}

export function placeOfRun(run: Run): string {
  return placeOf(run.slot, run.session.claim.content_id)
}

export function keyOf(wish: Wish): string {
  if (wish.kind === 'begin') return keyOfContent(wish.content.id, wish.content.version_id)
  return wish.kind === 'resume' ? wish.session.id : wish.run.session.id
}

export function keyOfContent(id: string, versionId: string): string {
  return `${id} ${versionId}`
}

export function claimBody(wish: Wish) {
  if (wish.kind === 'begin') return { content: wish.content.id, version_id: wish.content.version_id }
  const { content_id, version_id, id } = wish.kind === 'resume' ? wish.session : wish.run.session.claim
  return { content: content_id, version_id, session: id }
}
