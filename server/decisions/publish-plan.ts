import type { Names } from '../../contract/conditions/sentence.ts'
import type { DocumentProblem } from '../../contract/content/check.ts'
import { differencesOf, differenceText } from '../../contract/content/differences.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { publishingWarnings, type Surroundings } from '../../contract/content/publishing.ts'
import { placedLeaves } from '../../contract/content/references.ts'
import { documentProblems } from '../../contract/content/validate.ts'
import { answerWarnings } from '../conditions/answer-warnings.ts'
import { findBlockers, type PublishJob, versionToPublish } from '../content/publish.ts'
import { type Changed, type Reach, reachOf, type Watched } from '../content/reach.ts'
import { countInside, type ReachRequest } from '../content/reach-queries.ts'
import { paramOf } from '../content/refuse.ts'
import type { ContentRow, VersionRow } from '../content/rows.ts'
import { revisionOf } from '../content/save.ts'
import { findSurroundings } from '../content/surroundings.ts'
import { findVersion } from '../content/version-queries.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { findMeanings } from '../segments/queries.ts'
import type { Decisions } from './decisions.ts'
import type { GateName } from './gates.ts'
import { findMisses, type Misses, targetWarnings } from './target-warnings.ts'

/** `names`: what its words call segments and content, their keys without it. */
export type PlanCall = Pick<PublishJob, 'contentId' | 'expectedDraft' | 'version'> & { names?: Names }

interface PlanParts {
  database: Database
  decisions: Decisions
  now: () => number
}

/** What publishing would do. It changes nothing. */
export async function planOf(
  { database, decisions, now }: PlanParts,
  environmentId: EnvironmentId,
  call: PlanCall,
  watched: Watched = {},
) {
  const found = await versionToPublish({ db: database, environmentId }, call)
  if (found instanceof ApiError) throw found
  const { content, draft, version } = found
  const document = JSON.parse(version.document) as ContentDocument
  const { published, before, misses } = await findPublished(database, environmentId, content)
  const [known, meanings, inside] = await Promise.all([
    findSurroundings(database, environmentId),
    findMeanings(database, environmentId),
    countInside(database, environmentId, content.id),
  ])
  const problems = await findBlockers(database, environmentId, content, document, known)
  const isCountable = problems.every(({ path }) => !/^who\b/.test(path))
  const request = { ...meanings, environmentId, before: whoOf(before), after: whoOf(document), now: now() }
  const reach = isCountable ? await reachOf(database, request, watched) : NOT_COUNTED
  const unasked =
    problems.length > 0 ? [] : await answerWarnings(database, environmentId, placedLeaves(document), known.segments)
  const isNobody = isCountable && isForNobody(document, reach)
  // The receipts of a document that is not finished would be those of nothing.
  const isComplete = documentProblems(document).length === 0
  const samplesOf = isComplete
    ? withSentences(decisions, environmentId, content, version, call.names?.content)
    : withoutSentences
  return {
    content,
    version,
    published,
    expectedDraft: revisionOf(draft),
    changes: differencesOf(before, document, call.names),
    gains: await samplesOf(reach.gains),
    // Who has seen it, and does not match any more, loses it because of the rule.
    losses: await samplesOf(reach.losses, 'who'),
    inside,
    problems: problems.map(paramOf),
    warnings:
      problems.length > 0 ? [] : [...warningsOf(document, before, known, misses, isNobody), ...unasked].map(paramOf),
  }
}

/** The plan as the API shows it. */
export async function publishPlan(
  parts: PlanParts,
  environmentId: EnvironmentId,
  call: PlanCall,
  signal?: AbortSignal,
): Promise<object> {
  const { content, changes, expectedDraft, gains, inside, losses, problems, warnings } = await planOf(
    parts,
    environmentId,
    call,
    { signal },
  )
  return {
    object: 'publish_plan',
    changes: changes.map(differenceText),
    content_id: content.id,
    expected_draft: expectedDraft,
    gains,
    inside,
    losses,
    problems,
    samples: [
      ...gains.samples.map((sample) => ({ ...sample, change: 'gains' as const })),
      ...losses.samples.map((sample) => ({ ...sample, change: 'losses' as const })),
    ],
    warnings,
  }
}

const NOT_COUNTED: Reach = {
  matches: { count: 0, exact: true },
  gains: { count: 0, exact: true, users: [] },
  losses: { count: 0, exact: true, users: [] },
}

/** What is known of a document before it is published, beside the answers that it compares. */
export function warningsOf(
  document: ContentDocument,
  before: ContentDocument | undefined,
  known: Surroundings,
  misses: Misses,
  isNobody: boolean,
): DocumentProblem[] {
  return [
    ...publishingWarnings(document, known),
    ...targetWarnings(document, before, misses),
    ...(isNobody ? [NOBODY] : []),
  ]
}

const NO_MISSES: Misses = { firstMissedBy: 0, missed: [] }
const NOBODY = { path: 'who', message: 'nobody matches now' }

export function isForNobody({ who }: ContentDocument, { matches }: Pick<Reach, 'matches'>): boolean {
  return who !== undefined && matches.exact && matches.count === 0
}

/** The published version of a content, if there is one, and what pages have told of it. */
export async function findPublished(
  database: Database,
  environmentId: EnvironmentId,
  content: ContentRow | undefined,
): Promise<{ published: VersionRow | undefined; before: ContentDocument | undefined; misses: Misses }> {
  const id = content?.published_version_id ?? null
  const published = id === null ? undefined : await findVersion(database, environmentId, id)
  if (!content || !published) return { published: undefined, before: undefined, misses: NO_MISSES }
  const misses = await findMisses(database, environmentId, content.id, published.id)
  return { published, before: JSON.parse(published.document) as ContentDocument, misses }
}

export function whoOf(document: ContentDocument | undefined): ReachRequest['before'] {
  return document ? (document.who ?? 'everybody') : 'nobody'
}

interface Sampled {
  count: number
  exact: boolean
  samples: { user_id: string; sentence: string }[]
}

/** With `about`, the sentence is about this gate if it is closed. */
type SamplesOf = (changed: Changed, about?: GateName) => Promise<Sampled>

const withoutSentences: SamplesOf = async ({ count, exact, users }) => ({
  count,
  exact,
  samples: users.map((user_id) => ({ user_id, sentence: '' })),
})

function withSentences(
  decisions: Decisions,
  environmentId: EnvironmentId,
  { id, key, type }: ContentRow,
  version: VersionRow,
  contentNames: Names['content'],
): SamplesOf {
  const source = {
    id,
    key,
    type,
    versionId: version.id,
    publishedAt: null,
    isPublished: true,
    document: version.document,
  }
  return async ({ count, exact, users }, about) => {
    const receipts = await Promise.all(
      users.map((userId) =>
        decisions.explain(environmentId, { userId }, source, { contentNames, about, isOfAnyGroup: true }),
      ),
    )
    const samples = users.map((user_id, index) => ({ user_id, sentence: receipts[index]?.sentence ?? '' }))
    return { count, exact, samples }
  }
}
