import type { RenderedContent, RenderedStep } from '../../../contract/content/rendered.ts'
import { hasQuestion } from '../widgets/blocks.ts'
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
  if (content.type !== 'flow') {
    const { AmbientRun } = await loadPart('ambient-run')
    return (session, stage) => new AmbientRun(session, stage)
  }
  const needsQuestions = content.steps.some((step: RenderedStep) => hasQuestion(step))
  const questions = needsQuestions ? await loadPart('questions') : null
  return (session, stage) => new FlowRun(session, stage, questions)
}
