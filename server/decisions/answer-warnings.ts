import type { DocumentProblem } from '../../contract/content/check.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { placedLeaves } from '../../contract/content/references.ts'
import { questionsOf } from '../../contract/content/validate.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'

/** Answers that a document compares though their content does not ask for them: a misspelt question is always missing. */
export async function answerWarnings(
  db: Reader,
  environmentId: EnvironmentId,
  document: ContentDocument,
): Promise<DocumentProblem[]> {
  const compared = placedLeaves(document).flatMap(({ leaf, path }) => ('answer' in leaf ? [{ leaf, path }] : []))
  if (compared.length === 0) return []
  const keys = [...new Set(compared.map(({ leaf }) => leaf.answer))]
  const asked = await findQuestions(db, environmentId, keys)
  return compared
    .filter(({ leaf }) => !asked.get(leaf.answer)?.has(leaf.question))
    .map(({ leaf, path }) => ({
      path: `${path}.question`,
      message: `neither the draft nor the published version of \`${leaf.answer}\` asks \`${leaf.question}\``,
    }))
}

/** The questions of the drafts and the published versions of some content, by its key. */
async function findQuestions(
  db: Reader,
  environmentId: EnvironmentId,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await db.query<{ key: string; document: string }>(
    `select content.key, version.document
       from content join content_versions as version
         on version.environment_id = content.environment_id
        and version.id in (content.draft_version_id, content.published_version_id)
      where content.environment_id = $1::int and content.key = any($2::text[])`,
    [environmentId, keys],
  )
  const questions = new Map<string, Set<string>>()
  for (const { key, document } of rows) {
    const asked = questionsOf(JSON.parse(document) as ContentDocument).map(({ block }) => block.question)
    questions.set(key, new Set([...(questions.get(key) ?? []), ...asked]))
  }
  return questions
}
