import type { DocumentProblem } from '../../contract/content/check.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { publishingProblems } from '../../contract/content/publishing.ts'
import { placedLeaves } from '../../contract/content/references.ts'
import { answerWarnings } from '../conditions/answer-warnings.ts'
import type { Meanings } from '../conditions/compile.ts'
import { placeOf, withPushed } from '../content/push.ts'
import { findContentByKey } from '../content/queries.ts'
import { reachOf } from '../content/reach.ts'
import { findSurroundings } from '../content/surroundings.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { isTimeout } from '../database/errors.ts'
import { findMeanings } from '../segments/queries.ts'
import { findPublished, isForNobody, warningsOf, whoOf } from './publish-plan.ts'

/** For all documents together. Afterwards it is left open whether somebody matches. */
const MOST_MS = 5_000

interface Request {
  database: Database
  environmentId: EnvironmentId
  now: number
  documents: readonly ContentDocument[]
  /** Whoever waits has gone away: nobody is counted any more. The push itself goes on. */
  signal?: AbortSignal | undefined
}

/** What to know before documents are published together. Nothing while one of them cannot be published: that is refused. */
export async function pushWarnings(request: Request): Promise<DocumentProblem[]> {
  const { database, environmentId, documents } = request
  const [surroundings, meanings] = await Promise.all([
    findSurroundings(database, environmentId),
    findMeanings(database, environmentId),
  ])
  const known = withPushed(surroundings, documents)
  if (documents.some((document) => publishingProblems(document, known).length > 0)) return []
  const endsAt = performance.now() + MOST_MS
  const warnings: DocumentProblem[] = []
  for (const [index, document] of documents.entries()) {
    const { before, misses } = await publishedOf(request, document.key)
    const isNobody = await isNobodyMatching(request, document, meanings, endsAt - performance.now())
    const unasked = await answerWarnings(database, environmentId, placedLeaves(document), known.segments, documents)
    const found = [...warningsOf(document, before, known, misses, isNobody), ...unasked]
    warnings.push(...found.map(({ path, message }) => ({ path: placeOf(index, path), message })))
  }
  return warnings
}

async function publishedOf({ database, environmentId }: Request, key: string) {
  const content = await findContentByKey(database, environmentId, key)
  return await findPublished(database, environmentId, content)
}

async function isNobodyMatching(
  { database, environmentId, now, signal }: Request,
  document: ContentDocument,
  meanings: Meanings,
  mostMs: number,
): Promise<boolean> {
  if (document.who === undefined || mostMs <= 0 || signal?.aborted) return false
  const who = whoOf(document)
  const asked = { ...meanings, environmentId, before: who, after: who, now }
  try {
    return isForNobody(document, await reachOf(database, asked, { signal, mostMs }))
  } catch (error) {
    // It is only to be known: what cannot be counted in time, or for nobody, is stored all the same.
    if (isTimeout(error) || signal?.aborted) return false
    throw error
  }
}
