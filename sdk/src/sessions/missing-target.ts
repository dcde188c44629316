import type { DecidedContent } from '../../../contract/content/rendered.ts'
import { LAUNCHER_STEP } from '../../../contract/sdk/protocol.ts'
import type { Visitor } from '../identity/visitor.ts'
import type { Page } from '../page/page.ts'
import type { Stage } from './stage.ts'

/** A first target that stays away is told by a claim that is given up at once and leaves no trace. */
export async function reportMissing(
  { id, version_id, target }: DecidedContent,
  visitor: Visitor,
  page: Page,
  stage: Stage,
): Promise<void> {
  const found = page.find(target?.locators ?? [])
  if (found.element) return
  const answer = await visitor.call('claim', { content: id, version_id })
  if (!answer.ok || answer.data.progress) return
  const { document } = answer.data
  const step = document.type === 'flow' ? document.steps[0]?.key : LAUNCHER_STEP
  if (step === undefined) return
  const { id: claim, epoch, sequence } = answer.data
  const reports = [{ sequence: sequence + 1, type: 'target_missing' as const, step, matches: found.matches }]
  await visitor.call('progress', { id: claim, epoch, reports, page: page.info() })
  await visitor.call('release', { id: claim, epoch })
  stage.emit('missing', document.type === 'flow' ? { flow: { id }, step: { key: step } } : { launcher: { id } })
}
