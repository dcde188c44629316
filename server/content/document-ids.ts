import type { ContentDocument } from '../../contract/content/document.ts'
import { questionsOf } from '../../contract/content/validate.ts'
import { derivedId } from '../ids.ts'

const MOST_CACHED = 10_000
const known = new Map<string, string>()

/**
 * The id of a step, a question or a task of one version. The key is the same in every version, the id is not. Each claim asks
 * for those of all its parts: a look-up takes a tenth of the time of a hash.
 */
export function partId(versionId: string, kind: 'step' | 'question' | 'task', key: string): string {
  const name = `${versionId} ${kind} ${key}`
  const found = known.get(name)
  if (found !== undefined) return found
  const id = derivedId(versionId, kind, key)
  if (known.size >= MOST_CACHED) known.clear()
  known.set(name, id)
  return id
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
