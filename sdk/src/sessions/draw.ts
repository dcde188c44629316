import type { RenderedContent } from '../../../contract/content/rendered.ts'
import { needsPart } from '../widgets/blocks.ts'
import { FlowRun } from './flow-run.ts'
import { loadPart } from './parts.ts'
import type { Session } from './session.ts'
import type { Run, Stage } from './stage.ts'

/** What begins the run of a content, by its type. What the first tooltip does not need is loaded when it is needed. */
export async function loadRun(content: RenderedContent): Promise<(session: Session, stage: Stage) => Run> {
  if (content.type === 'checklist') {
    const { ChecklistRun } = await loadPart('checklist-run')
    return (session, stage) => new ChecklistRun(session, stage)
  }
  const isFlow = content.type === 'flow'
  const part = (isFlow ? content.steps : [content]).some(needsPart) ? await loadPart('questions') : null
  if (isFlow) return (session, stage) => new FlowRun(session, stage, part)
  const { AmbientRun } = await loadPart('ambient-run')
  return (session, stage) => new AmbientRun(session, stage, part)
}
