import type { Names } from '../../../contract/conditions/sentence.ts'
import { conditionWords } from '../../../contract/content/differences.ts'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { questionsOf } from '../../../contract/content/validate.ts'
import { counted } from '../../counted.ts'

/** `6 steps`, `1 question`, `Top of the page`: the second line of a content in lists. */
export function sizeWords(document: ContentDocument): string {
  switch (document.type) {
    case 'flow': {
      const questions = questionsOf(document).length
      return document.steps.length === 1 && questions > 0
        ? counted(questions, 'question')
        : counted(document.steps.length, 'step')
    }
    case 'checklist':
      return counted(document.tasks.length, 'task')
    case 'banner':
      return document.position === 'bottom' ? 'Bottom of the page' : 'Top of the page'
    case 'launcher':
      return document.target.locators[0] ?? 'No element yet'
  }
}

export function whoWords({ who }: ContentDocument, names: Names): string {
  return who ? conditionWords(who, names) : 'Everyone'
}
