import type { Condition, Leaf } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import type { DocumentProblem } from '../../contract/content/check.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { questionsOf } from '../../contract/content/validate.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'

export interface PlacedLeaf {
  leaf: Leaf
  path: string
}

/**
 * Answers that leaves compare though their content does not ask for them: a misspelt question is always missing. With
 * `segments`, also those of the segments that the leaves name. `pushed` ask too, before they are stored.
 */
export async function answerWarnings(
  db: Queryable,
  environmentId: EnvironmentId,
  leaves: readonly PlacedLeaf[],
  segments: ReadonlyMap<string, Condition> = new Map(),
  pushed: readonly ContentDocument[] = [],
): Promise<DocumentProblem[]> {
  const compared = leaves.flatMap((placed) => comparedIn(placed, segments))
  if (compared.length === 0) return []
  const keys = new Set(compared.map(({ content }) => content))
  const asked = await findQuestions(db, environmentId, [...keys])
  for (const document of pushed) if (keys.has(document.key)) addQuestions(asked, document)
  return compared
    .filter(({ content, question }) => !asked.get(content)?.has(question))
    .map(({ content, question, path, segment }) => {
      const unasked = `neither the draft nor the published version of \`${content}\` asks \`${question}\``
      return {
        path,
        message: segment === undefined ? unasked : `${unasked}, which the segment \`${segment}\` compares`,
      }
    })
}

interface ComparedAnswer {
  content: string
  question: string
  path: string
  /** The segment that compares it. */
  segment?: string
}

function comparedIn({ leaf, path }: PlacedLeaf, segments: ReadonlyMap<string, Condition>): ComparedAnswer[] {
  if ('answer' in leaf) return [{ content: leaf.answer, question: leaf.question, path: below(path, 'question') }]
  if (!('segment' in leaf)) return []
  const found = new Map<string, ComparedAnswer>()
  const seen = new Set<string>()
  const walk = (segment: string) => {
    const condition = segments.get(segment)
    if (!condition || seen.has(segment)) return
    seen.add(segment)
    eachLeaf(condition, (one) => {
      if ('segment' in one) walk(one.segment)
      if (!('answer' in one)) return
      const compared = { content: one.answer, question: one.question, path: below(path, 'segment'), segment }
      found.set(`${segment} ${one.answer} ${one.question}`, compared)
    })
  }
  walk(leaf.segment)
  return [...found.values()]
}

const below = (path: string, field: string) => (path === '' ? field : `${path}.${field}`)

/** The questions of the drafts and the published versions of some content, by its key. */
async function findQuestions(
  db: Queryable,
  environmentId: EnvironmentId,
  keys: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await db.query<{ document: string }>(
    `select version.document
       from content join content_versions as version
         on version.environment_id = content.environment_id
        and version.id in (content.draft_version_id, content.published_version_id)
      where content.environment_id = $1::int and content.key = any($2::text[])`,
    [environmentId, keys],
  )
  const questions = new Map<string, Set<string>>()
  for (const { document } of rows) addQuestions(questions, JSON.parse(document) as ContentDocument)
  return questions
}

function addQuestions(questions: Map<string, Set<string>>, document: ContentDocument): void {
  const asked = questionsOf(document).map(({ block }) => block.question)
  questions.set(document.key, new Set([...(questions.get(document.key) ?? []), ...asked]))
}
