import type { Visitor } from '../identity/visitor.ts'
import type { Run } from './stage.ts'

/** The outcomes of a session, by its document, which is handed out again. */
export async function readOutcomes(run: Run, visitor: Visitor): Promise<void> {
  const { content_id, version_id, id, epoch } = run.session.claim
  const answer = await visitor.call('claim', { content: content_id, version_id, session: id })
  if (!answer.ok || answer.data.epoch !== epoch) return
  run.session.outcomes = answer.data.document.outcomes ?? []
  run.changed()
}
