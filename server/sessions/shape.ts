import type {
  Block,
  ContentDocument,
  ContentType,
  FlowDocument,
  QuestionBlock,
  When,
} from '../../contract/content/document.ts'
import { partId } from '../content/document-ids.ts'

/** What a session needs to know of its version. */
export interface VersionShape {
  readonly contentId: string
  /** Of this version. */
  readonly contentName: string
  readonly versionId: string
  readonly versionNumber: number
  readonly type: ContentType
  readonly when: When
  /** In their order. */
  readonly steps: readonly StepShape[]
  readonly questions: ReadonlyMap<string, QuestionBlock>
  readonly tasks: readonly TaskShape[]
  /** Of the target of a launcher, best first. */
  readonly locators: readonly string[]
}

export interface StepShape {
  readonly key: string
  /** In this version. */
  readonly id: string
  readonly isHidden: boolean
  /** Of its target, best first; none where it has no target. */
  readonly locators: readonly string[]
}

export interface TaskShape {
  readonly key: string
  /** Completed by a click: it has no condition. */
  readonly isClickable: boolean
}

interface Version {
  contentId: string
  contentName: string
  versionId: string
  versionNumber: number
}

export function shapeOf(version: Version, document: ContentDocument): VersionShape {
  return {
    ...version,
    type: document.type,
    when: document.when ?? {},
    steps: document.type === 'flow' ? document.steps.map((step) => stepShape(version.versionId, step)) : [],
    questions: new Map(questionsOf(document).map((question) => [question.question, question])),
    tasks:
      document.type === 'checklist'
        ? document.tasks.map(({ key, complete_when }) => ({ key, isClickable: complete_when === undefined }))
        : [],
    locators: document.type === 'launcher' ? document.target.locators : [],
  }
}

function stepShape(versionId: string, step: FlowDocument['steps'][number]): StepShape {
  const { key, type } = step
  const id = partId(versionId, 'step', key)
  return { key, id, isHidden: type === 'hidden', locators: type === 'tooltip' ? step.target.locators : [] }
}

function questionsOf(document: ContentDocument): QuestionBlock[] {
  const blocks: Block[] =
    document.type === 'flow'
      ? document.steps.flatMap((step) => (step.type === 'hidden' ? [] : step.blocks))
      : document.type === 'banner'
        ? document.blocks
        : []
  return blocks.filter((block): block is QuestionBlock => 'question' in block)
}
