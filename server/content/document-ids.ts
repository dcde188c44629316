import type { ContentDocument } from '../../contract/content/document.ts'
import { questionsOf } from '../../contract/content/validate.ts'
import { derivedId } from '../ids.ts'

/** The id of a step, a question or a task of one version. The key is the same in every version, the id is not. */
export function partId(versionId: string, kind: 'step' | 'question' | 'task', key: string): string {
  return derivedId(versionId, kind, key)
}

export function questionObjects(versionId: string, document: ContentDocument) {
  return questionsOf(document).map(({ block: { question, kind, label } }) => ({
    id: partId(versionId, 'question', question),
    object: 'question',
    cvid: question,
    name: label,
    type: kind,
  }))
}

export function taskObjects(versionId: string, document: ContentDocument) {
  const tasks = document.type === 'checklist' ? document.tasks : []
  return tasks.map(({ key, name }) => ({ id: partId(versionId, 'task', key), object: 'task', cvid: key, name }))
}
