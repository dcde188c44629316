import type { RenderedStep } from '../../../contract/content/rendered.ts'
import { hasQuestion } from '../widgets/blocks.ts'
import { FlowRun } from './flow-run.ts'
import { loadPart } from './parts.ts'
import type { Session } from './session.ts'
import type { Run, Stage } from './stage.ts'

/** The run of a session, by the type of its content. What the first tooltip does not need is loaded when it is needed. */
export async function drawRun(session: Session, stage: Stage): Promise<Run> {
  const { document: content } = session.claim
  if (content.type === 'checklist') return new (await loadPart('checklist-run')).ChecklistRun(session, stage)
  if (content.type !== 'flow') return new (await loadPart('ambient-run')).AmbientRun(session, stage)
  const needsQuestions = content.steps.some((step: RenderedStep) => hasQuestion(step))
  return new FlowRun(session, stage, needsQuestions ? await loadPart('questions') : null)
}
