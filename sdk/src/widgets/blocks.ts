import type { RenderedBlock } from '../../../contract/content/rendered.ts'
import type { AnswerValue } from '../../../contract/sdk/protocol.ts'
import { safeSource } from './address.ts'
import { element } from './element.ts'
import type { WidgetHost } from './host.ts'
import { inlines, paragraphs } from './text.ts'

export type QuestionBlock = Extract<RenderedBlock, { question: string }>

/** A question that is drawn. The file that draws it is loaded when a content has one. */
export interface QuestionField {
  readonly key: string
  readonly element: HTMLElement
  /** Null: not answered. */
  value(): AnswerValue | null
  /** Says that an answer is needed, and moves the focus to it. */
  complain(): void
  readonly isRequired: boolean
}

/** The part that draws questions and videos. */
export interface QuestionPart {
  drawQuestion(block: QuestionBlock, answer: AnswerValue | undefined): QuestionField
  drawVideo(source: string, title: string): HTMLElement[]
  questionStyles: string
}

/** A launcher has no blocks. */
export function needsPart({ blocks = [] }: { blocks?: readonly RenderedBlock[] }): boolean {
  return blocks.some((block) => 'question' in block || 'video' in block)
}

export function hasQuestion({ blocks }: { blocks: readonly RenderedBlock[] }): boolean {
  return blocks.some((block) => 'question' in block)
}

export interface DrawnBlocks {
  elements: HTMLElement[]
  fields: QuestionField[]
}

/** `headingId` goes to the first heading, which names the widget. */
export function drawBlocks(
  blocks: readonly RenderedBlock[],
  host: WidgetHost,
  headingId: string,
  part: QuestionPart | null,
  answers: ReadonlyMap<string, AnswerValue>,
): DrawnBlocks {
  const fields: QuestionField[] = []
  let isNamed = false
  const draw = (block: RenderedBlock): HTMLElement[] => {
    if ('heading' in block) {
      const heading = element('h3', isNamed ? {} : { id: headingId, tabindex: '-1' }, ...inlines(block.heading, host))
      isNamed = true
      return [heading]
    }
    if ('text' in block) return paragraphs(block.text, host)
    if ('image' in block) return image(block.image, block.alt)
    if ('divider' in block) return [element('hr')]
    if (!part) return []
    if ('video' in block) return part.drawVideo(block.video, block.title)
    const field = part.drawQuestion(block, answers.get(block.question))
    fields.push(field)
    return [field.element]
  }
  const elements = blocks.flatMap((block, index) => {
    const drawn = draw(block)
    for (const one of drawn) one.dataset.block = String(index)
    return drawn
  })
  return { elements, fields }
}

function image(source: string, alt: string): HTMLElement[] {
  const src = safeSource(source)
  return src ? [element('img', { class: 'pic', src, alt, referrerpolicy: 'no-referrer', decoding: 'async' })] : []
}
